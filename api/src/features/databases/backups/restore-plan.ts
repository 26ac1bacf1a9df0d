import type { LeftOutObject, RestorePlan } from '@apotheca/contract/backups';
import type { Context } from '../../../context.ts';
import { databaseExists } from '../../../db/cluster/cluster.ts';
import { isUnreadable } from '../../../db/errors/postgres-errors.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { digestOf, refuseChangedPlan } from '../../../plan.ts';
import { rowsInWords } from '../../../wording.ts';
import { placeDatabase } from '../../databaseservers/placement.ts';
import { refuseUnusableName } from '../database-names.ts';
import { describeKeeping } from '../database-parking.ts';
import { type DatabaseRow, findReadyDatabaseByName, isAnonymizedClone } from '../databases.repository.ts';
import { describeSessions, describeUncounted, planDatabaseDeletion } from '../deletion-plan.ts';
import { refuseSlots } from '../following.ts';
import { countKeptRows } from '../tenant-database/counts.repository.ts';
import { FIRST_VERSION } from '../tenant-database/tenant-change.ts';
import { describeLeftOut } from './archive/archive-left-out.ts';
import { type BackupRow, findServerOfBackup, isBackupOf } from './backups.repository.ts';

/** What restoring under a name would do, whichever backup it is. */
interface FullRestorePlan extends Omit<RestorePlan, 'leftOut'> {
  keptRows: number;
  /** Tables of what it would replace that are missing or damaged. */
  uncounted: string[];
}

/** What a restore would replace, and the server that it would make its database on: it decides what is left out. */
interface PlacedPlan {
  target: FullRestorePlan;
  serverId: string;
}

/**
 * What restoring a backup under a name would replace, and where.
 * @param databaseName the name of an existing database or of a new one
 * @throws AppError reserved-name, conflict where no server takes a new one, and as {@link planReplacement}
 */
export async function planRestore(context: Context, backup: BackupRow, databaseName: string): Promise<PlacedPlan> {
  const { platform } = context;
  const found = await findReadyDatabaseByName(platform, databaseName);
  if (found) return { target: await planReplacement(context, backup.id, found), serverId: found.serverId };
  const target = await planNew(context, databaseName);
  const serverId = await findServerOfBackup(platform, backup);
  if (serverId !== undefined) return { target, serverId };
  const place = (trx: Trx) => placeDatabase(trx, { isTenants: false, isCopy: false });
  return { target, serverId: await platform.transaction().execute(place) };
}

async function planNew(context: Context, databaseName: string): Promise<FullRestorePlan> {
  await refuseUnusableName(context, databaseName);
  const digest = digestOf(['new', databaseName]);
  return {
    databaseName,
    replaces: false,
    rows: 0,
    sizeBytes: 0,
    connections: 0,
    newestBackupOnUtc: null,
    digest,
    keptRows: 0,
    uncounted: [],
  };
}

/**
 * What restoring a backup over a database would replace. It also tells how many kept rows could no longer be put back.
 * @throws AppError conflict for an anonymized clone and a backup of another database, which may have real values, and for a slot that
 * would stay
 */
export async function planReplacement(
  context: Context,
  backupId: string,
  target: DatabaseRow,
): Promise<FullRestorePlan> {
  const { platform } = context;
  if ((await isAnonymizedClone(platform, target.id)) && !(await isBackupOf(platform, backupId, target.id))) {
    const message = `${target.name} is an anonymized clone: only a backup of its own replaces it. Please restore under another name.`;
    throw new AppError('conflict', { message });
  }
  await refuseSlots(context, target);
  const plan = await planDatabaseDeletion(context, target);
  const hasKeptRows =
    target.schemaVersion >= FIRST_VERSION &&
    (await databaseExists((await context.clusters.of(target.serverId)).platform, target.physicalName));
  const keptRows = hasKeptRows ? await context.tenants.with(target, countKeptRows).catch(noneIfUnreadable) : 0;
  return { ...plan, replaces: true, keptRows };
}

// Rows that cannot be read cannot be put back either.
function noneIfUnreadable(error: unknown): number {
  if (isUnreadable(error)) return 0;
  throw error;
}

/**
 * A plan that also says what of the archive is not restored. Its digest covers that too, but not the rows of tables, as counting them
 * may end before its time.
 */
export function withLeftOut<Plan extends { digest: string }>(plan: Plan, leftOut: LeftOutObject[]) {
  const named = leftOut.map(({ kind, name, reason }) => [kind, name, reason]);
  const digest = named.length > 0 ? `${plan.digest}${SEPARATOR}${digestOf(named)}` : plan.digest;
  return { ...plan, digest, leftOut };
}

/**
 * Refuses what leaves out something else than was confirmed: meanwhile its server may be another one, or allow the administrator more or less.
 * @param plan digest of the confirmed plan; absent: any will do
 * @throws AppError plan-changed
 */
export function refuseOtherLeftOut(plan: string | undefined, databaseName: string, leftOut: LeftOutObject[]): void {
  if (plan === undefined) return;
  const [digest = ''] = plan.split(SEPARATOR);
  refuseChangedPlan(plan, withLeftOut({ databaseName, digest }, leftOut));
}

/** The part of a digest that is about the database to replace. */
export const targetDigest = (digest: string | undefined): string | undefined => digest?.split(SEPARATOR)[0];

/** In no digest. */
const SEPARATOR = '.';

/** The text of the confirmation. */
export function describeRestore(
  context: Context,
  { databaseName }: BackupRow,
  plan: FullRestorePlan & { leftOut: LeftOutObject[] },
): string {
  return `${describeTarget(context, databaseName, plan)}${describeLeftOut(plan.leftOut)}`;
}

function describeTarget(context: Context, databaseName: string, plan: FullRestorePlan): string {
  const backup = `the chosen backup of ${databaseName}`;
  if (!plan.replaces) return `A new database ${plan.databaseName} will be made from ${backup}.`;
  const kept =
    plan.keptRows > 0
      ? ` ${rowsInWords(plan.keptRows)} deleted from tables earlier can then no longer be put back.`
      : '';
  return `Restoring replaces every row of ${plan.databaseName} (${rowsInWords(plan.rows)}) by those of ${backup}.${describeUncounted(plan.uncounted)}${describeSessions(plan.connections)}${kept}${describeKeeping(context, 'What it replaces')}`;
}
