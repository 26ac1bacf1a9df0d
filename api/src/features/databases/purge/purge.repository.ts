import pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import { queryEach } from '../../../db/tenant-connection.ts';
import type { ForeignKey, TenantCatalogue, TenantTableShape } from '../tenant-database/catalogue.repository.ts';
import { inPublic, inPurged } from '../tenant-database/qualified-names.ts';
import { moveTables } from './moving.repository.ts';
import type { TableFigures } from './purge-plan.ts';

/**
 * Counts the rows of tables, and those that refer to others, in one statement and so at one moment.
 * @param names the tables to count
 * @param referredTo the tables that references are counted to; those of a table to itself are left out
 */
export async function countForPurge(
  client: pg.Client,
  names: readonly string[],
  referredTo: readonly string[],
  foreignKeys: readonly ForeignKey[],
): Promise<TableFigures[]> {
  if (names.length === 0) return [];
  const counts = names.map((name) => {
    const parents = referredTo.flatMap((parent) => {
      const keys = foreignKeys.filter(({ from, to }) => from === name && to === parent && from !== to);
      return keys.length > 0 ? [`'${parent}', count(*) filter (where ${refers(keys)})`] : [];
    });
    return `select '${name}' as name, count(*)::int as rows, pg_table_size('${inPublic(name)}')::float8 as bytes,
      json_build_object(${parents.join(', ')}) as references from ${inPublic(name)}`;
  });
  const { rows } = await client.query<TableFigures>(counts.join('\nunion all\n'));
  return rows;
}

const refers = (keys: readonly ForeignKey[]) =>
  keys
    .map(({ columns }) => `(${columns.map((column) => `${quoteIdentifier(column)} is not null`).join(' and ')})`)
    .join(' or ');

/**
 * Locks tables until the transaction ends, in the order of their names, so that two purges never wait for each other.
 * @param emptied nobody else reads or writes these
 * @param referring nobody else writes these
 */
export async function lockForPurge(
  client: pg.Client,
  emptied: readonly string[],
  referring: readonly string[],
): Promise<void> {
  const locks = [
    ...emptied.map((name) => ({ name, mode: 'access exclusive' })),
    ...referring.map((name) => ({ name, mode: 'share row exclusive' })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
  await client.query(locks.map(({ name, mode }) => `lock table ${inPublic(name)} in ${mode} mode`).join(';\n'));
}

/** Under which purge rows are kept. */
export interface Keeping {
  operationId: string;
  catalogue: TenantCatalogue;
}

/** What is to be emptied. */
export interface Emptying extends Keeping {
  /** By table. */
  rows: ReadonlyMap<string, number>;
}

/** What became of a table. */
export interface Emptied {
  name: string;
  rows: number;
  /** Whether its identity has given a number. */
  isUsed: boolean;
}

/**
 * Deletes rows and keeps those of small tables as JSON. It is one statement: where foreign keys are checked, then at its end, so the
 * tables need no order.
 * @param small the tables whose rows are kept
 * @param copied the tables of which there is a copy already
 */
export async function deleteRows(
  client: pg.Client,
  keeping: Keeping,
  small: readonly string[],
  copied: readonly string[],
): Promise<Emptied[]> {
  if (small.length + copied.length === 0) return [];
  const taken = small.map((name, index) => {
    const columns = keeping.catalogue.tables.get(name)?.columns.map(asText);
    return `taken_${index} as (delete from ${inPublic(name)} returning ${columns?.join(', ')})`;
  });
  const gone = copied.map((name, index) => `gone_${index} as (delete from ${inPublic(name)})`);
  const kept = small.map((name, index) => asJson(keeping, name, `taken_${index}`));
  const insert = `insert into apotheca.purged_tables (${KEPT}, rows) ${kept.join('\nunion all\n')} ${EMPTIED}`;
  const deletion = `with ${[...taken, ...gone].join(',\n')} ${small.length > 0 ? insert : 'select'}`;
  const results = await queryEach(client, [setChecking('replica'), deletion, setChecking('origin')]);
  return results[1]?.rows ?? [];
}

/** The rows that were taken from a small table, as one row to keep. */
function asJson(keeping: Keeping, name: string, taken: string): string {
  const [operationId, table] = [keeping.operationId, name].map((value) => pg.escapeLiteral(value));
  return `select ${operationId}::uuid, ${table}, count, ${keptOf(keeping, name)}, now(), rows
    from (select count(*) as count, coalesce(json_agg(${taken}), '[]') as rows from ${taken}) counted${identityOf(keeping, name)}`;
}

// Values are kept as text: JSON has no other way to tell a null of its own from SQL's.
const asText = ({ name, type }: TenantTableShape['columns'][number]) =>
  type === 'text' ? quoteIdentifier(name) : `${quoteIdentifier(name)}::text`;

/** Copies the rows of a large table to a table of their own. */
export async function copyTable(client: pg.Client, emptying: Emptying, name: string): Promise<Emptied[]> {
  const keptTable = inPurged(keptNameOf(emptying, name));
  await client.query(`create table ${keptTable} as table ${inPublic(name)}`);
  return (await client.query<Emptied>(`${noteOf(emptying, name)} ${EMPTIED}`)).rows;
}

/**
 * Moves large tables away with their rows.
 * @returns statements that make their foreign keys again, once all tables are empty
 */
export async function moveAway(client: pg.Client, emptying: Emptying, moved: ReadonlySet<string>): Promise<string[]> {
  if (moved.size === 0) return [];
  await client.query([...moved].map((name) => noteOf(emptying, name)).join(';\n'));
  return moveTables(client, new Map([...moved].map((name) => [name, keptNameOf(emptying, name)])));
}

const keptNameOf = ({ operationId, rows }: Emptying, name: string) =>
  `kept_${operationId.replaceAll('-', '')}_${[...rows.keys()].indexOf(name)}`;

/** Notes in which table the rows of a large one are kept. */
function noteOf(emptying: Emptying, name: string): string {
  const values = [emptying.operationId, name, keptNameOf(emptying, name)];
  const [operationId, table, kept] = values.map((value) => pg.escapeLiteral(value));
  return `insert into apotheca.purged_tables (${KEPT}, kept_table)
    select ${operationId}, ${table}, ${emptying.rows.get(name) ?? 0}, ${keptOf(emptying, name)}, now(), ${kept}
    from (select) as one${identityOf(emptying, name)}`;
}

/** Makes foreign keys again. */
export async function makeReferences(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

const KEPT = 'operation_id, table_name, row_count, column_names, sequence_value, sequence_called, purged_at';
const EMPTIED = `returning table_name as name, row_count::int as rows,
  coalesce(sequence_called or sequence_value <> 1, false) as "isUsed"`;

/** Columns and identity of a table, as SQL over {@link identityOf}. */
function keptOf({ catalogue }: Keeping, name: string): string {
  const table = catalogue.tables.get(name);
  const columns = pg.escapeLiteral(`{${table?.columns.map((column) => `"${column.name}"`).join(',')}}`);
  return `${columns}::text[], ${table?.sequence ? 'identity.last_value, identity.is_called' : 'null::bigint, null::boolean'}`;
}

function identityOf({ catalogue }: Keeping, name: string): string {
  const sequence = catalogue.tables.get(name)?.sequence;
  return sequence ? `, ${inPublic(sequence)} identity` : '';
}

/** Empties what TRUNCATE is to empty. */
export async function truncateTables(client: pg.Client, names: ReadonlySet<string>): Promise<void> {
  if (names.size === 0) return;
  await client.query(`truncate ${[...names].map(inPublic).join(', ')}`);
}

// As TRUNCATE does: foreign keys need no look at every row, because no row that stays refers to one that goes, and the locks keep it so.
// It is a superuser's setting; for any other administrator PostgreSQL looks.
const setChecking = (role: 'replica' | 'origin') =>
  `select set_config('session_replication_role', '${role}', true) where current_setting('is_superuser') = 'on'`;

/**
 * Restarts the identities that were used at 1. TRUNCATE … RESTART IDENTITY would restart all, and each restart is a new file. Those of
 * moved tables are new.
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
