import type { Context } from '../../context.ts';
import { databaseSizes } from '../../db/cluster/cluster.ts';
import { limitTenantRoles } from '../../db/cluster/tenant-role.ts';
import { type Cluster, forEachCluster } from '../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { startOperations } from '../../operations/operations.service.ts';
import { deleteOldSizes, listOldSizes, setSizes } from './database-sizes.repository.ts';
import { listOutdatedDatabases, listOwnConnectionLimits } from './databases.repository.ts';
import { upgradeOperation } from './upgrade.operation.ts';

/** How long the next upgrade of a database that was in use is put off, in milliseconds. */
const BUSY_PAUSE = 600_000;
/** The age at which a size is measured again, in milliseconds. It is checked every minute, so no size is older than ten minutes. */
const MEASURE_AGE = 480_000;
/** How many databases are measured in one statement. */
const MEASURE_BATCH = 100;
const DAY = 86_400_000;
/** For how many days the size of each day is kept, and for how many one of each week. */
const DAILY_KEPT = 92;
const WEEKLY_KEPT = 731;

/**
 * Queues the upgrade of every database whose schema is older than this server's. An upgrade that failed after `since` is tried again
 * only when somebody asks for it, or when the database was in use.
 * @param since the start of the server
 * @returns how many were queued
 */
export async function startUpgrades(context: Context, since: Date): Promise<number> {
  const now = context.now();
  const busySince = new Date(now.getTime() - BUSY_PAUSE);
  const moments = { since, busySince, now };
  const outdated = await listOutdatedDatabases(context.platform, newestTenantSchemaVersion(), moments);
  if (outdated.length === 0) return 0;
  const wanted = outdated.map((databaseId) => ({ databaseId, input: { databaseId } }));
  return startOperations(context, upgradeOperation, wanted);
}

/**
 * Measures every database whose size is old, for the list; the first size of a day is kept. Those of a server that is away keep theirs.
 * @param stopping aborts it
 */
export async function measureDatabases(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - MEASURE_AGE);
  const measure = async ({ id, platform }: Cluster) => {
    const old = await listOldSizes(context.platform, id, before);
    for (let first = 0; first < old.length && !stopping?.aborted; first += MEASURE_BATCH) {
      const batch = old.slice(first, first + MEASURE_BATCH);
      const sizes = await databaseSizes(
        platform,
        batch.map(({ physicalName }) => physicalName),
      );
      const measured = batch.flatMap((row) => {
        const bytes = sizes.get(row.physicalName);
        return bytes === undefined ? [] : [{ id: row.id, bytes }];
      });
      await setSizes(context.platform, measured, context.now());
    }
  };
  await forEachCluster(context, measure, stopping);
}

/**
 * Sets the limit of connections of every role of this installation that has another one, on every server that answers.
 * @param stopping aborts it, between two servers
 */
export async function limitConnections(context: Context, stopping?: AbortSignal): Promise<void> {
  const limit = async ({ id, utility }: Cluster) =>
    limitTenantRoles(utility, context.tenantConnections, await listOwnConnectionLimits(context.platform, id));
  await forEachCluster(context, limit, stopping);
}

/** Thins the sizes that were noted. */
export async function thinSizes({ platform, now }: Context): Promise<void> {
  const daysAgo = (days: number) => new Date(now().getTime() - days * DAY);
  await deleteOldSizes(platform, { first: daysAgo(WEEKLY_KEPT), daily: daysAgo(DAILY_KEPT) });
}
