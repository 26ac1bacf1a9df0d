import type { BackupSchedule, BackupScheduleForm } from '@apotheca/contract/backup-schedules';
import type { Actor } from '../../../../actor.ts';
import { appendAudit, changedVersion } from '../../../../audit/audit.service.ts';
import { refuseStale } from '../../../../audit/stale-edit.ts';
import type { Context } from '../../../../context.ts';
import { fieldError } from '../../../../errors.ts';
import type { DatabaseRow } from '../../databases.repository.ts';
import { getDatabaseByName } from '../../databases.service.ts';
import {
  findSchedule,
  findScheduledDatabase,
  insertFollower,
  lockSchedule,
  type ScheduleRow,
  scheduledDatabasesList,
  updateSchedule,
} from './backup-schedules.repository.ts';
import { planRuns } from './schedule-runs.repository.ts';

/** The entity of the audit entries. */
const ENTITY = 'backup-schedules';
/** The id of the default schedule in the audit trail. */
const DEFAULT_ID = 'default';

/** The databases that have a schedule, and how it stands with their backups. */
export const listScheduledDatabases = scheduledDatabasesList;

/** @param databaseName absent: the default schedule. @throws AppError not-found */
export async function getBackupSchedule(context: Context, databaseName?: string): Promise<BackupSchedule> {
  return describeSchedule(
    context,
    databaseName === undefined ? undefined : await getDatabaseByName(context, databaseName),
  );
}

/** @param database absent: the default schedule */
async function describeSchedule(context: Context, database: DatabaseRow | undefined): Promise<BackupSchedule> {
  const { platform } = context;
  const byDefault = await getDefault(context);
  const row = database ? ((await findSchedule(platform, database.id)) ?? followerOf(byDefault)) : byDefault;
  const state = database && (await findScheduledDatabase(platform, database.id));
  const { version, ...schedule } = row;
  const { version: _, ...defaultSchedule } = byDefault;
  return { databaseName: database?.name ?? null, schedule, version, defaultSchedule, state: state ?? null };
}

/**
 * Sets when a database is backed up by itself, and what is kept.
 * @param databaseName absent: the default schedule
 * @param sent the version with which the edit began; absent: it overwrites a newer one
 * @throws AppError not-found, stale, invalid
 */
export async function setBackupSchedule(
  context: Context,
  actor: Actor,
  { databaseName, schedule, sent }: { databaseName?: string; schedule: BackupScheduleForm; sent?: number },
): Promise<BackupSchedule> {
  const database = databaseName === undefined ? undefined : await getDatabaseByName(context, databaseName);
  if (!database && schedule.frequency === 'default') {
    throw fieldError('invalid', 'frequency', 'The default schedule itself cannot follow the default.');
  }
  const databaseId = database?.id ?? null;
  const byDefault = await getDefault(context);
  await context.platform.transaction().execute(async (trx) => {
    if (databaseId) {
      const { version: _, ...follower } = followerOf(byDefault);
      await insertFollower(trx, databaseId, follower);
    }
    const before = await lockSchedule(trx, databaseId);
    const record = { entity: ENTITY, id: databaseId ?? DEFAULT_ID, version: before.version };
    await refuseStale(trx, record, sent);
    await updateSchedule(trx, databaseId, schedule);
    const event = { actor, action: 'backup-schedules.edit', entity: ENTITY, entityId: record.id };
    await appendAudit(context, trx, { ...event, changes: changedVersion({ ...before }, schedule) });
  });
  // So that the answer says when it is due; else that would be so within a minute. The schedule is saved, whatever comes of this.
  await planRuns(context.platform, context.now()).catch(() => undefined);
  // By its id: somebody may have renamed it meanwhile, and given its name to another one.
  return describeSchedule(context, database);
}

async function getDefault({ platform }: Context): Promise<ScheduleRow> {
  const row = await findSchedule(platform, null);
  if (!row) throw new Error('The default schedule of backups is missing in the control database.');
  return row;
}

/** The schedule of a database that nobody has given one: it begins with what the default proposes. */
const followerOf = (byDefault: ScheduleRow): ScheduleRow => ({ ...byDefault, frequency: 'default', version: 1 });
