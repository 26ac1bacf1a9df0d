import { readFileSync } from 'node:fs';
import { type ListedEntry, readTableOfContents } from './archive-format.ts';
import { withArchive } from './archive-reader.ts';
import { throwUnreadable } from './damaged-archive.ts';

/** Something in an archive that the platform's own schema does not have: an entry of its table of contents. */
export interface AdditionalObject {
  /** Number within the archive. */
  id: number;
  /** As pg_dump calls it: 'TABLE', 'TABLE DATA', 'FK CONSTRAINT'. */
  kind: string;
  schema: string;
  /** As pg_dump lists it: of a constraint with its table's name before it, of a function with its arguments. */
  name: string;
  /** The numbers of the entries that it depends on. */
  needs: number[];
  /** Why a role that is no superuser, and does not own the platform's tables, cannot make it; null: it can. */
  problem: string | null;
}

/** What pg_dump lists of a database that has the platform's schema and nothing else, a line an entry. */
const PLATFORM_OBJECTS: ReadonlySet<string> = new Set(
  readFileSync(new URL('./platform-objects.txt', import.meta.url), 'utf8').split('\n'),
);

type Named = Pick<ListedEntry, 'kind' | 'schema' | 'name'>;

/** The line of platform-objects.txt for an entry. */
export const lineOf = ({ kind, schema, name }: Named): string => `${kind} ${schema || '-'} ${name}`;

/** Whether an entry is one of the platform's own schema. */
export const isPlatformObject = (entry: Named): boolean => PLATFORM_OBJECTS.has(lineOf(entry));

/** Whether a table is one of the platform's own schema. */
export const isPlatformTable = ({ schema, name }: Pick<Named, 'schema' | 'name'>): boolean =>
  isPlatformObject({ kind: 'TABLE', schema, name });

/** Settings of an archive, the database itself, and the schema that every database has. */
export const IGNORED =
  /^(ENCODING|STDSTRINGS|SEARCHPATH|DATABASE) - |^(COMMENT|ACL) - DATABASE |^(SCHEMA - |(COMMENT|ACL) - SCHEMA )public$/;

/** Why an entry of another kind is not made by a restore. */
const ONLY_BY_SUPERUSER = 'Only a superuser may make it, and nothing of an archive runs as one.';
const PROBLEMS: Record<string, string> = {
  'EVENT TRIGGER': 'An event trigger would run with the rights of the platform’s administrator.',
  CAST: 'A cast runs wherever PostgreSQL converts a value, for an administrator too.',
  PUBLICATION: 'A publication would send rows to other servers.',
  SUBSCRIPTION: 'A subscription would take rows from another server.',
  'FOREIGN TABLE': 'Connections to other servers are not restored.',
  SERVER: 'Connections to other servers are not restored.',
  'USER MAPPING': 'Connections to other servers are not restored.',
  'DATABASE PROPERTIES': 'A restored database has the settings of every tenant’s database.',
  'DEFAULT ACL': 'Default privileges belong to a role, and roles are not in an archive.',
};

/** What a role with the right to create schemas and objects can make. */
const RESTORABLE = new Set(
  `SCHEMA,EXTENSION,TYPE,DOMAIN,COLLATION,FUNCTION,PROCEDURE,AGGREGATE,OPERATOR,TABLE,TABLE ATTACH,TABLE DATA,VIEW,
MATERIALIZED VIEW,MATERIALIZED VIEW DATA,SEQUENCE,SEQUENCE OWNED BY,SEQUENCE SET,DEFAULT,CONSTRAINT,CHECK CONSTRAINT,
FK CONSTRAINT,INDEX,INDEX ATTACH,STATISTICS,RULE,TRIGGER,POLICY,ROW SECURITY,COMMENT,ACL,TEXT SEARCH CONFIGURATION,
TEXT SEARCH DICTIONARY`
    .replaceAll('\n', '')
    .split(','),
);

/** Kinds that only the owner of a table can make for it; pg_dump names them after the table. */
const NAMED_AFTER_TABLE = [
  'DEFAULT',
  'CONSTRAINT',
  'CHECK CONSTRAINT',
  'FK CONSTRAINT',
  'RULE',
  'POLICY',
  'ROW SECURITY',
];
/** Kinds that only the owner of all that they depend on can make. */
const NEEDS_OWNER = ['INDEX', 'STATISTICS', 'TABLE', 'TABLE ATTACH', 'COMMENT'];

/** The entries of an archive's table of contents by their number, in the archive's order. @throws AppError damaged-archive */
export async function readEntries(path: string, archiveBytes: number): Promise<ReadonlyMap<number, ListedEntry>> {
  const { entries } = await withArchive(path, archiveBytes, readTableOfContents).catch(throwUnreadable);
  return entries;
}

/** What of an archive's entries the platform's own schema does not have. */
export function additionalObjects(entries: ReadonlyMap<number, ListedEntry>): AdditionalObject[] {
  return [...entries.values()]
    .filter((entry) => !isPlatformObject(entry) && !IGNORED.test(lineOf(entry)))
    .map((entry) => {
      const { id, kind, schema, name, needs } = entry;
      return { id, kind, schema, name, needs, problem: problemOf(entry, entries) };
    });
}

function problemOf(entry: ListedEntry, entries: ReadonlyMap<number, ListedEntry>): string | null {
  const { kind, schema, language, isForRoles } = entry;
  if (!RESTORABLE.has(kind)) return PROBLEMS[kind] ?? ONLY_BY_SUPERUSER;
  if (/^apotheca(_|$)/.test(schema)) return 'It stands in a schema that only the platform changes.';
  if (language && /^(c|internal|\w+u)$/.test(language)) {
    return `Functions of the language ${language} have the rights of the PostgreSQL server.`;
  }
  if (isForRoles) return 'It names roles, and roles are not in an archive.';
  return changesPlatform(entry, entries) ? 'It changes a table of the platform.' : null;
}

function changesPlatform(
  { kind, schema, name, needs }: ListedEntry,
  entries: ReadonlyMap<number, ListedEntry>,
): boolean {
  const isOfPlatform = (tag: string) => isPlatformTable({ schema, name: tag.split(' ')[0] ?? '' });
  if (NAMED_AFTER_TABLE.includes(kind)) return isOfPlatform(name);
  if (!NEEDS_OWNER.includes(kind)) return false;
  return (
    needs
      .map((need) => entries.get(need))
      .filter((need) => need !== undefined)
      // Who made a trigger of one of the platform's tables may not comment on it.
      .some((need) => isPlatformObject(need) || (need.kind === 'TRIGGER' && isOfPlatform(need.name)))
  );
}
