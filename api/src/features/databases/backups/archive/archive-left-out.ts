import type { LeftOutObject } from '@apotheca/contract/backups';
import { beginningOf, counted, printable, rowsInWords } from '../../../../wording.ts';
import { countRows, findBlock } from './archive-blocks.ts';
import { readTableOfContents } from './archive-format.ts';
import type { AdditionalObject } from './archive-objects.ts';
import { withArchive } from './archive-reader.ts';
import { throwUnreadable } from './damaged-archive.ts';

/** How many objects a sentence names, and an answer. */
const MAX_NAMES = 10;
const MAX_OBJECTS = 1_000;

/** What a server lets a restore make. */
export interface RestoreLimits {
  /** Why none of an archive's additional objects is restored; null: those without a problem are. */
  none: string | null;
  /** Names of the extensions that a role can create that is no superuser. */
  trustedExtensions: ReadonlySet<string>;
}

/** An object that is not restored, and why. */
export interface Refusal {
  object: AdditionalObject;
  reason: string;
}

/** Divides the additional objects of an archive into those that are restored, in the archive's order, and those that are not. */
export function divideObjects(
  objects: readonly AdditionalObject[],
  { none, trustedExtensions }: RestoreLimits,
): { restored: AdditionalObject[]; refused: Refusal[] } {
  const refused = new Map<number, Refusal>();
  const reasonOf = ({ kind, name, needs, problem }: AdditionalObject): string | undefined => {
    if (none !== null) return none;
    if (problem !== null) return problem;
    if (kind === 'EXTENSION' && !trustedExtensions.has(name)) {
      return 'This PostgreSQL server does not have it, or lets only a superuser create it.';
    }
    const lacking = needs.map((need) => refused.get(need)).find((need) => need !== undefined);
    return lacking && `It needs ${nameOf(lacking.object)}, which is not restored.`;
  };
  // An archive lists what an object needs before it, but for circles, which pg_dump breaks by entries of their own.
  for (const object of objects) {
    const reason = reasonOf(object);
    if (reason !== undefined) refused.set(object.id, { object, reason });
  }
  return { restored: objects.filter(({ id }) => !refused.has(id)), refused: [...refused.values()] };
}

/** Kinds that are told of with the object that they belong to. */
const PARTS = new Set(
  'TABLE DATA,TABLE ATTACH,SEQUENCE SET,SEQUENCE OWNED BY,DEFAULT,COMMENT,ACL,CONSTRAINT,CHECK CONSTRAINT,FK CONSTRAINT,INDEX,INDEX ATTACH,MATERIALIZED VIEW DATA,ROW SECURITY,BLOBS,BLOB METADATA'.split(
    ',',
  ),
);

/**
 * What plan and result say of the objects that are not restored. Parts of an object, such as its indexes, are told of with it.
 * @param rows of tables, by the number of their entry
 */
export function describeRefused(
  refused: readonly Refusal[],
  rows: ReadonlyMap<number, number | null>,
): LeftOutObject[] {
  const byId = new Map(refused.map((refusal) => [refusal.object.id, refusal]));
  const owners = (object: AdditionalObject) => object.needs.filter((need) => byId.has(need));
  const told = refused.filter(({ object }) => !(PARTS.has(object.kind) && owners(object).length > 0));
  const rowsOf = new Map<number, number | null>();
  for (const { object } of refused) {
    if (object.kind !== 'TABLE DATA') continue;
    for (const id of [object.id, ...owners(object)]) rowsOf.set(id, rows.get(object.id) ?? null);
  }
  const largeObjects = told.filter(({ object }) => object.kind === 'BLOB');
  const others = told.filter(({ object }) => object.kind !== 'BLOB');
  const answer = others.slice(0, MAX_OBJECTS).map(({ object, reason }) => ({
    kind: kindOf(object),
    name: nameOf(object),
    rows: object.kind === 'TABLE' || object.kind === 'TABLE DATA' ? (rowsOf.get(object.id) ?? null) : null,
    reason,
  }));
  const more = others.length - answer.length;
  return [
    ...answer,
    ...(more > 0 ? [collective(counted(more, 'more object'), 'Too many to name.')] : []),
    ...(largeObjects.length > 0 ? [largeObjectsLeftOut(largeObjects.length)] : []),
  ];
}

const collective = (name: string, reason: string): LeftOutObject => ({ kind: 'objects', name, rows: null, reason });

/** What plan and result say of large objects. */
export const largeObjectsLeftOut = (count: number): LeftOutObject =>
  collective(
    counted(count, 'large object'),
    'Neither backups nor restores keep large objects, which no table of the platform has.',
  );

const kindOf = ({ kind }: AdditionalObject): string =>
  kind === 'TABLE DATA' ? 'table' : printable(beginningOf(kind.toLowerCase()));

/** The name for people. */
const nameOf = ({ schema, name }: AdditionalObject): string =>
  printable(schema === 'public' || schema === '' ? name : `${schema}.${name}`);

/**
 * Counts the rows of tables in an archive.
 * @param ids of the entries with their rows
 * @param until aborted: tables that are not counted by then have null
 * @throws AppError damaged-archive
 */
export async function countArchivedRows(
  path: string,
  archiveBytes: number,
  ids: ReadonlySet<number>,
  until: AbortSignal,
): Promise<Map<number, number | null>> {
  const counts = new Map<number, number | null>();
  if (ids.size === 0) return counts;
  return withArchive(path, archiveBytes, async (reader) => {
    const { compression, rows } = await readTableOfContents(reader);
    const start = reader.position();
    for (const [id, table] of [...rows].filter(([id]) => ids.has(id))) {
      const isFound = table.isPresent && (await findBlock(reader, id, table.position ?? start, until));
      const ifNotFound = table.isPresent ? null : 0;
      counts.set(id, isFound ? await countRows(reader, compression, table, until) : ifNotFound);
    }
    return counts;
  }).catch(throwUnreadable);
}

/** A sentence about objects that are not restored, with a space before it. Empty when there are none. */
export function describeLeftOut(objects: readonly LeftOutObject[]): string {
  if (objects.length === 0) return '';
  const names = objects
    .slice(0, MAX_NAMES)
    .map(({ kind, name, rows }) => `${kind} ${beginningOf(name)}${amountOf(kind, rows)}`);
  const more = objects.length > MAX_NAMES ? ` and ${objects.length - MAX_NAMES} more` : '';
  return ` Not restored: ${names.join(', ')}${more}.`;
}

const amountOf = (kind: string, rows: number | null): string => {
  if (kind !== 'table') return '';
  return rows === null ? ' (rows not counted)' : ` (${rowsInWords(rows)})`;
};
