/** A table of a database that is adopted. */
export interface ForeignTable {
  /** Number within the source. */
  id: string;
  schema: string;
  name: string;
  columns: readonly string[];
  /** Null: not counted, as that would have taken too long. */
  rows: number | null;
}

/** What was found in a database that is to be adopted. */
export interface ForeignDatabase {
  /** The encoding of its texts, as PostgreSQL calls it. */
  encoding: string;
  tables: readonly ForeignTable[];
}

/** The values of a row, as bytes in the source's encoding. Damaged rows have more or fewer than the table has columns. */
export type ForeignRow = readonly (Buffer | null)[];

/** Reads the rows of a table, some at a time. */
export type ReadRows = (table: ForeignTable, take: (rows: ForeignRow[]) => Promise<void>) => Promise<void>;

/** A database whose rows can be read. */
export interface OpenSource extends ForeignDatabase {
  read: ReadRows;
  /** Counts the rows of tables, by id; null where that takes too long. @param limit in milliseconds */
  count(tables: readonly ForeignTable[], limit: number): Promise<ReadonlyMap<string, number | null>>;
}

/** A table's name for people. */
export const fullName = ({ schema, name }: Pick<ForeignTable, 'schema' | 'name'>): string =>
  schema === 'public' ? name : `${schema}.${name}`;
