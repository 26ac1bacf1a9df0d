import pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import { queryEach } from '../../../db/tenant-connection.ts';
import type { ForeignKey, TenantCatalogue, TenantTableShape } from '../tenant-database/catalogue.repository.ts';
import { inPublic, inPurged } from '../tenant-database/qualified-names.ts';
import { lockTables, type TableLock } from '../tenant-database/table-locks.repository.ts';
import { moveTables } from './moving.repository.ts';
import type { CountedTable } from './purge-plan.ts';

/**
 * Counts the rows of tables and their references. One statement counts all of them, so the counts are of one moment.
 * @param tables the tables to count: as SQL writes them, by name
 * @param referredTo the tables to which references are counted, without those of a table to itself
 */
export async function countForPurge(
  client: pg.Client,
  tables: ReadonlyMap<string, string>,
  referredTo: readonly string[],
  foreignKeys: readonly ForeignKey[],
): Promise<CountedTable[]> {
  if (tables.size === 0) return [];
  const counts = [...tables].map(([name, table]) => {
    const parents = referredTo.flatMap((parent) => {
      const keys = foreignKeys.filter(({ from, to }) => from === name && to === parent && from !== to);
      return keys.length > 0 ? [`'${parent}', count(*) filter (where ${refers(keys)})`] : [];
    });
    const [literal, quoted] = [name, table].map((text) => pg.escapeLiteral(text));
    return `select ${literal} as name, count(*)::float8 as rows, pg_table_size(${quoted})::float8 as bytes,
      json_build_object(${parents.join(', ')}) as references from ${table}`;
  });
  const { rows } = await client.query<CountedTable>(counts.join('\nunion all\n'));
  return rows;
}

const refers = (keys: readonly ForeignKey[]) =>
  keys
    .map(({ columns }) => `(${columns.map((column) => `${quoteIdentifier(column)} is not null`).join(' and ')})`)
    .join(' or ');

/**
 * Locks tables until the transaction ends. The order is by name, so two purges never deadlock.
 * @param emptied locked against reads and writes
 * @param referring locked against writes: as SQL writes them, by name
 */
export async function lockForPurge(
  client: pg.Client,
  emptied: readonly string[],
  referring: ReadonlyMap<string, string>,
): Promise<void> {
  const locks: TableLock[] = [
    ...emptied.map((name) => ({ name, table: inPublic(name), mode: 'access exclusive' as const })),
    ...[...referring].map(([name, table]) => ({ name, table, mode: 'share row exclusive' as const })),
  ];
  await lockTables(
    client,
    locks.sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
}

/** The purge that keeps rows. */
export interface Keeping {
  operationId: string;
  catalogue: TenantCatalogue;
}

/** A purge with the tables that it empties. */
export interface Emptying extends Keeping {
  /** The number of rows by table. */
  rows: ReadonlyMap<string, number>;
}

/** A table that was emptied. */
export interface Emptied {
  name: string;
  rows: number;
  /** Whether its identity has been used. */
  isUsed: boolean;
}

/**
 * Deletes the rows of tables, and keeps those of small tables as JSON. It is one statement, so foreign keys are checked at its end and
 * the order of the tables does not matter.
 * @param small the tables whose rows it keeps
 * @param copied the tables that have been copied already
 */
export async function deleteRows(
  client: pg.Client,
  keeping: Keeping,
  small: readonly string[],
  copied: readonly string[],
): Promise<Emptied[]> {
  if (small.length + copied.length === 0) return [];
  const deletions = small.map((name, index) => {
    const columns = keeping.catalogue.tables.get(name)?.columns.map(asText);
    return `kept_${index} as (delete from ${inPublic(name)} returning ${columns?.join(', ')})`;
  });
  const otherDeletions = copied.map((name, index) => `deleted_${index} as (delete from ${inPublic(name)})`);
  const kept = small.map((name, index) => asJson(keeping, name, `kept_${index}`));
  const insert = `insert into apotheca.purged_tables (${KEPT}, rows) ${kept.join('\nunion all\n')} ${EMPTIED}`;
  const deletion = `with ${[...deletions, ...otherDeletions].join(',\n')} ${small.length > 0 ? insert : 'select'}`;
  const results = await queryEach(client, [setForeignKeyChecks('replica'), deletion, setForeignKeyChecks('origin')]);
  return results[1]?.rows ?? [];
}

/** The deleted rows of a small table as one row of purged_tables. */
function asJson(keeping: Keeping, name: string, deleted: string): string {
  const [operationId, table] = [keeping.operationId, name].map((value) => pg.escapeLiteral(value));
  return `select ${operationId}::uuid, ${table}, count, ${keptOf(keeping, name)}, now(), rows
    from (select count(*) as count, coalesce(json_agg(${deleted}), '[]') as rows from ${deleted}) counted${identityOf(keeping, name)}`;
}

// Values are kept as text, because in JSON a column's JSON null would be the same as SQL's null.
const asText = ({ name, type }: TenantTableShape['columns'][number]) =>
  type === 'text' ? quoteIdentifier(name) : `${quoteIdentifier(name)}::text`;

/** Copies the rows of a large table to a table of apotheca_purged. */
export async function copyTable(client: pg.Client, emptying: Emptying, name: string): Promise<Emptied[]> {
  const keptTable = inPurged(keptNameOf(emptying, name));
  await client.query(`create table ${keptTable} as table ${inPublic(name)}`);
  return (await client.query<Emptied>(`${insertNote(emptying, name)} ${EMPTIED}`)).rows;
}

/**
 * Moves large tables with their rows to apotheca_purged.
 * @returns statements that create their foreign keys again, once all tables are empty
 */
export async function moveLargeTables(
  client: pg.Client,
  emptying: Emptying,
  moved: ReadonlySet<string>,
): Promise<string[]> {
  if (moved.size === 0) return [];
  await client.query([...moved].map((name) => insertNote(emptying, name)).join(';\n'));
  return moveTables(client, new Map([...moved].map((name) => [name, keptNameOf(emptying, name)])));
}

const keptNameOf = ({ operationId, rows }: Emptying, name: string) =>
  `kept_${operationId.replaceAll('-', '')}_${[...rows.keys()].indexOf(name)}`;

/** Inserts the row of purged_tables that names the table with a large table's rows. */
function insertNote(emptying: Emptying, name: string): string {
  const values = [emptying.operationId, name, keptNameOf(emptying, name)];
  const [operationId, table, kept] = values.map((value) => pg.escapeLiteral(value));
  return `insert into apotheca.purged_tables (${KEPT}, kept_table)
    select ${operationId}, ${table}, ${emptying.rows.get(name) ?? 0}, ${keptOf(emptying, name)}, now(), ${kept}
    from (select) as one${identityOf(emptying, name)}`;
}

/** Creates the foreign keys of moved tables again. */
export async function createForeignKeys(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

const KEPT = 'operation_id, table_name, row_count, column_names, sequence_value, sequence_called, purged_at';
const EMPTIED = `returning table_name as name, row_count::float8 as rows,
  coalesce(sequence_called or sequence_value <> 1, false) as "isUsed"`;

/** The columns and the identity of a table, as SQL. The statement's FROM clause needs {@link identityOf}. */
function keptOf({ catalogue }: Keeping, name: string): string {
  const table = catalogue.tables.get(name);
  const columns = pg.escapeLiteral(`{${table?.columns.map((column) => `"${column.name}"`).join(',')}}`);
  return `${columns}::text[], ${table?.sequence ? 'identity.last_value, identity.is_called' : 'null::bigint, null::boolean'}`;
}

function identityOf({ catalogue }: Keeping, name: string): string {
  const sequence = catalogue.tables.get(name)?.sequence;
  return sequence ? `, ${inPublic(sequence)} identity` : '';
}

/** Empties tables with TRUNCATE. */
export async function truncateTables(client: pg.Client, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  await client.query(`truncate ${[...names].map(inPublic).join(', ')}`);
}

// Turns the check of foreign keys off, as TRUNCATE does: the plan has shown that no staying row refers to a deleted one, and the locks
// keep it so. Only a superuser may set it; for another administrator PostgreSQL checks every row.
const setForeignKeyChecks = (role: 'replica' | 'origin') =>
  `select set_config('session_replication_role', '${role}', true) where current_setting('is_superuser') = 'on'`;

/**
 * Restarts used identities at 1. TRUNCATE … RESTART IDENTITY would restart all of them, and each restart writes a new file. Those of moved
 * tables are new.
 */
export async function restartIdentities(
  client: pg.Client,
  { tables }: TenantCatalogue,
  emptied: readonly Emptied[],
): Promise<void> {
  const sequences = emptied.flatMap(({ name, isUsed }) => (isUsed ? (tables.get(name)?.sequence ?? []) : []));
  if (sequences.length === 0) return;
  await client.query(sequences.map((name) => `alter sequence ${inPublic(name)} restart`).join(';\n'));
}
