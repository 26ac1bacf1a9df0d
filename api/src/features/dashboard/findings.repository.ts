import {
  FAILED_OPERATION_DAYS,
  FINDINGS_SHOWN,
  type Finding,
  type FindingKind,
  type FindingRecord,
} from '@apotheca/contract/findings';
import { sql } from 'kysely';
import type pg from 'pg';
import { utcMoment } from '../../db/json-list.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { utcDay } from '../../wording.ts';

/** A kind whose records the control database does not know. */
type MeasuredKind = 'disk-full' | 'archive-broken';

/** Something that was found outside of the control database. */
export interface MeasuredFinding {
  kind: MeasuredKind;
  id: string;
  name: string;
  detail: string;
}

/** What the queries compare with, and what they cannot know. */
export interface Present {
  now: Date;
  /** The newest version of the tenants' schema. */
  schemaVersion: number;
  measured: readonly MeasuredFinding[];
  /** Of the hashes of typed names. */
  key: Uint8Array;
}

/**
 * One look into the index for each database: the backups of all would be sorted on disk. One of a clock that was ahead is none of them, as
 * it would hide for that long how it stands with newer ones.
 */
const NEWEST_BACKUPS = `
  select b.* from databases d
  cross join lateral (
    select * from backups b where b.database_id = d.id and b.state = 'ready' and b.created_at <= $2::timestamptz
    order by b.created_at desc, b.id desc limit 1
  ) b`;

/** Active tenants by the day on which their subscription ends; who is deactivated needs nobody any more. */
const ending = (within: string) => `
  select t.id::text, t.code as name, t.code as tenant_code, t.customer_code as detail, ends.day::timestamp at time zone 'utc' as at
  from tenants t, lateral (select greatest(t.postponed_to, t.subscription_end_date) as day) ends
  where t.is_active and ends.day is not null and ${within}`;

/** A term that is no longer than the span has just begun: its end is no news yet (`standingOf`). */
const endsWithin = (from: number, to: number) =>
  `ends.day - $1::date between ${from} and ${to} and ends.day - t.subscription_start_date > ${to}`;

const ofDatabases = (detail: string, at: string, rest: string) => `
  select d.id::text, d.name, t.code as tenant_code, ${detail} as detail, ${at} as at
  from databases d
  left join tenants t on t.id = d.tenant_id
  ${rest}`;

const ofOperations = (condition: string) => `
  select o.id::text, o.database_name as name, t.code as tenant_code, o.kind || case when o.message = '' then '' else ': ' || o.message end as detail,
    coalesce(o.finished_at, o.started_at, o.created_at) as at
  from operations o
  left join databases d on d.id = o.database_id
  left join tenants t on t.id = d.tenant_id
  where ${condition}`;

/**
 * Whether one operation came after another one. That of a clock that was ahead, whose moment is still to come, comes before all others. The first
 * condition follows from the second one: by it the index leaves out what is older.
 */
const IS_LATER = `
  later.created_at > case when o.created_at <= $2::timestamptz then o.created_at else '-infinity' end
  and (later.created_at <= $2::timestamptz, later.created_at) > (o.created_at <= $2::timestamptz, o.created_at)`;

/** The records of each kind: id, name, tenant_code, detail, at. $1 is today in UTC, $2 now, $3 the newest schema version, $4 what was measured, $5 the key of typed names. */
const RECORDS: Record<Exclude<FindingKind, MeasuredKind>, string> = {
  'unrestorable-backup': ofDatabases(
    `coalesce((select string_agg(name, ', ') from jsonb_array_elements_text(b.proof -> 'tables') tables (name)), '')`,
    'b.created_at',
    `join newest_backups b on b.database_id = d.id where d.state = 'ready' and b.proof ->> 'result' = 'failed'`,
  ),
  'copy-failed': ofDatabases(
    `string_agg(c.store || ': ' || c.last_error, '; ' order by c.store)`,
    'min(b.created_at)',
    `join newest_backups b on b.database_id = d.id
     -- Also while it is tried again.
     join backup_copies c on c.backup_id = b.id and (c.state = 'failed' or c.state = 'copying' and c.attempts > 0)
     where d.state = 'ready' group by d.id, t.code`,
  ),
  'no-backup': ofDatabases(
    "''",
    'd.created_at',
    `where d.state = 'ready' and not exists (select from backups b where b.database_id = d.id and b.state = 'ready')`,
  ),
  'late-backup': ofDatabases(
    'r.last_message',
    'r.due_at',
    `join backup_schedule_runs r on r.database_id = d.id and r.is_late where d.state = 'ready'`,
  ),
  'failed-operation':
    ofOperations(`o.state = 'failed' and o.finished_at > $2::timestamptz - make_interval(days => ${FAILED_OPERATION_DAYS})
    and not exists (
      select from operations later
      where later.database_id = o.database_id and later.kind = o.kind and ${IS_LATER} and later.state <> 'cancelled'
    )
    -- One that makes its database, or works on many, has its own id for that: of the same request each has another one.
    and (o.database_id <> o.id or not exists (
      select from operations later
      where later.kind = o.kind and later.input = o.input and ${IS_LATER} and later.state <> 'cancelled'
    ))`),
  expired: ending('ends.day < $1::date'),
  'ends-in-week': ending(endsWithin(0, 7)),
  'ends-in-month': ending(endsWithin(8, 30)),
  'ends-in-quarter': ending(endsWithin(31, 90)),
  // Since when, nobody notes.
  'old-schema': ofDatabases("''", 'null::timestamptz', `where d.state = 'ready' and d.schema_version < $3::int`),
  // A retired one may be switched off.
  'server-away': `
    select s.id::text, s.name, null as tenant_code, h.problem as detail, h.away_since as at
    from database_server_health h join database_servers s on s.id = h.server_id
    where h.away_since is not null and s.state <> 'retired'`,
  'inactive-webhook': `
    select w.id::text, w.name, null as tenant_code, w.inactive_reason as detail, w.updated_at as at
    from webhooks w where w.inactive_reason <> ''`,
  // A shorter delay is over before anybody could look. A subject ends with whose attempts it counts: "account:ID", "name:LOGIN" …
  // What was typed as an unknown name may be a password: a hash with a key stands for it, from which nobody can guess it.
  'blocked-sign-in': `
    select case when whose.is_typed then 'name:' || encode(sha256($5::bytea || convert_to(a.subject, 'UTF8')), 'hex') else a.subject end as id,
      case when whose.is_typed then 'A name that nobody has' else coalesce(nullif(u.user_name, ''), u.email, whose.value) end as name,
      null as tenant_code, a.attempts || ' attempts' as detail, a.updated_at as at
    from sign_in_attempts a
    cross join lateral (
      select regexp_replace(a.subject collate "C", '^.*?(account|factor|name|address):', '') as value,
        a.subject collate "C" ~ '^([a-z-]+ )?name:' as is_typed
    ) whose
    left join users u on u.id::text = whose.value
    where a.blocked_until > $2::timestamptz and a.blocked_until >= a.updated_at + interval '1 minute'
      -- That of a clock that was ahead blocks nobody.
      and a.blocked_until <= $2::timestamptz + 2 * (a.blocked_until - a.updated_at)`,
  'unproved-backup': ofDatabases(
    "''",
    'b.created_at',
    `join newest_backups b on b.database_id = d.id
     where d.state = 'ready' and b.proof is null and b.created_at < $2::timestamptz - interval '1 day'`,
  ),
  'no-owner': ofDatabases(
    "''",
    'd.created_at',
    `where d.state = 'ready' and d.tenant_id is null and not exists (select from anonymized_clones a where a.database_id = d.id)`,
  ),
  'running-operation': ofOperations(`o.state in ('running', 'queued')`),
};

const FOUND = `
  newest_backups as materialized (${NEWEST_BACKUPS}),
  found as (
    ${Object.entries(RECORDS)
      .map(([kind, records]) => `select '${kind}' as kind, records.* from (${records}) records`)
      .join(' union all ')}
    union all
    select kind, id, name, null, detail, null from json_to_recordset($4::json) as measured (kind text, id text, name text, detail text)
  ),
  marked as (
    select found.*, s.until, s.reason, s.created_by
    from found
    left join finding_snoozes s on s.kind = found.kind and s.record_id = found.id and s.until >= $1::date
  )`;

const values = ({ now, schemaVersion, measured, key }: Present) => [
  utcDay(now),
  now,
  schemaVersion,
  JSON.stringify(measured),
  Buffer.from(key),
];

const RECORD = `'id', id, 'name', name, 'tenantCode', tenant_code, 'detail', detail, 'at', ${utcMoment('at')}`;

/** The kinds that have records, snoozed or not: how many, and the first by name. */
export async function countFindings(pool: pg.Pool, present: Present): Promise<Finding[]> {
  const text = `
    with ${FOUND}, numbered as (
      select *, row_number() over (partition by kind, until is null order by at, name) as place from marked
    )
    select kind, count(*) filter (where until is null)::int as count, count(*) filter (where until is not null)::int as snoozed,
      coalesce(json_agg(json_build_object(${RECORD}) order by place) filter (where until is null and place <= ${FINDINGS_SHOWN}), '[]') as first
    from numbered
    group by kind`;
  const { rows } = await pool.query<Finding>({ name: 'findings', text, values: values(present) });
  return rows;
}

/** All records of a kind, those that are not snoozed first. */
export async function listFindingRecords(pool: pg.Pool, kind: FindingKind, present: Present): Promise<FindingRecord[]> {
  const text = `
    with ${FOUND}
    select id, name, tenant_code as "tenantCode", detail, ${utcMoment('at')} as at,
      case when until is not null then json_build_object(
        'until', until, 'reason', reason, 'by', (select coalesce(nullif(user_name, ''), email) from users u where u.id = marked.created_by)
      ) end as snooze
    from marked
    where kind = $6
    order by until is not null, at, name`;
  const { rows } = await pool.query<FindingRecord>({
    name: 'finding-records',
    text,
    values: [...values(present), kind],
  });
  return rows;
}

interface Snoozed {
  kind: FindingKind;
  ids: readonly string[];
  until: string;
  reason: string;
  by: string;
  now: Date;
}

/** Snoozes records until the end of a day, but those that are snoozed: somebody else has said why. @returns the ids of the others */
export async function saveSnoozes(trx: Trx, { kind, ids, until, reason, by, now }: Snoozed): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into finding_snoozes (kind, record_id, until, reason, created_by, created_at)
    select ${kind}, id, ${until}::date, ${reason}, ${by}::uuid, ${now}::timestamptz
    from (select distinct unnest(${ids}::text[]) as id) ids order by id
    on conflict (kind, record_id) do nothing returning record_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** @returns whether it was snoozed */
export async function deleteSnooze(trx: Trx, kind: FindingKind, id: string): Promise<boolean> {
  const deleted = await trx
    .deleteFrom('findingSnoozes')
    .where('kind', '=', kind)
    .where('recordId', '=', id)
    .returning('recordId')
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Forgets the snoozes that ended before a day (YYYY-MM-DD). */
export async function deleteEndedSnoozes(platform: Platform, today: string): Promise<void> {
  await platform.deleteFrom('findingSnoozes').where('until', '<', today).execute();
}
