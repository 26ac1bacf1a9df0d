import { TENANT_TABLES } from '@apotheca/contract/tenant-tables';

const GROUPS = [...new Set(TENANT_TABLES.map(({ group }) => group))];

/** The groups of the checklist, in its order (SPEC §3). */
export const TABLE_GROUPS = GROUPS.map((group) => ({
  group,
  tables: TENANT_TABLES.filter((table) => table.group === group),
}));

const LABELS = new Map<string, string>(
  TENANT_TABLES.map(({ name, group, label }) => [name, group === 'Others' ? label : `${group} ${label}`]),
);

/** What a table is called outside its group: 'Athena order'; one that is not on the checklist keeps its name. */
export const labelOfTable = (name: string): string => LABELS.get(name) ?? name;
