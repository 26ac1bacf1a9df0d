import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { addFigures } from '../../figures.ts';
import { readVerification } from './verification.repository.ts';

/** Adds figures of the audit trail's newest verification. Before the first one there are none. */
export function measureAudit({ platform }: Pick<Context, 'platform'>, registry: Registry): void {
  addFigures(registry, () => readVerification(platform), {
    audit_trail_intact: {
      help: '1 where the newest verification found the audit trail complete and unaltered, 0 where it found a break',
      samplesOf: ({ endedAt, problem }) => (endedAt ? [{ value: problem === '' ? 1 : 0 }] : []),
    },
    audit_trail_verified_seconds: {
      help: 'When the newest verification of the audit trail ended, in seconds since 1970',
      samplesOf: ({ endedAt }) => (endedAt ? [{ value: endedAt.getTime() / 1_000 }] : []),
    },
  });
}
