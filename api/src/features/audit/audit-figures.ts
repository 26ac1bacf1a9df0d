import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { addFigures } from '../../figures.ts';
import { findBeginning, readVerification } from './verification.repository.ts';

/**
 * Adds figures of the audit trail's newest verification. The first one is waited for since the trail began: else nothing would tell that it never
 * comes. So is the next one where that ended at a moment that is still to come.
 */
export function measureAudit({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  const read = async () => {
    const { endedAt, isEndAhead, problem } = await readVerification(platform, now());
    const since = isEndAhead ? null : endedAt;
    return { endedAt, problem, since: since ?? (await findBeginning(platform)) };
  };
  addFigures(registry, read, {
    audit_trail_intact: {
      help: '1 where the newest verification found the audit trail complete and unaltered, 0 where it found a break',
      samplesOf: ({ endedAt, problem }) => (endedAt ? [{ value: problem === '' ? 1 : 0 }] : []),
    },
    audit_trail_verified_seconds: {
      help: 'When the newest verification of the audit trail ended, before the first one when the trail began, in seconds since 1970',
      samplesOf: ({ since }) => (since ? [{ value: since.getTime() / 1_000 }] : []),
    },
  });
}
