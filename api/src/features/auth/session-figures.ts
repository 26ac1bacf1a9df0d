import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { addFigures } from '../../figures.ts';
import { openAt } from './session-times.ts';
import { countOpenSessions } from './sessions.repository.ts';

/** Adds how many sessions are open to the figures. */
export function measureSessions({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  const read = () => countOpenSessions(platform, openAt(now()));
  addFigures(registry, read, {
    sessions_open: {
      help: 'Open sessions: of people in the console, and of API tokens',
      labels: ['kind'],
      samplesOf: (counts) => counts.map(({ kind, count }) => ({ labels: { kind }, value: count })),
    },
  });
}
