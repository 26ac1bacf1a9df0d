import { readFileSync } from 'node:fs';
import { TENANT_TABLE_NAMES, type TenantTableName } from '@apotheca/contract/tenant-tables';

/** A column of one of the platform's tables. */
export interface TenantColumn {
  name: string;
  /** As SQL writes it. */
  type: string;
  /** Whether it can be neither empty nor left to a default. */
  isRequired: boolean;
}

/** A line a column: table, column, whether it is required, type. A test writes the file and compares it with the migrations. */
const LINE = /^(\w+) (\w+) (required|optional) (.+)$/;

/** The columns of the platform's tables, in order. */
export const TENANT_COLUMNS: ReadonlyMap<TenantTableName, readonly TenantColumn[]> = readColumns();

function readColumns(): Map<TenantTableName, TenantColumn[]> {
  const columns = new Map(TENANT_TABLE_NAMES.map((table): [TenantTableName, TenantColumn[]] => [table, []]));
  const text = readFileSync(new URL('./tenant-columns.txt', import.meta.url), 'utf8');
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, table = '', name = '', need, type = ''] = LINE.exec(line) ?? [];
    columns.get(table as TenantTableName)?.push({ name, type, isRequired: need === 'required' });
  }
  return columns;
}
