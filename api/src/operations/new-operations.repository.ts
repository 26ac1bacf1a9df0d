import type { OperationKindName } from '@apotheca/contract/operations';
import { sql } from 'kysely';
import type { Actor } from '../actor.ts';
import { noteMade } from '../db/keyed-calls.ts';
import type { Trx } from '../db/platform.ts';

/** A new operation. */
export interface NewOperation {
  id: string;
  kind: OperationKindName;
  database: { id: string; name: string };
  /** Ids of the databases that it claims. */
  claims: readonly string[];
  input: unknown;
  actor: Actor;
  steps: string[];
  cancellable: boolean;
  sizeBytes: number;
  createdAt: Date;
}

/**
 * Bytes that are added to the size of every operation, for the work that does not depend on it. So the times of small databases say
 * something about large ones.
 */
const BASE_BYTES = 8_000_000;
/** The longest expected time, in milliseconds: the largest integer of PostgreSQL, 25 days. */
const LONGEST_MS = 2_147_483_647;

/** How long an operation will take in milliseconds, by the last five of its kind and their sizes; null when there were none. */
const expectedMs = (kind: OperationKindName, sizeBytes: number) => sql`(
  select avg(least(ms_per_byte * (${sizeBytes}::float8 + ${BASE_BYTES}), ${LONGEST_MS}))::int
  from (
    -- Not less than none: a clock may be set back while one runs.
    select greatest(0, extract(epoch from finished_at - started_at)) * 1000 / (size_bytes + ${BASE_BYTES}) as ms_per_byte
    from operations
    where kind = ${kind} and state = 'succeeded'
    order by finished_at desc
    limit 5
  ) as past
)`;

/** Inserts a new operation. @throws a violation of `operation_claims__database_id` if a database is claimed already */
export async function insertOperation(trx: Trx, operation: NewOperation): Promise<void> {
  const { id, kind, database, claims, input, actor, steps, cancellable, sizeBytes, createdAt } = operation;
  await noteMade(trx, { operationId: id });
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
 * Inserts one operation for each of many ready databases, in one statement. Databases that are claimed already are left out.
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
