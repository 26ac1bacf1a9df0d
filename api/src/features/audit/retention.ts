import { SERVER_ACTOR } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import { signCheckpoint } from '../../audit/signatures.ts';
import type { Context } from '../../context.ts';
import { findExpired, removeEntries } from './retention.repository.ts';

const DAY = 86_400_000;
/** How many entries go in one transaction. */
const MOST = 50_000;

/**
 * Removes the entries that are older than the setting allows, from the beginning of the trail on. Each transaction signs a checkpoint, the hash of
 * the last removed entry, after which what is left goes on, and appends an entry that tells of it. So a kill in between harms nothing.
 * Nothing is removed while no clock is trusted.
 */
export async function removeExpiredEntries(context: Context): Promise<void> {
  const { auditDays, keys, utility } = context;
  if (auditDays === 0) return;
  const trusted = await context.trustedNow();
  if (!trusted) return;
  const before = new Date(trusted.getTime() - auditDays * DAY);
  for (let isMore = true; isMore; ) {
    isMore = await utility.transaction().execute(async (trx) => {
      const expired = await findExpired(trx, before, MOST);
      if (!expired) return false;
      const { firstId, ...last } = expired;
      await removeEntries(trx, signCheckpoint(keys.audit, last));
      const changes = { firstId, lastId: last.lastId, olderThanUtc: before.toISOString() };
      await appendAudit(context, trx, {
        actor: SERVER_ACTOR,
        action: 'audit.remove',
        entity: 'audit',
        entityId: '',
        changes,
      });
      return true;
    });
  }
}
