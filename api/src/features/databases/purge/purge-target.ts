import type pg from 'pg';
import { digestOf } from '../../../plan.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { readTenantCatalogue, type TenantCatalogue } from '../tenant-database/catalogue.repository.ts';
import { inPublic } from '../tenant-database/qualified-names.ts';
import { countForPurge } from './purge.repository.ts';
import { type CountedTable, isPurgeable, type Partition, partitionRequest } from './purge-plan.ts';

/** A request compared with the schema. */
export interface PurgeTarget {
  requested: readonly string[];
  /** The requested tables that exist and may be purged. */
  valid: string[];
  /** Other tables whose foreign keys lead to requested ones, of any schema: as SQL writes them, by name. */
  referring: ReadonlyMap<string, string>;
  catalogue: TenantCatalogue;
}

/** Finds the tables that a request names, and those whose foreign keys lead to them. */
export async function findPurgeTarget(client: pg.Client, requested: readonly string[]): Promise<PurgeTarget> {
  const catalogue = await readTenantCatalogue(client);
  const valid = requested.filter((name) => isPurgeable(name) && catalogue.tables.has(name));
  const referring = catalogue.foreignKeys.filter(({ from, to }) => valid.includes(to) && !valid.includes(from));
  return { requested, valid, referring: new Map(referring.map(({ from, fromTable }) => [from, fromTable])), catalogue };
}

/** Up to this size on disk, the rows of a table are deleted and kept as JSON without counting them first. */
const TINY = 64 * 1024;

/** Whether all requested tables are tiny, and no other table could refer to them. They can then be emptied before they are counted. */
export const isTiny = ({ valid, referring, catalogue }: PurgeTarget): boolean =>
  referring.size === 0 && valid.every((name) => (catalogue.tables.get(name)?.bytes ?? 0) <= TINY);

/** The part of a plan that the tenant's database tells. */
export interface TargetPlan {
  partition: Partition;
  counted: CountedTable[];
  /** Covers the database, the request, its tables' rows, and what can be emptied. */
  digest: string;
}

/** Counts the rows of the requested tables, and decides which can be emptied. */
export async function countTarget(client: pg.Client, row: DatabaseRow, target: PurgeTarget): Promise<TargetPlan> {
  const { valid, referring, catalogue } = target;
  // References are counted only when another table could refer to a requested one.
  const referredTo = referring.size > 0 ? valid : [];
  const tables = new Map([...valid.map((name) => [name, inPublic(name)] as const), ...referring]);
  return planTarget(row, target, await countForPurge(client, tables, referredTo, catalogue.foreignKeys));
}

/** Decides which requested tables can be emptied. @param counted these and all that refer to them */
export function planTarget(row: DatabaseRow, target: PurgeTarget, counted: CountedTable[]): TargetPlan {
  const { requested, valid } = target;
  const partition = partitionRequest(requested, counted);
  const rows = counted.filter(({ name }) => valid.includes(name)).map((table) => [table.name, table.rows]);
  const state = [row.id, rows.sort(), partition.invalidTables.toSorted(), partition.tablesNotDeleted];
  return { partition, counted, digest: digestOf(state) };
}
