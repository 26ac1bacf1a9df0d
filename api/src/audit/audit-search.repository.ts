import { type AuditFilters, type AuditPage, SEARCH_PAGE } from '@apotheca/contract/audit';
import type pg from 'pg';
import { type JsonList, onlyRow, selectJsonList, type TrackedList, utcMoment } from '../db/json-list.ts';
import { SHOWN_ENTRY } from './audit.repository.ts';

interface Search extends AuditFilters {
  /** Only entries with smaller ids. */
  before?: string | undefined;
}

const TABLES = ['audit_entries'];

/** After so many milliseconds a search answers what it has found: it goes on from there with the next call. */
const PATIENCE = 200;

/** The entries that a filter leaves, in the shape of contract/audit `auditPage`. */
export const auditSearchList: TrackedList<Search> = {
  tables: TABLES,
  select: (search) => searchOf(search, SEARCH_PAGE, PATIENCE),
};

/** A page of a search. @param patience in milliseconds, after at least one stretch */
export async function searchPage(
  pool: pg.Pool,
  search: Search,
  limit: number,
  patience = PATIENCE,
): Promise<AuditPage> {
  return JSON.parse(onlyRow((await selectJsonList(pool, searchOf(search, limit, patience), TABLES)).json));
}

const searchOf = (search: Search, limit: number, patience: number): JsonList => ({
  ...(FILTERS.some((name) => search[name] !== undefined) ? byTerms(search, limit, patience) : byTime(search, limit)),
  toResult: onlyRow,
});

/** What the index of terms finds. */
const FILTERS = ['actor', 'action', 'entity', 'entityId', 'address', 'outcome', 'text'] as const;

/** By how much times may be out of the order of ids: the clocks of servers differ. */
const CLOCKS = `interval '10 minutes'`;

/** A clock that is set wrong for a while dates fewer entries than this. */
const APART = 1_000;

/**
 * The first entry from a moment on, found by halving the ids, or one nearby: at most twice `APART` away. Of three entries two say on which side it
 * is, as one may be among those that a clock dated wrongly. Behind the newest one: there is none.
 */
const firstSince = (moment: string) => `(
    with recursive halving as (
      select first as low, last + 1 as high from ids
      union all
      select case when is_before then middle + 1 else low end, case when is_before then high else middle end
      from halving
      cross join lateral (select (low + high) / 2 as middle) halves
      cross join lateral (
        select count(*) filter (where at < ${moment}) > 1 as is_before
        from ids cross join unnest(array[middle - ${APART}, middle, middle + ${APART}]) as place
        cross join lateral (select at from audit_entries where id >= least(place, last) order by id limit 1) entry
      ) majority
      where low < high
    )
    select low from halving where low >= high
  )`;

/** The first and the last id that a search may find. */
const BOUNDS = `
  select
    case when $1::timestamptz is null then first else greatest(first, ${firstSince(`$1::timestamptz - ${CLOCKS}`)} - 2 * ${APART}) end as oldest,
    least(
      last, $3::bigint - 1,
      case when $2::timestamptz is not null then ${firstSince(`$2::timestamptz + ${CLOCKS}`)} - 1 + 2 * ${APART} end
    ) as newest
  from ids`;

const IDS = 'ids as materialized (select min(id) as first, max(id) as last from audit_entries)';

const IN_TIME =
  '($1::timestamptz is null or at >= $1::timestamptz) and ($2::timestamptz is null or at < $2::timestamptz)';

/** The page of the ids in `found`, with `rest.before`, from where the search goes on. */
const PAGE = `
  select
    (
      select coalesce(json_agg(shown), '[]')
      from (select ${SHOWN_ENTRY} from audit_entries join found using (id) order by audit_entries.id desc) shown
    ) as entries,
    (
      select json_build_object('before', before::text, 'onUtc', ${utcMoment('at')})
      from audit_entries where id >= before order by id limit 1
    ) as further
  from rest`;

function byTime({ from, to, before }: Search, limit: number): JsonList {
  return {
    name: 'audit-by-time',
    values: [from ?? null, to ?? null, before ?? null, limit],
    rows: `
      with ${IDS},
      bounds as materialized (${BOUNDS}),
      found as materialized (
        select id from audit_entries
        where id <= (select newest from bounds) and id >= (select oldest from bounds) and ${IN_TIME}
        order by id desc
        limit $4
      ),
      rest as (select case when count(*) = $4 then min(id) end as before from found)
      ${PAGE}`,
  };
}

/** Entries of one stretch of the trail, as bits of their id: migration 000042 says the same. */
const STRETCH = 13;

/**
 * Looks into one stretch of the trail after the other, newest first, until the page is full, all was looked at or the time is over.
 * Whatever is looked for, the index holds the stretch's own entries apart, so what a stretch costs is bounded.
 */
function byTerms({ from, to, before, ...wanted }: Search, limit: number, patience: number): JsonList {
  const { actor, action, entity, entityId, address, outcome, text } = wanted;
  const terms = [actor, action, entity, entityId, address, outcome, text].map((value) => value ?? null);
  return {
    name: 'audit-by-terms',
    values: [from ?? null, to ?? null, before ?? null, limit, patience, ...terms],
    rows: `
      with recursive ${IDS},
      bounds as materialized (${BOUNDS}),
      wanted as materialized (select audit_wanted($6, $7, $8, $9, $10, $11, $12) as lexemes),
      walk as (
        select (newest >> ${STRETCH}) + 1 as stretch, '{}'::bigint[] as ids, 0 as count, false as is_over from bounds
        union all
        select stretch - 1, newest_of_stretch.ids, count + cardinality(newest_of_stretch.ids),
          clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
        from walk cross join bounds cross join wanted
        cross join lateral (
          select array(
            select id from (
              select id, at from audit_entries
              where audit_terms(id, actor_id, actor_name, action, entity, entity_id, address, changes)
                @@ audit_query(audit_stretch((stretch - 1) << ${STRETCH}), lexemes)
              -- Keeps PostgreSQL from going through all entries in order, in the hope that enough of them match.
              offset 0
            ) matching
            where id between oldest and newest and ${IN_TIME}
            order by id desc
            limit $4 - count
          ) as ids
        ) newest_of_stretch
        where count < $4 and stretch > oldest >> ${STRETCH} and not is_over
      ),
      found as materialized (select unnest(ids) as id from walk),
      rest as (
        select case
          when max(count) = $4 then (select min(id) from found)
          when min(stretch) > min(oldest >> ${STRETCH}) then min(stretch) << ${STRETCH}
        end as before
        from walk cross join bounds
      )
      ${PAGE}`,
  };
}
