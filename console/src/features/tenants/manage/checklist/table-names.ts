import { TENANT_TABLES } from '@apotheca/contract/tenant-tables';

const GROUPS = [...new Set(TENANT_TABLES.map(({ group }) => group))];

/** The groups of the checklist, in order (SPEC §3). */
export const TABLE_GROUPS = GROUPS.map((group) => ({
  group,
  tables: TENANT_TABLES.filter((table) => table.group === group),
}));
