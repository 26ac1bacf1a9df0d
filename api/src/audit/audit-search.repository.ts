import { type AuditFilters, type AuditTrailEntry, SEARCH_PAGE } from '@apotheca/contract/audit';
import type pg from 'pg';
import { type JsonList, selectJsonList, type TrackedList } from '../db/json-list.ts';
import { SHOWN_ENTRY } from './audit.repository.ts';

interface Search extends AuditFilters {
  /** Only entries with smaller ids. */
  before?: string | undefined;
}

const TABLES = ['audit_entries'];

/** The entries that a filter leaves, newest first, in the shape of contract/audit `auditEntry`. */
export const auditSearchList: TrackedList<Search> = {
  tables: TABLES,
  select: (search) => searchOf(search, SEARCH_PAGE),
};

/** A page of a search. */
export async function searchPage(pool: pg.Pool, search: Search, limit: number): Promise<AuditTrailEntry[]> {
  return JSON.parse((await selectJsonList(pool, searchOf(search, limit), TABLES)).json);
}

const searchOf = (search: Search, limit: number): JsonList =>
  FILTERS.some((name) => search[name] !== undefined) ? byTerms(search, limit) : byTime(search, limit);

/** What the index of terms finds. */
const FILTERS = ['actor', 'action', 'entity', 'entityId', 'address', 'outcome', 'text'] as const;

/**
 * The first and the last id that a search may find. Servers whose clocks differ append entries whose times are not quite in the order
 * of their ids: the index of times tells their ids but for ten minutes.
 */
const BOUNDS = `
  select
    greatest((select min(id) from audit_entries), case when $1::timestamptz is null then 0 else coalesce(
      (select id from audit_entries where at >= $1::timestamptz - interval '10 minutes' order by at limit 1), 9223372036854775807
    ) end) as oldest,
    least((select max(id) from audit_entries), $3::bigint - 1, case when $2::timestamptz is null then null else coalesce(
      (select id from audit_entries where at <= $2::timestamptz + interval '10 minutes' order by at desc limit 1), 0
    ) end) as newest`;

const IN_TIME =
  '($1::timestamptz is null or at >= $1::timestamptz) and ($2::timestamptz is null or at < $2::timestamptz)';

function byTime({ from, to, before }: Search, limit: number): JsonList {
  return {
    name: 'audit-by-time',
    values: [from ?? null, to ?? null, before ?? null, limit],
    rows: `
      with bounds as materialized (${BOUNDS})
      select ${SHOWN_ENTRY}
      from audit_entries
      where id <= (select newest from bounds) and id >= (select oldest from bounds) and ${IN_TIME}
      order by audit_entries.id desc
      limit $4`,
  };
}

/**
 * Looks into one part of the trail after the other, newest first, until the page is full. First come the newest stretches of 4,096
 * entries: what is common is found there. Then come stretches of 65,536: each has a lexeme, by which the index leaves the others out, so
 * what was common long ago is read only as far as the page needs. Words are looked for in all of the rest at once: for their beginnings the
 * index collects all that begin so, each time.
 */
function byTerms({ from, to, before, ...wanted }: Search, limit: number): JsonList {
  const { actor, action, entity, entityId, address, outcome, text } = wanted;
  const terms = [actor, action, entity, entityId, address, outcome, text].map((value) => value ?? null);
  return {
    name: 'audit-by-terms',
    values: [from ?? null, to ?? null, before ?? null, limit, ...terms],
    rows: `
      with bounds as materialized (${BOUNDS}),
      wanted as materialized (select audit_query($5, $6, $7, $8, $9, $10, $11) as terms),
      parts as materialized (
        select newest as top, format('''##%s'' | ''##%s''', newest >> 12, (newest >> 12) - 1)::tsquery as lexemes from bounds
        union all
        select least((((newest >> 12) - 1) << 12) - 1, ((stretch + 1) << 16) - 1), format('''#%s''', stretch)::tsquery
        from bounds, generate_series(newest >> 16, oldest >> 16, -1) as stretch where $11::text is null
        union all
        select (((newest >> 12) - 1) << 12) - 1, null from bounds where $11::text is not null
        order by top desc
      )
      select ${SHOWN_ENTRY}
      from (
        select newest_of_part.*
        from parts cross join bounds cross join wanted
        cross join lateral (
          select * from (
            select * from audit_entries
            where audit_terms(id, actor_id, actor_name, action, entity, entity_id, address, changes)
              @@ case when lexemes is null or terms is null then coalesce(terms, lexemes) else lexemes && terms end
            -- Keeps PostgreSQL from going through all entries in order, in the hope that enough of them match.
            offset 0
          ) matching
          where id between oldest and least(newest, top) and ${IN_TIME}
          order by id desc
          limit $4
        ) newest_of_part
        limit $4
      ) as audit_entries
      order by audit_entries.id desc`,
  };
}
