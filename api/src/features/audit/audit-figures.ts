import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { readVerification } from './verification.repository.ts';

type Newest = Awaited<ReturnType<typeof readVerification>>;

/** Adds figures of the audit trail's newest verification. While PostgreSQL is away, and before the first one, there are none. */
export function measureAudit({ platform }: Pick<Context, 'platform'>, registry: Registry): void {
  const measure = (name: string, help: string, figureOf: (newest: Newest & { endedAt: Date }) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.remove();
        const newest = await readVerification(platform).catch(() => undefined);
        if (newest?.endedAt) this.set(figureOf({ ...newest, endedAt: newest.endedAt }));
      },
    });
  measure(
    'audit_trail_intact',
    '1 where the newest verification found the audit trail complete and unaltered, 0 where it found a break',
    ({ problem }) => (problem === '' ? 1 : 0),
  );
  measure(
    'audit_trail_verified_seconds',
    'When the newest verification of the audit trail ended, in seconds since 1970',
    ({ endedAt }) => endedAt.getTime() / 1_000,
  );
}
