import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';
import { migrateTenantSchema, newestTenantSchemaVersion } from '../../db/migrate.ts';
import { createRole, dropUsedRole } from '../../db/restored-database.ts';
import { processIdOf } from '../../db/tenant-connection.ts';
import { cancellable } from '../../operations/cancellable.ts';
import type { Run } from '../../operations/operation-kind.ts';
import { decrypt } from '../../secrets.ts';
import { type ArchiveContents, type ArchiveEntry, damaged, loadArchive } from './archive.ts';
import { withEntryList } from './archive-store.ts';
import type { DatabaseRow } from './databases.repository.ts';
import { buildDatabase, connectionStringOf } from './databases.service.ts';
import {
  allowPermissionRows,
  listPublicSequences,
  listPublicTables,
  type Rebuild,
  rebuild,
  type TakenAway,
  takeKeysAndIndexes,
  tuneForBuilding,
} from './loading.repository.ts';
import { measureTables } from './snapshot.repository.ts';
import { countTables } from './tenant-database.repository.ts';

/** Sessions that build indexes at a time. */
const BUILDERS = 2;
/** From so many rows on, building an index at the end is faster than keeping it up while they come in. */
const MANY_ROWS = 2_000;

export interface RestorableArchive extends ArchiveContents {
  path: string;
  /** Rows by table; null where nobody knows. */
  rowCounts: Record<string, number> | null;
}

/**
 * Makes the database of a registry row in state 'creating' from our own schema and an archive's rows. Nothing of the archive's SQL runs
 * with the administrator's rights: an archive may come from anywhere. Its rows are loaded by the database's own role, which is made
 * anew afterwards.
 */
export async function loadRows(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<TakenAway> {
  const { context, connection } = run;
  const { physicalName, roleName } = row;
  const { rowCounts } = archive;
  await buildEmptyDatabase(run, row, archive.schemaVersion);
  const asAdministrator = <T>(work: (client: pg.Client) => Promise<T>) =>
    context.tenants.with(physicalName, work, { unlimited: true });
  const taken = await asAdministrator(async (client) => {
    refuseIncomplete(archive, await listPublicTables(client), await listPublicSequences(client));
    await allowPermissionRows(client, roleName, true);
    return takeKeysAndIndexes(client, (table) => (rowCounts ? (rowCounts[table] ?? 0) >= MANY_ROWS : true));
  });
  const ids = archive.entries.filter(isLoaded).map(({ id }) => id);
  await withEntryList(context, row.id, ids, async (listPath) =>
    loadArchive(await context.findTools(), {
      url: connectionStringOf(context, row),
      path: archive.path,
      listPath,
      signal: run.signal,
      onTable: countUp(archive, run.progress),
    }),
  );
  await asAdministrator((client) => allowPermissionRows(client, roleName, false));
  await dropUsedRole(connection, physicalName, roleName);
  return taken;
}

/** Makes the role of a restored database that is to have one of its own. */
export function giveRole({ context, connection }: Run, row: DatabaseRow): Promise<void> {
  return createRole(connection, { ...row, password: decrypt(context.keys.databases, row.rolePassword) });
}

/** Makes keys and indexes again and holds the rows against them. @throws AppError damaged-archive where rows do not fit together */
export async function makeWhole(run: Run, { physicalName }: DatabaseRow, taken: TakenAway): Promise<void> {
  const sizes = await run.context.tenants.with(physicalName, measureTables);
  const byWeight = (work: Rebuild[]) =>
    work.toSorted((one, two) => (sizes.get(two.table) ?? 0) - (sizes.get(one.table) ?? 0));
  // The foreign keys of all tables are made by one session: two could wait for each other.
  const phases: [Rebuild[], number][] = [
    [byWeight(taken.keys), BUILDERS],
    [byWeight(taken.indexes), BUILDERS],
    [taken.references, 1],
    [byWeight(taken.validations), BUILDERS],
  ];
  const total = phases.reduce((sum, [work]) => sum + work.length, 0);
  let done = 0;
  for (const [work, builders] of phases) {
    const waiting = [...work];
    const build = async (client: pg.Client) => {
      await tuneForBuilding(client);
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const present = next;
        await cancellable(run, processIdOf(client), () => rebuild(client, present));
        done += 1;
        run.progress(done / total);
      }
    };
    const sessions = Array.from({ length: builders }, () =>
      run.context.tenants.with(physicalName, build, { unlimited: true }),
    );
    const failure = (await Promise.allSettled(sessions)).find((session) => session.status === 'rejected');
    if (failure) throw asDamage(failure.reason);
  }
}

/** Holds the restored rows against what the backup had, then brings them to the newest schema. @returns how many there are */
export async function verifyAndUpgrade(run: Run, row: DatabaseRow, archive: RestorableArchive): Promise<number> {
  const { context } = run;
  const tables = await context.tenants.with(
    row.physicalName,
    async (client) => {
      const present = new Set(await listPublicTables(client));
      return countTables(
        client,
        TENANT_TABLE_NAMES.filter((name) => present.has(name)),
      );
    },
    { unlimited: true },
  );
  for (const { name, rows } of tables) {
    const expected = archive.rowCounts?.[name] ?? rows;
    if (rows !== expected) throw damaged(`${name} has ${rows} rows instead of the ${expected} of the backup.`);
  }
  await context.tenants.with(row.physicalName, (client) => migrateTenantSchema(client), { unlimited: true });
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

async function buildEmptyDatabase({ context, connection }: Run, row: DatabaseRow, version: number): Promise<void> {
  if (version === newestTenantSchemaVersion()) return buildDatabase(context, connection, row, context.tenantTemplate);
  await buildDatabase(context, connection, row, 'template0');
  await context.tenants.with(row.physicalName, (client) => migrateTenantSchema(client, { upTo: version }), {
    unlimited: true,
  });
}

/** The rows of the 37 tables, those of the platform's permissions, and what identities count. */
function isLoaded({ kind, schema, name }: ArchiveEntry): boolean {
  if (kind === 'SEQUENCE SET') return schema === 'public';
  if (schema === 'apotheca') return name === 'permissions';
  return schema === 'public' && TENANT_TABLE_NAMES.some((table) => table === name);
}

/** Every table and every identity of its version must be there once: what is missing in a table of contents loads as nothing. */
function refuseIncomplete({ entries }: ArchiveContents, tables: readonly string[], sequences: readonly string[]): void {
  const listed = entries.filter(({ schema }) => schema === 'public');
  const namesOf = (kind: ArchiveEntry['kind']) => listed.filter((entry) => entry.kind === kind).map(({ name }) => name);
  refuseUnlessOnce('the rows', namesOf('TABLE DATA'), tables);
  refuseUnlessOnce('the identity', namesOf('SEQUENCE SET'), sequences);
}

function refuseUnlessOnce(what: string, listed: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((name) => !listed.includes(name));
  if (missing.length > 0) throw damaged(`The archive lacks ${what} of ${missing.join(', ')}.`);
  const twice = expected.filter((name) => listed.indexOf(name) !== listed.lastIndexOf(name));
  if (twice.length > 0) throw damaged(`The archive has ${what} of ${twice.join(', ')} twice.`);
}

/** Turns tables that are done into progress, by their rows where they are known. */
function countUp({ rowCounts, entries }: RestorableArchive, progress: Run['progress']): (table: string) => void {
  const weightOf = (table: string) => 1 + (rowCounts?.[table] ?? 0);
  const total = entries.filter(isLoaded).reduce((sum, { name }) => sum + weightOf(name), 0);
  let done = 0;
  return (table) => {
    done += weightOf(table);
    progress(Math.min(1, done / total));
  };
}

/** Rows that do not fit a key or a reference: SQLSTATE class 23. */
function asDamage(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('23') && error instanceof Error
    ? damaged(`The rows of the archive do not fit together: ${error.message}.`)
    : error;
}
