import type { AnonymizedClone, RefreshScheduleForm } from '@apotheca/contract/anonymized-clones';
import type { Actor } from '../../../actor.ts';
import { appendAudit, changedVersion } from '../../../audit/audit.service.ts';
import { refuseStale } from '../../../audit/stale-edit.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { findAnonymizedClone, lockRefreshSchedule, updateRefreshSchedule } from './anonymized-clones.repository.ts';

/** The entity of the audit entries of schedules. */
const ENTITY = 'refresh-schedules';

/** @throws AppError conflict for a database that is no anonymized clone */
export async function getAnonymizedClone(
  { platform }: Context,
  { id, name }: Pick<DatabaseRow, 'id' | 'name'>,
): Promise<AnonymizedClone> {
  const clone = await findAnonymizedClone(platform, id);
  if (!clone) throw new AppError('conflict', { message: `${name} is not an anonymized clone.` });
  return clone;
}

/**
 * Sets when an anonymized clone is refreshed by itself.
 * @param sent the version with which the edit began; absent: it overwrites a newer one
 * @throws AppError not-found, conflict, stale
 */
export async function setRefreshSchedule(
  context: Context,
  actor: Actor,
  { databaseName, schedule, sent }: { databaseName: string; schedule: RefreshScheduleForm; sent: number | undefined },
): Promise<AnonymizedClone> {
  const database = await getDatabaseByName(context, databaseName);
  await context.platform.transaction().execute(async (trx) => {
    const before = await lockRefreshSchedule(trx, database.id);
    if (!before) return;
    await refuseStale(trx, { entity: ENTITY, id: database.id, version: before.version }, sent);
    await updateRefreshSchedule(trx, database.id, schedule, context.now());
    const event = { actor, action: `${ENTITY}.edit`, entity: ENTITY, entityId: database.id };
    await appendAudit(context, trx, { ...event, changes: changedVersion({ ...before }, schedule) });
  });
  return getAnonymizedClone(context, database);
}
