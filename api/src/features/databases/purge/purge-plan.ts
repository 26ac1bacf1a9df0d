import { labelOfTable, TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { inWords, rowsInWords } from '../../../wording.ts';
import type { ForeignKey } from '../tenant-database/catalogue.repository.ts';

/** What a table holds right now. */
export interface TableFigures {
  name: string;
  rows: number;
  /** On disk, without its indexes. */
  bytes: number;
  /** How many of its rows refer to each of the other tables that are asked about. */
  references: Record<string, number>;
}

/** Which tables of a request can be emptied; the three lists partition it. */
export interface Partition {
  tables: { name: string; rows: number }[];
  invalidTables: string[];
  tablesNotDeleted: { name: string; reason: string }[];
}

const KNOWN: ReadonlySet<string> = new Set(TENANT_TABLE_NAMES);

/** Whether a name is on the checklist: nothing else is ever emptied, the platform's own tables least of all. */
export const isPurgeable = (name: string): boolean => KNOWN.has(name);

/**
 * Decides what of a request can be emptied without touching a row of any other table. A table to which rows of a table that stays
 * refer stays as well, and so do those that its own rows refer to in turn.
 * @param figures of the requested tables and of all that refer to them
 */
export function partitionRequest(requested: readonly string[], figures: readonly TableFigures[]): Partition {
  const known = new Map(figures.map((table) => [table.name, table]));
  const isValid = (name: string) => isPurgeable(name) && known.has(name);
  const emptied = new Set(requested.filter(isValid));
  const holdersOf = (name: string) =>
    figures.filter((other) => other.name !== name && !emptied.has(other.name) && (other.references[name] ?? 0) > 0);
  for (let before = -1; before !== emptied.size; ) {
    before = emptied.size;
    for (const name of emptied) if (holdersOf(name).length > 0) emptied.delete(name);
  }
  return {
    tables: requested.filter((name) => emptied.has(name)).map((name) => ({ name, rows: known.get(name)?.rows ?? 0 })),
    invalidTables: requested.filter((name) => !isValid(name)),
    tablesNotDeleted: requested
      .filter((name) => isValid(name) && !emptied.has(name))
      .map((name) => ({ name, reason: reasonOf(name, holdersOf(name)) })),
  };
}

function reasonOf(name: string, holders: readonly TableFigures[]): string {
  const counts = holders.map((holder) => {
    const rows = holder.references[name] ?? 0;
    return `${labelOfTable(holder.name)} has ${rowsInWords(rows)}`;
  });
  const isOne = holders.length === 1 && holders[0]?.references[name] === 1;
  return `${labelOfTable(name)} stays: ${inWords(counts)} that ${isOne ? 'refers' : 'refer'} to it`;
}

/** Up to this size deleting rows, and keeping them in one row of JSON, is quicker than making new files for a table. */
const FEW_ROWS = 1_000;
const FEW_BYTES = 1024 ** 2;

/** How tables are emptied, by name; the rows of all others are deleted and kept as JSON. */
export interface Ways {
  /** Those that are moved away with their rows; empty ones take their places. */
  moved: ReadonlySet<string>;
  /** Those whose rows are copied to a table of their own. */
  copied: ReadonlySet<string>;
  /** Those that TRUNCATE empties, all in one statement. */
  truncated: ReadonlySet<string>;
}

/**
 * Chooses by size how to empty tables. To move one locks all tables at the other ends of its foreign keys, so these must be emptied as
 * well. TRUNCATE refuses a table that one left out of the statement may refer to, be it empty: those that refer to a large table go
 * with it, and where one of them is not to be emptied, its rows are deleted.
 */
export function chooseWays(
  emptied: readonly string[],
  figures: readonly TableFigures[],
  foreignKeys: readonly ForeignKey[],
): Ways {
  const isLarge = ({ rows, bytes }: TableFigures) => rows > FEW_ROWS || bytes > FEW_BYTES;
  const large = figures.filter((table) => emptied.includes(table.name) && isLarge(table)).map(({ name }) => name);
  const isAmongEmptied = (name: string) =>
    foreignKeys.every(
      ({ from, to }) => (from !== name && to !== name) || (emptied.includes(from) && emptied.includes(to)),
    );
  const moved = new Set(large.filter(isAmongEmptied));
  const truncated = new Set<string>();
  for (const name of large.filter((one) => !moved.has(one))) {
    const group = withReferring(name, foreignKeys);
    if (!group.every((member) => emptied.includes(member))) continue;
    for (const member of group) if (!moved.has(member)) truncated.add(member);
  }
  const copied = new Set([...large.filter((name) => !moved.has(name)), ...truncated]);
  return { moved, copied, truncated };
}

function withReferring(name: string, foreignKeys: readonly ForeignKey[]): string[] {
  const group = new Set([name]);
  // A set that grows while it is walked is walked to its end.
  for (const member of group) for (const { from, to } of foreignKeys) if (to === member) group.add(from);
  return [...group];
}
