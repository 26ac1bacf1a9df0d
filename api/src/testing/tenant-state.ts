import { TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import type pg from 'pg';

export interface TableState {
  name: string;
  rows: number;
  /** Checksum of all columns of all rows, by id; null if there are none. */
  checksum: string | null;
  lastValue: string;
  isCalled: boolean;
}

/** The rows of every table of a tenant's database, and the state of its identity. */
export async function stateOfTables(client: pg.Client): Promise<TableState[]> {
  const tables = TENANT_TABLE_NAMES.map(
    (name) => `
      select '${name}' as name, count(*)::int as rows, md5(string_agg(t::text, E'\\n' order by t.id)) as checksum,
        (select last_value from public.${name}_id_seq) as "lastValue",
        (select is_called from public.${name}_id_seq) as "isCalled"
      from public.${name} t`,
  );
  const { rows } = await client.query<TableState>(`${tables.join(' union all ')} order by name`);
  return rows;
}
