import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';

export interface TableState {
  name: string;
  rows: number;
  /** Of all rows with all their columns, by id; null where there are none. */
  checksum: string | null;
  lastValue: string;
  isCalled: boolean;
}

/** What every table of a tenant's database holds, and where its identity stands. */
export async function stateOfTables(client: pg.Client): Promise<TableState[]> {
  const tables = TENANT_TABLE_NAMES.map(
    (name) => `
      select '${name}' as name, count(*)::int as rows, md5(string_agg(t::text, E'\\n' order by t.id)) as checksum,
        (select last_value from public.${name}_id_seq) as "lastValue",
        (select is_called from public.${name}_id_seq) as "isCalled"
      from public.${name} t`,
  );
  const { rows } = await client.query<TableState>(tables.join(' union all '));
  return rows;
}
