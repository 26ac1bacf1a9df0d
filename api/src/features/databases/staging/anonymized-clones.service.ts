import type { AnonymizedClone, RefreshPlan, RefreshScheduleForm } from '@apotheca/contract/anonymized-clones';
import type { Actor } from '../../../actor.ts';
import { appendAudit, changedVersion } from '../../../audit/audit.service.ts';
import { refuseStale } from '../../../audit/stale-edit.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { digestOf } from '../../../plan.ts';
import { rowsInWords } from '../../../wording.ts';
import { listServerNames } from '../../databaseservers/placement.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { describeSessions, describeUncounted, type LossPlan, planDatabaseDeletion } from '../deletion-plan.ts';
import { refuseSlots } from '../following.ts';
import { refuseOldSchema } from '../tenant-database/tenant-change.ts';
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
 * The database that an anonymized clone is refreshed from.
 * @throws AppError conflict for another database, or where its source is gone, too old or on another server
 */
export async function getSource(context: Context, clone: DatabaseRow): Promise<DatabaseRow> {
  await getAnonymizedClone(context, clone);
  const source = clone.copiedFrom ? await findDatabaseById(context.platform, clone.copiedFrom) : undefined;
  if (source?.state !== 'ready') {
    throw new AppError('conflict', { message: `The database that ${clone.name} was copied from is gone.` });
  }
  refuseOldSchema(source);
  if (source.serverId !== clone.serverId) throw await apart(context, clone, source);
  return source;
}

/** PostgreSQL copies a database on its own server only. */
async function apart({ platform }: Context, clone: DatabaseRow, source: DatabaseRow): Promise<AppError> {
  const [here, there] = await Promise.all(
    [clone, source].map(async ({ serverId }) => (await listServerNames(platform, [serverId])).join()),
  );
  const message = `${clone.name} lives on ${here}, and ${source.name}, of which it is a copy, on ${there}: a refresh needs both on one server. Move one of them.`;
  return new AppError('conflict', { message });
}

/**
 * What refreshing an anonymized clone would replace. The digest leaves out the rows of the source: they change all the time, and none of them
 * is lost.
 * @throws AppError as {@link getSource}; conflict where somebody reads its changes
 */
export async function planRefresh(context: Context, clone: DatabaseRow): Promise<RefreshPlan & LossPlan> {
  const source = await getSource(context, clone);
  await refuseSlots(context, clone);
  const { refreshedOnUtc } = await getAnonymizedClone(context, clone);
  const lost = await planDatabaseDeletion(context, clone);
  const digest = digestOf([lost.digest, source.id, refreshedOnUtc]);
  return { ...lost, copiedFrom: source.name, refreshedOnUtc, digest };
}

/** The text of the confirmation. */
export function describeRefresh({
  databaseName,
  copiedFrom,
  rows,
  uncounted,
  connections,
  newestBackupOnUtc,
}: RefreshPlan & LossPlan): string {
  const backup = newestBackupOnUtc
    ? `The newest backup of ${databaseName} stays: it can be restored under another name.`
    : `There is no backup of ${databaseName}.`;
  const replaces = `Refreshing replaces every row of ${databaseName} (${rowsInWords(rows)}) by those of ${copiedFrom}, anonymized, and the old ones are not kept.${describeUncounted(uncounted)}`;
  const stays = `Role and connection string stay.${describeSessions(connections)}`;
  return [replaces, backup, stays, `Sessions of ${copiedFrom} are ended while it is copied.`].join(' ');
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
