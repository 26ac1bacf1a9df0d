import type { Tenant } from '@apotheca/contract/tenants';
import type { Column } from '../../components/data-table.tsx';
import { downloadCsv, toCsv } from '../../lib/csv.ts';
import { localDay } from '../../lib/expiry.ts';

/** Saves tenants as a CSV file with the list's columns. */
export const exportTenants = (columns: Column<Tenant>[], tenants: Tenant[]): void => {
  const head = columns.map((column) => column.header);
  const rows = tenants.map((tenant) => columns.map((column) => column.text?.(tenant) ?? ''));
  downloadCsv(`tenants-${localDay()}.csv`, toCsv([head, ...rows]));
};
