import type { Context } from '../../context.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { startOperations } from '../../operations/operations.service.ts';
import { listOutdatedDatabases, measureOldSizes, setSizes } from './databases.repository.ts';
import { upgradeOperation } from './upgrade.operation.ts';

/** How long a database that was in use is left alone before its upgrade is tried again, in milliseconds. */
const BUSY_PAUSE = 600_000;
/** A size that is so old is measured anew, in milliseconds: looked at each minute, none in the list is older than ten. */
const MEASURE_AGE = 480_000;
/** Databases that are measured in one statement. */
const MEASURE_BATCH = 100;

/**
 * Queues the upgrade of every database whose schema is older than this server's, once since `since`: what failed is not tried again
 * until the server starts anew or somebody asks for it, unless it failed because the database was in use.
 * @returns how many were queued
 */
export async function startUpgrades(context: Context, since: Date): Promise<number> {
  const busySince = new Date(context.now().getTime() - BUSY_PAUSE);
  const outdated = await listOutdatedDatabases(context.platform, newestTenantSchemaVersion(), { since, busySince });
  if (outdated.length === 0) return 0;
  const wanted = outdated.map((databaseId) => ({ databaseId, input: { databaseId } }));
  return startOperations(context, upgradeOperation, wanted);
}

/**
 * Measures every database that was not measured for a while, for the list.
 * @param stopping ends it early
 */
export async function measureDatabases(context: Context, stopping?: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - MEASURE_AGE);
  let measured = MEASURE_BATCH;
  while (measured === MEASURE_BATCH && !stopping?.aborted) {
    const sizes = await measureOldSizes(context.platform, before, MEASURE_BATCH);
    await setSizes(context.platform, sizes, context.now());
    measured = sizes.length;
  }
}
