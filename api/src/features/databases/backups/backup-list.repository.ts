import type { backupRoutes } from '@apotheca/contract/backups';
import type { QueryOf } from '@apotheca/contract/route';
import { type TrackedList, utcMoment } from '../../../db/json-list.ts';
import { copiesOf } from './stores/copies.repository.ts';

type Query = QueryOf<typeof backupRoutes.list>;

/** What a call can ask of the backups `b`. */
interface Filter {
  name: string;
  /** Undefined: it asks nothing. */
  read: (query: Query) => unknown;
  /** @param value the placeholder of the value */
  sql: (value: string) => string;
}

const FILTERS: readonly Filter[] = [
  { name: 'id', read: ({ id }) => id, sql: (value) => `b.id = ${value}` },
  {
    name: 'database',
    read: ({ databaseName }) => databaseName || undefined,
    sql: (value) => `b.database_id = (select id from databases where name = ${value} and state = 'ready')`,
  },
  {
    name: 'search',
    read: ({ search }) => patternsOf(search ?? ''),
    // Of LIKE alone PostgreSQL expects few backups to match: it would read all and sort those, where it takes the first ones now.
    sql: (value) => `coalesce(${plain('b.database_name')} like all (${value}::text[]), false)`,
  },
  {
    name: 'before',
    read: ({ before }) => before,
    sql(value) {
      const moment = `(select created_at from backups where id = ${value})`;
      return `b.created_at <= ${moment} and (b.created_at < ${moment} or b.id > ${value})`;
    },
  },
  {
    name: 'unrestorable',
    read: ({ isUnrestorable }) => isUnrestorable === 'true' || undefined,
    sql: (value) => `${value}::boolean and b.proof ->> 'result' = 'failed' and not exists (
      select from backups n
      where n.database_id = b.database_id and n.state = 'ready' and (n.created_at, n.id) > (b.created_at, b.id)
    ) and exists (select from databases d where d.id = b.database_id and d.state = 'ready')`,
  },
];

/** The backups that a call asks for, newest first, in the shape of contract/backups `backup`. */
export const backupsList: TrackedList<Query> = {
  tables: ['backups', 'users', 'databases', 'backup_copies'],
  select(query) {
    const values: unknown[] = [];
    const addValue = (value: unknown) => `$${values.push(value)}`;
    const asked = FILTERS.filter(({ read }) => read(query) !== undefined);
    const conditions = ["b.state = 'ready'", ...asked.map(({ read, sql }) => sql(addValue(read(query))))];
    const all = `backups b where ${conditions.join(' and ')}`;
    const { limit } = query;
    return {
      // A statement for each combination: a plan for all of them would use no index.
      name: ['backups', ...asked.map(({ name }) => name), ...(limit === undefined ? [] : ['limited'])].join('-'),
      values,
      rows: shown(limit === undefined ? `select b.* from ${all}` : newestOf(all, addValue(limit))),
    };
  },
};

/**
 * Finds backups by the index that has all that is asked of most of them, so that those which a search passes over are read nowhere else. Each
 * one found is looked up, as joining them with all could read all.
 */
const newestOf = (all: string, limit: string) => `
  select found.*
  from (select b.id from ${all} order by b.created_at desc, b.id limit ${limit}) newest
  cross join lateral (select * from backups where id = newest.id limit 1) found`;

const shown = (backups: string) => `
  select b.id, b.database_name as "databaseName", b.origin, b.size_bytes as "sizeBytes", b.sha256,
    b.schema_version as "schemaVersion",
    case when b.row_counts is not null then
      (select coalesce(sum(count::bigint), 0) from jsonb_each_text(b.row_counts) as counts (name, count))
    end as rows,
    u.user_name as "createdBy", ${utcMoment('b.created_at')} as "createdOnUtc", ${copiesOf('b')} as copies, b.proof
  from (${backups}) b
  left join users u on u.id = b.created_by
  order by b.created_at desc, b.id`;

/** The accents that NFD parts from their letters; marks of other scripts, which are vowels, stay. */
const ACCENTS = '\\u0300-\\u036f';

/** A name as searches compare it. Its letters beyond ASCII are in upper case already, where the collation C does not know them. */
const plain = (name: string) => `upper(regexp_replace(normalize(${name}, nfd), '[${ACCENTS}]', '', 'g') collate "C")`;

/** A pattern of LIKE for each word; undefined: there is no word. */
function patternsOf(search: string): string[] | undefined {
  const plainText = search
    .toUpperCase()
    .normalize('NFD')
    .replace(new RegExp(`[${ACCENTS}]`, 'gu'), '');
  const words = plainText.split(/\s+/).filter(Boolean);
  return words.length > 0 ? words.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`) : undefined;
}
