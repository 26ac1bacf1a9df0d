import { EVENT_TYPES } from '@apotheca/contract/events';
import { type RawBuilder, sql } from 'kysely';
import type { Platform, Trx } from '../../db/platform.ts';

/** An entry of the audit trail, of which an event is made. */
export interface EventEntry {
  /** Text of a bigint. */
  id: string;
  at: Date;
  action: string;
  entity: string;
  entityId: string;
  actorName: string;
  address: string;
  changes: Record<string, unknown>;
  hash: Buffer;
  /** The code of the tenant that it is about, as it is now, or was at the end; null: it is about none. */
  tenantCode: string | null;
}

/** SQL: when the first entry was made that a cursor has not come to. @param cursor its column, such as 'a.entry_cursor' */
export const firstUntold = (cursor: string): RawBuilder<Date> =>
  sql<Date>`(select e.at from audit_entries e where e.id > ${sql.ref(cursor)} order by e.id limit 1)`;

/** SQL: whether there are entries after a cursor, up to one. @param cursor its column @param newest the id of that one */
export const isBehind = (cursor: string, newest: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from audit_entries e where e.id > ${sql.ref(cursor)} and e.id <= ${newest}::bigint)`;

/**
 * SQL: whether this version tells somebody of what they have chosen. An event that only a newer version knows would be passed over: so that
 * one has ten minutes to tell them, as it looks each second. Where there is none any more, they are told of the others then.
 * @param types the column of what they have chosen
 * @param since since when they are to be told
 */
export const isOwnToTell = (types: string, since: RawBuilder<Date>, now: Date): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(types)} <@ ${[...EVENT_TYPES]}::text[] or ${since} <= ${now}::timestamptz - interval '10 minutes')`;

/**
 * Entries of some actions after an id, oldest first. Ids are given in the order of commits, so none comes later before one that was read.
 * @returns the entries, and up to where the trail was read
 */
export async function listEventEntries(
  trx: Trx,
  actions: readonly string[],
  { after, most }: { after: string; most: number },
): Promise<{ entries: EventEntry[]; readTo: string }> {
  const { rows } = await sql<Omit<EventEntry, 'id'> & { id: string | null; readTo: string }>`
    with stretch as materialized (select * from audit_entries where id > ${after}::bigint order by id limit ${most})
    select e.id::text, e.at, e.action, e.entity, e.entity_id as "entityId", e.actor_name as "actorName", e.address, e.changes, e.hash,
      coalesce(t.code, gone.code) as "tenantCode", coalesce(read.id, ${after}::bigint)::text as "readTo"
    from (select max(id) as id from stretch) read
    left join stretch e on e.action = any (${[...actions]}::text[])
    left join tenants t on e.entity = 'tenants' and t.id::text = e.entity_id
    -- The entry of its deletion names it. Not by 'order by … limit 1', which the planner may answer by walking the trail backwards.
    left join lateral (
      select (array_agg(d.changes ->> 'code' order by d.id desc))[1] as code from audit_entries d
      where e.entity = 'tenants' and t.id is null and d.entity = e.entity and d.entity_id = e.entity_id
        and json_typeof(d.changes -> 'code') = 'string'
    ) gone on true
    order by e.id`.execute(trx);
  return {
    entries: rows.filter((row): row is EventEntry & { readTo: string } => row.id !== null),
    readTo: rows[0]?.readTo ?? after,
  };
}

/** The id of the newest entry of the audit trail. */
export async function findNewestEntry(platform: Platform): Promise<string> {
  const { lastId } = await platform.selectFrom('auditHead').select('lastId').executeTakeFirstOrThrow();
  return lastId;
}
