import pg from 'pg';
import { quoteIdentifier } from '../../db/names.ts';
import { moveTables } from './moving.repository.ts';
import type { TableFigures, Ways } from './purge-plan.ts';
import type { ForeignKey, TenantCatalogue } from './tenant-catalogue.repository.ts';

const inPublic = (name: string) => `public.${quoteIdentifier(name)}`;

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

/** What is to be emptied, and under which purge its rows are kept. */
export interface Emptying {
  operationId: string;
  purgedAt: Date;
  tables: readonly string[];
  /** By table. */
  rows: ReadonlyMap<string, number>;
  ways: Ways;
  catalogue: TenantCatalogue;
}

/** Copies the rows of a large table to a table of their own. */
export async function copyTable(client: pg.Client, emptying: Emptying, name: string): Promise<void> {
  const keptTable = quoteIdentifier(keptNameOf(emptying, name));
  await client.query(`create table apotheca_purged.${keptTable} as table ${inPublic(name)}`);
  await client.query(noteOf(emptying, name));
}

/**
 * Moves large tables away with their rows.
 * @returns statements that make their foreign keys again, once all tables are empty
 */
export async function moveAway(client: pg.Client, emptying: Emptying): Promise<string[]> {
  const { moved } = emptying.ways;
  if (moved.size === 0) return [];
  await client.query([...moved].map((name) => noteOf(emptying, name)).join(';\n'));
  return moveTables(client, new Map([...moved].map((name) => [name, keptNameOf(emptying, name)])));
}

const keptNameOf = ({ operationId, tables }: Emptying, name: string) =>
  `kept_${operationId.replaceAll('-', '')}_${tables.indexOf(name)}`;

/** Notes in which table the rows of a large one are kept. */
function noteOf(emptying: Emptying, name: string): string {
  const values = [emptying.operationId, name, emptying.purgedAt.toISOString(), keptNameOf(emptying, name)];
  const [operationId, table, purgedAt, kept] = values.map((value) => pg.escapeLiteral(value));
  return `insert into apotheca.purged_tables (${KEPT}, kept_table)
    select ${operationId}, ${table}, ${emptying.rows.get(name) ?? 0}, ${keptOf(emptying, name)}, ${purgedAt}, ${kept}`;
}

/** Makes foreign keys again. */
export async function makeReferences(client: pg.Client, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

const KEPT = 'operation_id, table_name, row_count, column_names, sequence_value, sequence_called, purged_at';

/** Columns and identity of a table, as SQL. */
function keptOf({ catalogue }: Emptying, name: string): string {
  const table = catalogue.tables.get(name);
  const columns = table?.columns.map((column) => `'${column.name}'`).join(', ');
  const sequence = table?.sequence && inPublic(table.sequence);
  const state = (column: string) => (sequence ? `(select ${column} from ${sequence})` : 'null');
  return `array[${columns}]::text[], ${state('last_value')}, ${state('is_called')}`;
}

/** Empties what TRUNCATE is to empty. */
export async function truncateTables(client: pg.Client, { ways }: Emptying): Promise<void> {
  if (ways.truncated.size === 0) return;
  await client.query(`truncate ${[...ways.truncated].map(inPublic).join(', ')}`);
}

/**
 * Deletes the rows of all other tables, and keeps those not copied yet as JSON. It is one statement: foreign keys are checked at
 * its end, so the tables need no order.
 */
export async function deleteRows(client: pg.Client, emptying: Emptying): Promise<void> {
  const { operationId, purgedAt, tables, ways, catalogue } = emptying;
  const deleted = tables.filter((name) => !ways.truncated.has(name) && !ways.moved.has(name));
  if (deleted.length === 0) return;
  const deletions = deleted.map((name, index) => {
    // Values are kept as text: JSON has no other way to tell a null of its own from SQL's.
    const columns = catalogue.tables.get(name)?.columns.map((column) => `${quoteIdentifier(column.name)}::text`);
    const returning = ways.copied.has(name) ? '' : ` returning ${columns?.join(', ')}`;
    return `gone_${index} as (delete from ${inPublic(name)}${returning})`;
  });
  const keeping = deleted.flatMap((name, index) => {
    if (ways.copied.has(name)) return [];
    return `select $1::uuid, '${name}', count(*), ${keptOf(emptying, name)}, $2::timestamptz,
      coalesce(json_agg(gone_${index}), '[]') from gone_${index}`;
  });
  const withDeletions = `with ${deletions.join(',\n')}\n`;
  if (keeping.length === 0) await client.query(`${withDeletions} select`);
  else {
    await client.query(
      `${withDeletions} insert into apotheca.purged_tables (${KEPT}, rows) ${keeping.join('\nunion all\n')}`,
      [operationId, purgedAt],
    );
  }
}

/**
 * Restarts the identities of the emptied tables at 1; those of moved ones are new. TRUNCATE … RESTART IDENTITY would restart those that
 * were never used as well, and each restart is a new file.
 */
export async function restartIdentities(client: pg.Client, { operationId, ways, catalogue }: Emptying): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name as name from apotheca.purged_tables
     where operation_id = $1 and sequence_value is not null and (sequence_called or sequence_value <> 1)
       and table_name <> all($2)`,
    [operationId, [...ways.moved]],
  );
  const sequences = rows
    .map(({ name }) => catalogue.tables.get(name)?.sequence)
    .filter((name) => typeof name === 'string');
  if (sequences.length > 0)
    await client.query(sequences.map((name) => `alter sequence ${inPublic(name)} restart`).join(';\n'));
}
