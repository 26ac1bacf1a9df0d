import type pg from 'pg';
import { quoteIdentifier } from '../../../db/cluster/names.ts';
import type { TenantTableShape } from '../tenant-database/catalogue.repository.ts';
import { inPublic, inPurged } from '../tenant-database/qualified-names.ts';
import { lockTables } from '../tenant-database/table-locks.repository.ts';
import type { KeptTable } from './kept-rows.repository.ts';

/** Locks tables against writes until the transaction ends. The order is by name, as in a purge, so the two never deadlock. */
export async function lockForPutBack(client: pg.Client, tables: readonly string[]): Promise<void> {
  const mode = 'share row exclusive';
  await lockTables(
    client,
    tables.toSorted().map((name) => ({ name, table: inPublic(name), mode })),
  );
}

/** Inserts the kept rows of a table, with the columns that existed at the purge and still do. @returns the number of rows */
export async function insertKeptRows(client: pg.Client, kept: KeptTable, table: TenantTableShape): Promise<number> {
  const columns = table.columns.filter(({ name }) => kept.columns.includes(name));
  const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  const values = columns.map(({ name, type }) => `kept.${quoteIdentifier(name)}::${type}`).join(', ');
  const insert = `insert into ${inPublic(table.name)} (${names}) overriding system value select ${values} from `;
  const { rowCount } = kept.keptTable
    ? await client.query(`${insert} ${inPurged(kept.keptTable)} kept`)
    : await client.query(
        `${insert} apotheca.purged_tables p,
         json_to_recordset(p.rows) as kept (${columns.map(({ name }) => `${quoteIdentifier(name)} text`).join(', ')})
         where p.operation_id = $1 and p.table_name = $2`,
        [kept.operationId, kept.name],
      );
  return rowCount ?? 0;
}

/** Sets an identity's sequence to its value before the purge, unless it is higher now. */
export async function advanceIdentity(client: pg.Client, kept: KeptTable, table: TenantTableShape): Promise<void> {
  if (table.sequence === null || kept.sequenceValue === null || kept.sequenceCalled === null) return;
  const sequence = inPublic(table.sequence);
  const { rows } = await client.query<{ isBehind: boolean }>(
    `select (last_value, is_called) < ($1::bigint, $2::boolean) as "isBehind" from ${sequence}`,
    [kept.sequenceValue, kept.sequenceCalled],
  );
  if (!rows[0]?.isBehind) return;
  // setval is not rolled back, but the restart writes a new file, which is.
  await client.query(`alter sequence ${sequence} restart`);
  await client.query('select setval($1::regclass, $2::bigint, $3::boolean)', [
    sequence,
    kept.sequenceValue,
    kept.sequenceCalled,
  ]);
}
