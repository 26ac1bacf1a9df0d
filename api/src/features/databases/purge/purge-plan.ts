import { labelOfTable, TENANT_TABLE_NAMES } from '@apotheca/contract/tenant-tables';
import { inWords, rowsInWords } from '../../../wording.ts';
import type { ForeignKey } from '../tenant-database/catalogue.repository.ts';

/** What was counted in a table. */
export interface CountedTable {
  name: string;
  rows: number;
  /** On disk, without its indexes. */
  bytes: number;
  /** How many of its rows refer to each of the other tables that the count was asked for. */
  references: Record<string, number>;
}

/** Which tables of a request can be emptied. Each requested name is in one of the lists. */
export interface Partition {
  tables: { name: string; rows: number }[];
  invalidTables: string[];
  tablesNotDeleted: { name: string; reason: string }[];
}

const KNOWN: ReadonlySet<string> = new Set(TENANT_TABLE_NAMES);

/** Whether a purge may empty a table: only the 37 tables of a tenant, never the platform's own. */
export const isPurgeable = (name: string): boolean => KNOWN.has(name);

/**
 * Decides which requested tables can be emptied. A table stays when rows of a staying table refer to it; then the tables that its own
 * rows refer to stay too.
 * @param counted the requested tables and all that refer to them
 */
export function partitionRequest(requested: readonly string[], counted: readonly CountedTable[]): Partition {
  const known = new Map(counted.map((table) => [table.name, table]));
  const isValid = (name: string) => isPurgeable(name) && known.has(name);
  const emptied = new Set(requested.filter(isValid));
  const referrersOf = (name: string) =>
    counted.filter((other) => other.name !== name && !emptied.has(other.name) && (other.references[name] ?? 0) > 0);
  for (let before = -1; before !== emptied.size; ) {
    before = emptied.size;
    for (const name of emptied) if (referrersOf(name).length > 0) emptied.delete(name);
  }
  return {
    tables: requested.filter((name) => emptied.has(name)).map((name) => ({ name, rows: known.get(name)?.rows ?? 0 })),
    invalidTables: requested.filter((name) => !isValid(name)),
    tablesNotDeleted: requested
      .filter((name) => isValid(name) && !emptied.has(name))
      .map((name) => ({ name, reason: reasonOf(name, referrersOf(name)) })),
  };
}

function reasonOf(name: string, referrers: readonly CountedTable[]): string {
  const counts = referrers.map((referrer) => {
    const rows = referrer.references[name] ?? 0;
    return `${labelOfTable(referrer.name)} has ${rowsInWords(rows)}`;
  });
  const isOne = referrers.length === 1 && referrers[0]?.references[name] === 1;
  return `${labelOfTable(name)} stays: ${inWords(counts)} that ${isOne ? 'refers' : 'refer'} to it`;
}

/** Up to this size, deleting rows and keeping them as JSON is faster than making new files for a table. */
const FEW_ROWS = 1_000;
const FEW_BYTES = 1024 ** 2;

/** How tables are emptied. The rows of tables that no set names are deleted and kept as JSON. */
export interface Methods {
  /** Tables that are moved with their rows and replaced by empty ones. */
  moved: ReadonlySet<string>;
  /** Tables whose rows are copied to another table. */
  copied: ReadonlySet<string>;
  /** Tables that one TRUNCATE empties. */
  truncated: ReadonlySet<string>;
}

/**
 * Chooses by size how to empty tables. A large table is moved when all tables at the other ends of its foreign keys are emptied too,
 * because moving locks them, and nothing is tied to it that would move along. Otherwise it is copied, and truncated together with the
 * tables that refer to it, as TRUNCATE demands. When one of those is not emptied, the rows of the large table are deleted instead.
 * @param tied the tables to which something is tied
 */
export function chooseMethods(
  emptied: readonly string[],
  counted: readonly CountedTable[],
  foreignKeys: readonly ForeignKey[],
  tied: ReadonlySet<string>,
): Methods {
  const isLarge = ({ rows, bytes }: CountedTable) => rows > FEW_ROWS || bytes > FEW_BYTES;
  const large = counted.filter((table) => emptied.includes(table.name) && isLarge(table)).map(({ name }) => name);
  const refersOnlyToEmptied = (name: string) =>
    foreignKeys.every(
      ({ from, to }) => (from !== name && to !== name) || (emptied.includes(from) && emptied.includes(to)),
    );
  const moved = new Set(large.filter((name) => refersOnlyToEmptied(name) && !tied.has(name)));
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
  // Iterating over a set also visits members that are added meanwhile.
  for (const member of group) for (const { from, to } of foreignKeys) if (to === member) group.add(from);
  return [...group];
}
