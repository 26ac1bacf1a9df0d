import { AppError } from '../../../../errors.ts';
import { counted } from '../../../../wording.ts';

/** A table of a database that is adopted. */
export interface ForeignTable {
  /** Number within the source. */
  id: string;
  schema: string;
  name: string;
  columns: readonly string[];
  /** Null: not counted, as that would have taken too long, or it was gone meanwhile. */
  rows: number | null;
}

/** What was found in a database that is to be adopted. */
export interface ForeignDatabase {
  /** The encoding of its texts, as PostgreSQL calls it. */
  encoding: string;
  tables: readonly ForeignTable[];
  hasLargeObjects: boolean;
}

/** More tables than a person can look at. */
const MAX_TABLES = 2_000;

/** @throws AppError conflict when there are too many tables */
export function refuseTooMany(tables: readonly unknown[]): void {
  if (tables.length <= MAX_TABLES) return;
  const message = `This database has ${counted(tables.length, 'table')}, and at most ${counted(MAX_TABLES, 'table')} can be looked at: please make an archive of those that count (pg_dump --table).`;
  throw new AppError('conflict', { message });
}

/** The values of a row, as bytes in the source's encoding. Damaged rows have more or fewer than the table has columns. */
export type ForeignRow = readonly (Buffer | null)[];

/** Reads the rows of a table, some at a time. */
export type ReadRows = (table: ForeignTable, take: (rows: ForeignRow[]) => Promise<void>) => Promise<void>;

/** A database whose rows can be read. */
export interface OpenSource extends ForeignDatabase {
  read: ReadRows;
  /** Counts the rows of tables, by id; null where that takes too long, or the table is gone meanwhile. @param limit in milliseconds */
  count(tables: readonly ForeignTable[], limit: number): Promise<ReadonlyMap<string, number | null>>;
}

/** A table's name for people. */
export const fullName = ({ schema, name }: Pick<ForeignTable, 'schema' | 'name'>): string =>
  schema === 'public' ? name : `${schema}.${name}`;
