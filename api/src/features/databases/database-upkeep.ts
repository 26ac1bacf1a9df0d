import { SERVER_ACTOR } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { AppError } from '../../errors.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { listDatabasesToMeasure, listDatabasesWithOldPurges, listOutdatedDatabases } from './databases.repository.ts';
import { measureDatabase } from './databases.service.ts';
import { dropExpiredPurges, expiryOfPurges } from './kept-rows.repository.ts';
import { upgradeOperation } from './upgrade.operation.ts';

/** How long a database that was in use is left alone before its upgrade is tried again, in milliseconds. */
const BUSY_PAUSE = 600_000;
/** The list shows sizes that are at most so old, in milliseconds, if measuring keeps up. */
const MEASURE_AGE = 600_000;
/** Databases that are measured in one go. */
const MEASURE_BATCH = 100;

/**
 * Queues the upgrade of every database whose schema is older than this server's, once since `since`: what failed is not tried again
 * until the server starts anew or somebody asks for it, unless it failed because the database was in use.
 * @returns how many were queued
 */
export async function startUpgrades(context: Context, since: Date): Promise<number> {
  const busySince = new Date(context.now().getTime() - BUSY_PAUSE);
  const outdated = await listOutdatedDatabases(context.platform, newestTenantSchemaVersion(), { since, busySince });
  let queued = 0;
  for (const databaseId of outdated) {
    try {
      await startOperation(context, SERVER_ACTOR, upgradeOperation, { databaseId });
      queued += 1;
    } catch (error) {
      // Something else is being done with it, or it is gone: looked at again in a minute.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return queued;
}

/** Measures databases that were not measured for a while, for the list. */
export async function measureDatabases(context: Context): Promise<void> {
  const before = new Date(context.now().getTime() - MEASURE_AGE);
  for (const row of await listDatabasesToMeasure(context.platform, before, MEASURE_BATCH)) {
    await measureDatabase(context, context.platform, row);
  }
}

/**
 * Drops, for good, what purges removed more than 7 days ago (DECISIONS §9), in the databases where something may have expired.
 * @throws AggregateError when some databases could not be swept; the others are
 */
export async function sweepPurges(context: Context): Promise<void> {
  const now = context.now();
  const failures: unknown[] = [];
  for (const { physicalName } of await listDatabasesWithOldPurges(context.platform, expiryOfPurges(now))) {
    const sweeping = context.tenants.with(physicalName, async (client) => {
      await client.query('begin');
      await dropExpiredPurges(client, now);
      await client.query('commit');
    });
    await sweeping.catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} databases could not be swept`);
}
