import type { Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { addFigures } from '../figures.ts';
import { countMails } from './mails.repository.ts';

/** Adds the number of mails that wait to the figures of a server that sends mails. */
export function measureMails(
  { platform, now, mail }: Pick<Context, 'platform' | 'now' | 'mail'>,
  registry: Registry,
): void {
  if (!mail) return;
  addFigures(registry, () => countMails(platform, now()), {
    mails_waiting: {
      help: 'Mails that wait to be sent: for the first time (new), or again after a failure (retried)',
      labels: ['state'],
      samplesOf: ({ first, retried }) => [
        { labels: { state: 'new' }, value: first },
        { labels: { state: 'retried' }, value: retried },
      ],
    },
  });
}
