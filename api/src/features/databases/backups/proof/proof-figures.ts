import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { countProofs } from './proofs.repository.ts';

/** Adds the number of backups by the result of their proof to the figures. While PostgreSQL is away there are none. */
export function measureProofs({ platform }: Pick<Context, 'platform'>, registry: Registry): void {
  new Gauge({
    name: 'backup_proofs',
    help: 'Backups by the result of their last proof, all of them and the newest ones of databases',
    labelNames: ['result', 'of'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { result, all, newest } of await countProofs(platform).catch(() => [])) {
        this.set({ result, of: 'all' }, all);
        this.set({ result, of: 'newest' }, newest);
      }
    },
  });
}
