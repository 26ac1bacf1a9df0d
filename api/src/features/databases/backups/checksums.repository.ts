import type pg from 'pg';
import { queryEach } from '../../../db/tenant-connection.ts';
import { inWords } from '../../../wording.ts';
import type { TableChecksum } from './archive/archive-manifest.ts';
import { damaged } from './archive/damaged-archive.ts';

/** Settings that the text of a value depends on; the same in every session that reads checksums. */
const SETTINGS = [
  "set local timezone = 'UTC'",
  "set local datestyle = 'ISO'",
  "set local intervalstyle = 'postgres'",
  'set local extra_float_digits = 3',
  "set local bytea_output = 'hex'",
  "set local lc_monetary = 'C'",
];

/** Types of PostgreSQL whose values are hashed as they are, which takes a third of the time that their text takes. */
const HASHED_TYPES = [
  'bool',
  'bytea',
  'date',
  'int2',
  'int4',
  'int8',
  'jsonb',
  'numeric',
  'text',
  'timestamp',
  'timestamptz',
  'uuid',
  'varchar',
];

/** A table, as the catalogues name it. */
export interface ArchivedTable {
  schema: string;
  name: string;
  /** As SQL writes it. */
  sql: string;
  /** By name, in the order of their names. */
  columns: HashedColumn[];
}

/** A column with the value of a row `t` that its hash is made of, as SQL writes it. */
interface HashedColumn {
  name: string;
  value: string;
}

/**
 * Rows and a checksum of each table that a backup has the rows of: tenants' tables, the permissions, and tables that the platform does
 * not have. The checksum is the sum of a hash of each row, so it does not depend on the order of rows. What hash_record makes of a row is a
 * sum of its columns' hashes: hashed once more, as else values that two rows have swapped would not change the sum of all rows. Only
 * PostgreSQL's own functions run, which a cast, an operator or a type of the database cannot replace.
 * @param client a session in a transaction; its settings are changed until that ends
 * @param isWanted leaves tables out
 */
export async function readChecksums(
  client: pg.Client,
  isWanted: (table: Pick<TableChecksum, 'schema' | 'name'>) => boolean = () => true,
): Promise<TableChecksum[]> {
  return readWaitingChecksums(client, (await listArchivedTables(client)).filter(isWanted));
}

/**
 * As {@link readChecksums}, of tables that several sessions share.
 * @param waiting each session takes the next one out of it
 */
export async function readWaitingChecksums(client: pg.Client, waiting: ArchivedTable[]): Promise<TableChecksum[]> {
  await queryEach(client, SETTINGS);
  const checksums: TableChecksum[] = [];
  for (let table = waiting.shift(); table; table = waiting.shift()) {
    const { schema, name, sql, columns } = table;
    checksums.push({ schema, name, ...(await checksumOf(client, `only ${sql}`, columns)) });
  }
  return checksums;
}

/**
 * As {@link readChecksums}, of some tables in one round trip: on a busy machine those for each of many small tables take most of the time.
 * @param isHashed a condition on `t`: rows that do not meet it are only counted
 */
export async function readChecksumsAtOnce(
  client: pg.Client,
  tables: readonly ArchivedTable[],
  isHashed: string,
): Promise<TableChecksum[]> {
  const reading = tables.map(({ sql, columns }) => readingOf(`only ${sql}`, columns, isHashed));
  const results = (await queryEach(client, [...SETTINGS, ...reading])).slice(SETTINGS.length);
  return tables.map(({ schema, name }, place) => ({ schema, name, ...foundIn(results[place]) }));
}

/** Rows and checksum of a table, or of what else stands behind FROM, over some of its columns. */
export async function checksumOf(
  client: pg.Client,
  from: string,
  columns: readonly HashedColumn[],
): Promise<Pick<TableChecksum, 'rows' | 'checksum'>> {
  return foundIn(await client.query(readingOf(from, columns, 'true')));
}

const readingOf = (from: string, columns: readonly HashedColumn[], isHashed: string): string => `
    select pg_catalog.count(*) as rows,
      coalesce(pg_catalog.sum(pg_catalog.hashint8extended(
        pg_catalog.hash_record_extended(row(${columns.map(({ value }) => value).join(', ')}), 0), 0))
        filter (where ${isHashed}), 0)::pg_catalog.text as checksum
    from ${from} t`;

function foundIn(result: pg.QueryResult | undefined): Pick<TableChecksum, 'rows' | 'checksum'> {
  const [found] = result?.rows ?? [];
  return { rows: Number(found?.rows), checksum: found?.checksum ?? '' };
}

/**
 * Compares the rows of a restored database with those of the backup.
 * @throws AppError damaged-archive, which names the tables that differ
 */
export function refuseDifferences(expected: readonly TableChecksum[], actual: readonly TableChecksum[]): void {
  const names = listDifferences(expected, actual);
  if (names.length === 0) return;
  throw damaged(`The restored rows of ${inWords(names)} are not those that were backed up.`, names);
}

/** The names of the tables whose rows are missing or are others. */
export function listDifferences(expected: readonly TableChecksum[], actual: readonly TableChecksum[]): string[] {
  const found = new Map(actual.map((table) => [fullName(table), table]));
  const differing = expected.filter((table) => {
    const other = found.get(fullName(table));
    return other?.rows !== table.rows || (table.checksum !== '' && other.checksum !== table.checksum);
  });
  return differing.map(fullName);
}

/** The name for people. */
const fullName = ({ schema, name }: Pick<ArchivedTable, 'schema' | 'name'>): string =>
  schema === 'public' ? name : `${schema}.${name}`;

/**
 * The tables that a backup has the rows of, largest first; the rows of extensions' own tables come with the extension. Text counts byte
 * by byte, whatever its collation takes for equal. All other types, such as those that the database made, count as their text.
 */
export function listArchivedTables(client: pg.Client): Promise<ArchivedTable[]> {
  return listTables(client, "n.nspname !~ '^apotheca_' and (n.nspname <> 'apotheca' or c.relname = 'permissions')");
}

/** As {@link listArchivedTables}, of all tables: also those of what the platform notes and keeps there. */
export const listAllTables = (client: pg.Client): Promise<ArchivedTable[]> => listTables(client, 'true');

async function listTables(client: pg.Client, isWanted: string): Promise<ArchivedTable[]> {
  const { rows } = await client.query<ArchivedTable>(
    `select n.nspname as schema, c.relname as name, format('%I.%I', n.nspname, c.relname) as sql, hashed.columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     cross join lateral (
       select coalesce(json_agg(json_build_object('name', a.attname, 'value',
         case
           when not a.atttypid = any((select $1::text[]::regtype[])::regtype[]) then format(
             'pg_catalog.textin(pg_catalog.record_out(row(t.%I))) collate pg_catalog."C"', a.attname)
           when a.attcollation <> 0 then format('t.%I collate pg_catalog."C"', a.attname)
           else format('t.%I', a.attname)
         end) order by a.attname), '[]') as columns
       from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     ) as hashed
     where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
       and ${isWanted}
       and not exists (select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by pg_table_size(c.oid) desc`,
    [HASHED_TYPES.map((name) => `pg_catalog.${name}`)],
  );
  return rows;
}
