import type { Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { addFigures } from '../../../../figures.ts';
import { countProofs } from './proofs.repository.ts';

/** Adds the number of backups by the result of their proof to the figures. */
export function measureProofs({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  addFigures(registry, () => countProofs(platform, now()), {
    backup_proofs: {
      help: 'Backups by the result of their last proof, all of them and the newest ones of databases',
      labels: ['result', 'of'],
      samplesOf: (counts) =>
        counts.flatMap(({ result, all, newest }) => [
          { labels: { result, of: 'all' }, value: all },
          { labels: { result, of: 'newest' }, value: newest },
        ]),
    },
  });
}
