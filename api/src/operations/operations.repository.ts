import type { OperationKindName, OperationState } from '@apotheca/contract/operations';
import { type QueryCreator, sql, type Transaction } from 'kysely';
import type { Actor } from '../audit/audit.service.ts';
import type { Platform, PlatformTables } from '../db/platform.ts';
import type { StoredError } from '../db/platform-tables/operations.ts';

type Trx = Transaction<PlatformTables>;

/** Name of pg-boss's queue of operations. */
export const QUEUE = 'operations';

export interface OperationRow {
  id: string;
  kind: OperationKindName;
  databaseId: string;
  databaseName: string;
  input: unknown;
  actorId: string | null;
  actorName: string;
  address: string;
  state: OperationState;
  steps: string[];
  step: number;
  percent: number;
  cancellable: boolean;
  cancelRequested: boolean;
  cancelledBy: Actor | null;
  /** Runs that were begun, this one among them. */
  attempts: number;
  /** Of these, those that did not end with their server process. */
  outlived: number;
  expectedMs: number | null;
  message: string;
  result: unknown;
  error: StoredError | null;
  createdAt: Date;
  startedAt: Date | null;
  heartbeatAt: Date | null;
  finishedAt: Date | null;
}

/** An operation without what only the one who looks at it alone wants to know; that may be large. */
export type ShownOperation = Omit<OperationRow, 'result'>;

const SHOWN_COLUMNS = [
  'id',
  'kind',
  'databaseId',
  'databaseName',
  'input',
  'actorId',
  'actorName',
  'address',
  'state',
  'steps',
  'step',
  'percent',
  'cancellable',
  'cancelRequested',
  'cancelledBy',
  'attempts',
  'outlived',
  'expectedMs',
  'message',
  'error',
  'createdAt',
  'startedAt',
  'heartbeatAt',
  'finishedAt',
] as const;
const COLUMNS = [...SHOWN_COLUMNS, 'result'] as const;

/** What a new operation is, before anything of it is done. */
export interface NewOperation {
  id: string;
  kind: OperationKindName;
  database: { id: string; name: string };
  /** Ids of the databases to keep from other operations. */
  claims: readonly string[];
  input: unknown;
  actor: Actor;
  steps: string[];
  cancellable: boolean;
  sizeBytes: number;
  createdAt: Date;
}

/** Bytes that every operation is taken to move besides its own, so that small databases tell something of large ones. */
const BASE_BYTES = 8_000_000;
/** No operation is taken to last longer, in milliseconds: the largest integer of PostgreSQL, 25 days. */
const LONGEST_MS = 2_147_483_647;

/** How long an operation will take in milliseconds: what the last five of its kind took, by size; null when there were none. */
const expectedMs = (kind: OperationKindName, sizeBytes: number) => sql`(
  select avg(least(ms_per_byte * (${sizeBytes}::float8 + ${BASE_BYTES}), ${LONGEST_MS}))::int
  from (
    select extract(epoch from finished_at - started_at) * 1000 / (size_bytes + ${BASE_BYTES}) as ms_per_byte
    from operations
    where kind = ${kind} and state = 'succeeded'
    order by finished_at desc
    limit 5
  ) as past
)`;

/**
 * Notes a new operation. A database that is claimed already violates `operation_claims__database_id`.
 */
export async function insertOperation(trx: Trx, operation: NewOperation): Promise<void> {
  const { id, kind, database, claims, input, actor, steps, cancellable, sizeBytes, createdAt } = operation;
  await sql`
    with claimed as (
      insert into operation_claims (database_id, operation_id)
      select distinct unnest(${[...claims]}::uuid[]), ${id}::uuid
      order by 1
    )
    insert into operations (id, kind, database_id, database_name, input, actor_id, actor_name, address, state, steps,
      cancellable, size_bytes, created_at, expected_ms)
    values (${id}, ${kind}, ${database.id}, ${database.name}, ${JSON.stringify(input)}, ${actor.id}, ${actor.name},
      ${actor.address}, 'queued', ${steps}, ${cancellable}, ${sizeBytes}, ${createdAt},
      ${expectedMs(kind, sizeBytes)})`.execute(trx);
}

/**
 * Notes one new operation for each of many ready databases, in one statement; those that are claimed already are left out.
 * @returns the ids of the new ones
 */
export async function insertOperations(
  trx: Trx,
  wanted: readonly { databaseId: string; input: unknown }[],
  operation: Pick<NewOperation, 'kind' | 'actor' | 'steps' | 'cancellable' | 'createdAt'>,
): Promise<string[]> {
  const { kind, actor, steps, cancellable, createdAt } = operation;
  const { rows } = await sql<{ id: string }>`
    with wanted as (
      select gen_random_uuid() as id, d.id as database_id, d.name, w.input
      from json_to_recordset(${JSON.stringify(wanted)}::json) as w ("databaseId" uuid, input jsonb)
      join databases d on d.id = w."databaseId" and d.state = 'ready'
      order by d.id
      for key share of d
    ), claimed as (
      insert into operation_claims (database_id, operation_id)
      select database_id, id from wanted
      on conflict do nothing
      returning operation_id
    )
    insert into operations (id, kind, database_id, database_name, input, actor_id, actor_name, address, state, steps,
      cancellable, size_bytes, created_at, expected_ms)
    select id, ${kind}, database_id, name, input, ${actor.id}, ${actor.name}, ${actor.address}, 'queued', ${steps},
      ${cancellable}, 0, ${createdAt}, ${expectedMs(kind, 0)}
    from wanted join claimed on claimed.operation_id = wanted.id
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Frees the databases of an operation, as a part of the statement that ends it. */
const freeing = (operationId: string) => (query: QueryCreator<PlatformTables>) =>
  query.deleteFrom('operationClaims').where('operationId', '=', operationId);

/** The unfinished operation on one of some databases, if there is one. */
export function findClaimant(platform: Platform, databaseIds: readonly string[]): Promise<OperationRow | undefined> {
  return platform
    .selectFrom('operations')
    .select(COLUMNS)
    .where('id', 'in', (query) =>
      query
        .selectFrom('operationClaims')
        .select('operationId')
        .where('databaseId', 'in', [...databaseIds]),
    )
    .executeTakeFirst();
}

export function findOperation(platform: Platform, id: string): Promise<OperationRow | undefined> {
  return platform.selectFrom('operations').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

/** Of each group of the list so many come first, so that none hides the ones after it, however large it is. */
const FIRST_OF_GROUP = 10;

/**
 * The group of an operation in the list. Of a database that is outdated, the last upgrade is in one of its own if it failed: newer ones
 * of other databases would hide its reason.
 */
const groupOf = (newestVersion: number) => sql`case
  when state = 'running' then 0
  when state = 'queued' and actor_id is not null then 1
  when state = 'failed' and kind = 'upgrade' and exists (
    select from databases d
    where d.id = operations.database_id and d.state = 'ready' and d.schema_version < ${newestVersion}
  ) and not exists (
    select from operations later
    where later.database_id = operations.database_id and later.kind = 'upgrade'
      and later.created_at > operations.created_at
  ) then 2
  when state <> 'queued' then 3
  else 4
end`;

/**
 * What runs, what people have queued, failed upgrades that are still due, what has ended, what the server has queued by itself: the newest
 * ten of each, then the others; the newest first.
 * @param newestVersion of the tenants' schema: a database below it is outdated
 */
export function listOperationsToShow(
  platform: Platform,
  newestVersion: number,
  limit: number,
): Promise<ShownOperation[]> {
  const group = groupOf(newestVersion);
  return platform
    .selectFrom('operations')
    .select(SHOWN_COLUMNS)
    .orderBy(
      sql`case when row_number() over (partition by ${group} order by created_at desc, id) <= ${FIRST_OF_GROUP} then ${group} else 5 end`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** An operation that no job brings to a worker. */
export type Jobless = Pick<OperationRow, 'id' | 'kind' | 'actorId' | 'step' | 'attempts' | 'outlived'> & {
  /** It has rested since its last run. */
  hasRested: boolean;
};

/** Unfinished operations that no job of pg-boss's queue waits for, and that do not rest, oldest first. */
export async function listOperationsWithoutJob(platform: Platform): Promise<Jobless[]> {
  const { rows } = await sql<Jobless>`
    select id, kind, actor_id as "actorId", step, attempts, outlived, resume_at is not null as "hasRested"
    from operations o
    where state in ('queued', 'running') and coalesce(resume_at <= now(), true) and not exists (
      select from pgboss.job
      where name = ${QUEUE} and state in ('created', 'retry') and data ->> 'operationId' = o.id::text
    )
    order by created_at`.execute(platform);
  return rows;
}

/** Operations that somebody has asked to be given up, and that can be, oldest first: they run, or wait for a worker. */
export async function listCancelled(platform: Platform): Promise<string[]> {
  const rows = await platform
    .selectFrom('operations')
    .select('id')
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .where('cancelRequested', '=', true)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}

// Commits that nobody relies on need not wait for the disk: what a crash of PostgreSQL takes from these notes is what its sessions did
// after them as well, because the write-ahead log is one for all databases and is written in order.
const withoutWaiting = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Notes the beginning of a run, unless the operation has ended or rests. One that is to be cancelled does not rest.
 * @param kinds those that this server knows
 * @returns the operation; its `attempts` tell which run it is, from 1
 */
export function startRun(
  platform: Platform,
  id: string,
  kinds: readonly OperationKindName[],
  at: Date,
): Promise<OperationRow | undefined> {
  return platform
    .updateTable('operations')
    .set((expression) => ({
      state: 'running',
      attempts: expression('attempts', '+', 1),
      startedAt: at,
      heartbeatAt: at,
      resumeAt: null,
    }))
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('kind', 'in', kinds)
    .where(sql<boolean>`(coalesce(resume_at <= now(), true) or (cancel_requested and cancellable))`)
    .where(withoutWaiting)
    .returning(COLUMNS)
    .executeTakeFirst();
}

/**
 * Notes that a run was cut off though its server process lives, and when the next one may begin.
 * @param isOutlived it uses up none of the operation's lives
 * @param seconds by PostgreSQL's clock
 */
export async function noteRest(
  platform: Platform,
  id: string,
  { isOutlived, seconds }: { isOutlived: boolean; seconds: number },
): Promise<void> {
  await platform
    .updateTable('operations')
    .set({
      ...(isOutlived && { outlived: sql<number>`least(outlived + 1, attempts)` }),
      resumeAt: sql<Date>`now() + make_interval(secs => ${seconds})`,
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute();
}

/** Notes how far a run is. @returns whether somebody asked for it to be cancelled */
export async function updateProgress(
  platform: Platform,
  id: string,
  progress: { step?: number; cancellable?: boolean; percent: number; heartbeatAt: Date },
): Promise<boolean> {
  const row = await platform
    .updateTable('operations')
    .set(progress)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(withoutWaiting)
    .returning('cancelRequested')
    .executeTakeFirst();
  return row?.cancelRequested ?? false;
}

/** Asks for an operation to be given up, if it still can. @returns whether it can */
export async function requestCancel(platform: Platform, id: string, actor: Actor): Promise<boolean> {
  const row = await platform
    .updateTable('operations')
    .set({
      cancelRequested: true,
      // Who asked first.
      cancelledBy: sql<string>`coalesce(cancelled_by, ${JSON.stringify(actor)}::jsonb)`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('cancellable', '=', true)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends an operation well and frees its databases. */
export async function markSucceeded(
  trx: Trx,
  id: string,
  outcome: { message: string; result: unknown; at: Date },
): Promise<void> {
  await trx
    .with('freed', freeing(id))
    .updateTable('operations')
    .set((expression) => ({
      state: 'succeeded',
      percent: 100,
      step: sql<number>`cardinality(${expression.ref('steps')}) - 1`,
      cancellable: false,
      message: outcome.message,
      result: JSON.stringify(outcome.result ?? null),
      heartbeatAt: outcome.at,
      finishedAt: outcome.at,
    }))
    .where('id', '=', id)
    .execute();
}

/** Ends an operation without success and frees its databases. */
export async function markFailed(
  trx: Trx,
  id: string,
  failure: { state: 'failed' | 'cancelled'; message: string; error: StoredError; at: Date },
): Promise<void> {
  await trx
    .with('freed', freeing(id))
    .updateTable('operations')
    .set({
      state: failure.state,
      cancellable: false,
      message: failure.message,
      error: JSON.stringify(failure.error),
      heartbeatAt: failure.at,
      finishedAt: failure.at,
    })
    .where('id', '=', id)
    .execute();
}

/** Takes the lock on an operation for as long as `work` runs, unless somebody else runs it. @returns whether it was free */
export async function ifOperationUnlocked(
  connection: Platform,
  id: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const key = sql`hashtextextended(${`operation:${id}`}, 0)`;
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_lock(${key}) as locked`.execute(connection);
  if (!rows[0]?.locked) return false;
  try {
    await work();
  } finally {
    await sql`select pg_advisory_unlock(${key})`.execute(connection);
  }
  return true;
}

/** Forgets operations that ended before a moment. */
export async function deleteOperationsBefore(platform: Platform, before: Date): Promise<void> {
  await platform.deleteFrom('operations').where('finishedAt', '<', before).execute();
}
