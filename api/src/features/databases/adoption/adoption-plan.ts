import type { AdoptedTable, AdoptionPlan, TableChoice } from '@apotheca/contract/adoptions';
import { TENANT_TABLE_NAMES, type TenantTableName } from '@apotheca/contract/tenant-tables';
import { fieldError } from '../../../errors.ts';
import { digestOf } from '../../../plan.ts';
import { type ForeignDatabase, type ForeignTable, fullName } from './source/foreign-source.ts';
import { TENANT_COLUMNS } from './tenant-columns.ts';

/**
 * What becomes of each table of a database from elsewhere. What is not chosen is found by the names: schema, case, underscores and
 * plural are set aside.
 * @throws AppError invalid when a choice names what is not there
 */
export function planAdoption(id: string, source: ForeignDatabase, choices: readonly TableChoice[]): AdoptionPlan {
  const chosen = chosenTables(source, choices);
  const taken = new Set([...chosen.values()].map((table) => table?.id));
  const suggested = suggestTables(
    source.tables.filter((table) => !taken.has(table.id)),
    TENANT_TABLE_NAMES.filter((table) => !chosen.has(table)),
  );
  const columns = new Map(choices.map((choice) => [choice.table, choice.columns]));
  const tables = TENANT_TABLE_NAMES.map((table) =>
    adoptedTable(table, chosen.get(table) ?? suggested.get(table), columns.get(table) ?? {}),
  );
  const used = new Set(tables.map((table) => table.source));
  const plan = {
    id,
    encoding: source.encoding,
    sourceTables: source.tables.map((table) => ({
      id: table.id,
      name: fullName(table),
      columns: [...table.columns],
      rows: table.rows,
    })),
    tables,
    extra: source.tables.filter((table) => !used.has(table.id)).map((table) => table.id),
    hasLargeObjects: source.hasLargeObjects,
  };
  return { ...plan, digest: digestOf(plan) };
}

/** The tables that somebody has chosen; null: none. */
function chosenTables(
  source: ForeignDatabase,
  choices: readonly TableChoice[],
): ReadonlyMap<TenantTableName, ForeignTable | null> {
  const byId = new Map(source.tables.map((table) => [table.id, table]));
  const chosen = new Map<TenantTableName, ForeignTable | null>();
  for (const { table, source: sourceId, columns } of choices) {
    const found = sourceId === null ? null : byId.get(sourceId);
    if (found === undefined) throw refused(`The source has no table ${sourceId}.`);
    if (chosen.has(table)) throw refused(`${table} is chosen twice.`);
    if (found && [...chosen.values()].includes(found)) throw refused(`${fullName(found)} is chosen for two tables.`);
    refuseUnknownColumns(table, found, columns);
    chosen.set(table, found);
  }
  return chosen;
}

function refuseUnknownColumns(
  table: TenantTableName,
  source: ForeignTable | null,
  columns: TableChoice['columns'],
): void {
  const names = new Set(TENANT_COLUMNS.get(table)?.map(({ name }) => name));
  for (const [column, from] of Object.entries(columns)) {
    if (!names.has(column)) throw refused(`${table} has no column ${column}.`);
    if (from !== null && !source?.columns.includes(from)) {
      throw refused(`${source ? fullName(source) : 'The source'} has no column ${from}.`);
    }
  }
}

const refused = (message: string) => fieldError('invalid', 'tables', message);

/** Finds a table of the source for each of the platform's, by their names. */
function suggestTables(
  tables: readonly ForeignTable[],
  names: readonly TenantTableName[],
): ReadonlyMap<TenantTableName, ForeignTable> {
  const suggested = new Map<TenantTableName, ForeignTable>();
  for (const name of names) {
    const [best] = tables
      .filter((table) => plain(table.name) === plain(name))
      .toSorted((one, other) => rankOf(other, name) - rankOf(one, name));
    if (best) suggested.set(name, best);
  }
  return suggested;
}

/** How well a table of a fitting name fits: the very name comes first, then columns, then the schema that most databases use. */
function rankOf(table: ForeignTable, name: TenantTableName): number {
  const wanted = new Set(TENANT_COLUMNS.get(name)?.map((column) => plain(column.name)));
  const fitting = table.columns.filter((column) => wanted.has(plain(column))).length;
  return (table.name === name ? 4_000 : 0) + 2 * fitting + (table.schema === 'public' ? 1 : 0);
}

function adoptedTable(
  table: TenantTableName,
  source: ForeignTable | null | undefined,
  chosen: TableChoice['columns'],
): AdoptedTable {
  const wanted = TENANT_COLUMNS.get(table) ?? [];
  const columns = wanted.map(({ name, isRequired }) => ({
    name,
    source: source ? columnFor(name, source.columns, chosen) : null,
    isRequired,
  }));
  const used = new Set(columns.map((column) => column.source));
  const leftOut = source ? source.columns.filter((column) => !used.has(column)) : [];
  const isSame =
    source?.schema === 'public' && source.name === table && columns.every((column) => column.source === column.name);
  const found = isSame && leftOut.length === 0 ? 'fits' : 'mapped';
  return { table, source: source?.id ?? null, state: source ? found : 'missing', columns, leftOut };
}

function columnFor(name: string, columns: readonly string[], chosen: TableChoice['columns']): string | null {
  const choice = chosen[name];
  if (choice !== undefined) return choice;
  if (columns.includes(name)) return name;
  return columns.find((column) => plain(column) === plain(name)) ?? null;
}

/** A name without what differs from habit to habit: 'OrderUnit', 'order_units' and 'ORDER_UNIT' are one. */
function plain(name: string): string {
  const word = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return word
    .replace(/ies$/, 'y')
    .replace(/(s|x|z|ch|sh)es$/, '$1')
    .replace(/(?<![su])s$/, '');
}
