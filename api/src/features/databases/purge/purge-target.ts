import type pg from 'pg';
import { digestOf } from '../../../plan.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { readTenantCatalogue, type TenantCatalogue } from '../tenant-database/catalogue.repository.ts';
import { countForPurge } from './purge.repository.ts';
import { isPurgeable, type Partition, partitionRequest, type TableFigures } from './purge-plan.ts';

/** A request compared with the schema. */
export interface PurgeTarget {
  requested: readonly string[];
  /** The requested tables that there are. */
  valid: string[];
  /** The tables not requested whose foreign keys lead to requested ones. */
  referring: string[];
  catalogue: TenantCatalogue;
}

/** Finds the tables that a request names, and those whose foreign keys lead to them. */
export async function findPurgeTarget(client: pg.Client, requested: readonly string[]): Promise<PurgeTarget> {
  const catalogue = await readTenantCatalogue(client);
  const valid = requested.filter((name) => isPurgeable(name) && catalogue.tables.has(name));
  const referring = catalogue.foreignKeys.filter(({ from, to }) => valid.includes(to) && !valid.includes(from));
  return { requested, valid, referring: [...new Set(referring.map(({ from }) => from))], catalogue };
}

/** Up to this size a table holds about as few rows as are deleted and kept as JSON, whatever their number. */
const TINY = 64 * 1024;

/** Whether all tables of a request can be emptied as small ones before they are counted: none stays that could refer to them. */
export const isTiny = ({ valid, referring, catalogue }: PurgeTarget): boolean =>
  referring.length === 0 && valid.every((name) => (catalogue.tables.get(name)?.bytes ?? 0) <= TINY);

/** The part of a plan that comes from the tables of a request alone. */
export interface TargetPlan {
  partition: Partition;
  figures: TableFigures[];
  /** Names this state of things: the database, the request, what its tables hold, and what can be emptied. */
  digest: string;
}

/** Counts what the tables of a request hold, and decides which can be emptied. */
export async function countTarget(client: pg.Client, row: DatabaseRow, target: PurgeTarget): Promise<TargetPlan> {
  const { valid, referring, catalogue } = target;
  // Where no table stays that could refer to them, nothing is asked of references.
  const referredTo = referring.length > 0 ? valid : [];
  return planTarget(
    row,
    target,
    await countForPurge(client, [...valid, ...referring], referredTo, catalogue.foreignKeys),
  );
}

/** Decides which tables of a request can be emptied. @param figures of them and of all that refer to them */
export function planTarget(row: DatabaseRow, target: PurgeTarget, figures: TableFigures[]): TargetPlan {
  const { requested, valid } = target;
  const partition = partitionRequest(requested, figures);
  const rows = figures.filter(({ name }) => valid.includes(name)).map((table) => [table.name, table.rows]);
  const state = [row.id, rows.sort(), partition.invalidTables.toSorted(), partition.tablesNotDeleted];
  return { partition, figures, digest: digestOf(state) };
}
