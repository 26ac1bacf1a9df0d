import type pg from 'pg';
import { dropUsedRole, muteLogOfRole, relaxCommitsOfRole } from '../../../db/cluster/restored-database.ts';
import { giveTenantRights } from '../../../db/cluster/tenant-rights.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { isReported } from '../../../db/errors/postgres-errors.ts';
import { migrateTenantSchema, newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { buildDatabase } from '../databases.service.ts';
import { loadArchiveRows, type RestorableArchive, refuseIncomplete } from './archive/archive-loading.ts';
import { isPlatformTable } from './archive/archive-objects.ts';
import { damaged } from './archive/damaged-archive.ts';
import { type CatalogueDigests, readCatalogueDigests } from './catalogue-digests.repository.ts';
import { listArchivedTables, readWaitingChecksums, refuseDifferences } from './checksums.repository.ts';
import {
  allowPermissionInserts,
  dropKeysAndIndexes,
  listPublicSequences,
  listPublicTables,
  type RebuildStatement,
  type RebuildStatements,
  rebuild,
  tuneForIndexBuilds,
} from './loading.repository.ts';
import { inSnapshot, measureTables } from './snapshot.repository.ts';

/** How many sessions build indexes at a time. */
const BUILDERS = 2;
/** How many sessions read checksums at a time. */
const READERS = 2;
/** From this number of rows on, building an index at the end is faster than updating it while rows are loaded. */
const MANY_ROWS = 2_000;

/**
 * Makes the database of a registry row in state 'creating' from the platform's schema and an archive's rows. As an archive may come from
 * anywhere, its SQL never runs with the administrator's rights: the database's own role loads the rows, and is dropped afterwards.
 * @returns the statements that rebuild keys and indexes
 */
export async function loadRows(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<RebuildStatements> {
  const { context, cluster } = run;
  const { physicalName, roleName } = row;
  const { rowCounts } = archive;
  await buildEmptyDatabase(run, row, archive.schemaVersion);
  const asAdministrator = <T>(work: (client: pg.Client) => Promise<T>) =>
    context.tenants.with(row, work, { unlimited: true });
  await muteLogOfRole(cluster, roleName);
  await relaxCommitsOfRole(cluster, roleName);
  const { rebuilds, catalogue } = await asAdministrator(async (client) => {
    refuseIncomplete(archive.entries, await listPublicTables(client), await listPublicSequences(client));
    await allowPermissionInserts(client, roleName, true);
    const isLarge = (table: string) => (rowCounts ? (rowCounts[table] ?? 0) >= MANY_ROWS : true);
    return {
      rebuilds: await dropKeysAndIndexes(client, isLarge),
      catalogue: await readCatalogueDigests(client, roleName),
    };
  });
  await loadArchiveRows(run, row, archive);
  await asAdministrator(async (client) => {
    refuseCatalogueChanges(catalogue, await readCatalogueDigests(client, roleName));
    await allowPermissionInserts(client, roleName, false);
    await giveTenantRights(client, null);
  });
  await dropUsedRole(cluster, physicalName, roleName);
  return rebuilds;
}

/**
 * Refuses an archive that changed more than rows: it may have left something that would run with the administrator's rights.
 * @throws AppError damaged-archive
 */
function refuseCatalogueChanges(before: CatalogueDigests, after: CatalogueDigests): void {
  const changed = [...before].flatMap(([name, digest]) => (after.get(name) === digest ? [] : [name]));
  if (changed.length > 0) throw damaged(`The archive does more than load rows: it changes ${changed.join(', ')}.`);
}

/** Rebuilds keys and indexes, and validates foreign keys. @throws AppError damaged-archive when rows violate them */
export async function rebuildConstraints(run: Run, row: DatabaseRow, rebuilds: RebuildStatements): Promise<void> {
  const sizes = await run.context.tenants.with(row, measureTables);
  const largestFirst = (work: RebuildStatement[]) =>
    work.toSorted((one, two) => (sizes.get(two.table) ?? 0) - (sizes.get(one.table) ?? 0));
  // One session adds all foreign keys, because each locks two tables: several sessions could deadlock.
  const phases: [RebuildStatement[], number][] = [
    [largestFirst(rebuilds.keys), BUILDERS],
    [largestFirst(rebuilds.indexes), BUILDERS],
    [rebuilds.foreignKeys, 1],
    [largestFirst(rebuilds.validations), BUILDERS],
  ];
  const total = phases.reduce((sum, [work]) => sum + work.length, 0);
  let done = 0;
  for (const [work, builders] of phases) {
    const waiting = [...work];
    const build = async (client: pg.Client) => {
      await tuneForIndexBuilds(client);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const current = next;
        await cancellable(run, processIdOf(client), () => rebuild(client, current));
        done += 1;
        run.progress(done / total);
      }
    };
    const sessions = Array.from({ length: builders }, () => run.context.tenants.with(row, build, { unlimited: true }));
    await allEnded(sessions).catch((error: unknown) => {
      throw refusalOf(error);
    });
  }
}

/** Compares the restored rows with those of the backup, then upgrades the schema. @returns the number of rows */
export async function verifyAndUpgrade(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<number> {
  const { context } = run;
  const asAdministrator = <T>(work: (client: pg.Client) => Promise<T>) =>
    context.tenants.with(row, (client) => cancellable(run, processIdOf(client), () => work(client)), {
      unlimited: true,
    });
  const waiting = await asAdministrator(listArchivedTables);
  const readers = Array.from({ length: READERS }, () =>
    asAdministrator((client) => inSnapshot(client, () => readWaitingChecksums(client, waiting))),
  );
  const tables = (await allEnded(readers)).flat();
  const restored = tables.filter(({ schema }) => schema === 'public');
  for (const { name, rows } of restored) {
    const expected = archive.rowCounts?.[name] ?? rows;
    if (rows === expected) continue;
    throw damaged(`${name} has ${rows} rows instead of the ${expected} of the backup.`, [name]);
  }
  const expected = archive.manifest?.tables ?? [];
  refuseDifferences(expected.filter(isPlatformTable), tables);
  await asAdministrator((client) => migrateTenantSchema(client));
  return restored.reduce((sum, { rows }) => sum + rows, 0);
}

/** What sessions give, when all of them have ended. @throws the first failure of one */
async function allEnded<T>(sessions: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(sessions);
  return Promise.all(sessions);
}

async function buildEmptyDatabase(run: Run, row: DatabaseRow, version: number): Promise<void> {
  const { context, server } = run;
  if (version === newestTenantSchemaVersion()) return buildDatabase(context, run, row, await server.template());
  await buildDatabase(context, run, row, 'template0');
  const migrate = async (client: pg.Client) => {
    await migrateTenantSchema(client, { upTo: version });
    await giveTenantRights(client, row.roleName);
  };
  await context.tenants.with(row, migrate, { unlimited: true });
}

/** Refuses the archive when its rows violate a constraint (SQLSTATE class 23). */
function refusalOf(error: unknown): unknown {
  return isReported(error) && error.code?.startsWith('23')
    ? damaged(`The rows of the archive do not fit together: ${error.message}.`)
    : error;
}
