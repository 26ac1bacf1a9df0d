import type { DeliveryState, WebhookKind } from '@apotheca/contract/webhooks';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { deleteExpired } from '../../db/delete-expired.ts';
import { hasCome, isSetAhead, postgresNow, seconds } from '../../db/due-moments.ts';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';

const milliseconds = (count: number) => seconds(count / 1_000);

/** They are due at once, or with what goes before them: what cannot go yet is not looked at each time. */
export async function insertDeliveries(
  trx: Trx,
  deliveries: Omit<Insertable<PlatformTables['webhookDeliveries']>, 'dueAt'>[],
): Promise<void> {
  const due = deliveries.map((delivery) => ({ ...delivery, dueAt: dueBehind(delivery) }));
  if (due.length > 0) await trx.insertInto('webhookDeliveries').values(due).execute();
}

const dueBehind = ({ webhookId, entity, entityId }: { webhookId: string; entity: string; entityId: string }) =>
  sql<Date>`greatest(${postgresNow}, (
    select earlier.due_at from webhook_deliveries earlier
    where earlier.webhook_id = ${webhookId}::uuid and earlier.entity = ${entity} and earlier.entity_id = ${entityId}
      and earlier.state = 'pending'
    order by earlier.entry_id desc limit 1
  ))`;

/** A delivery that this process may send, and where. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  kind: WebhookKind;
  sealed: Buffer;
  previousUntil: Date | null;
  /** The webhook's, as it was then. */
  version: number;
  eventId: string;
  body: string;
  /** How often it was tried, this time included. */
  attempts: number;
  /** By PostgreSQL's clock. */
  firstTriedAt: Date;
}

/**
 * Takes deliveries that are due, for as long as a server process may need to send them. Of one record's, only the oldest that has not
 * ended: what happened first is told first; and of the webhooks first those to which least is on its way. Processes that look at once get
 * each delivery once, as the second one finds it taken. What is locked is left for the next time: the deletion of a webhook locks its
 * deliveries in another order. Moments that a clock set that was ahead have come.
 * @param now of the process: it is shown as the moment of the attempt
 * @param limits `most` deliveries, `each` of a webhook at a time; in milliseconds how long they are taken, and how far away the next attempt
 * is at most
 */
export async function claimDeliveries(
  platform: Platform,
  now: Date,
  limits: { most: number; each: number; claim: number; longestPause: number },
): Promise<ClaimedDelivery[]> {
  const claim = milliseconds(limits.claim);
  const isTaken = (column: string) => sql`coalesce(not ${hasCome(column, postgresNow, claim)}, false)`;
  const longest = milliseconds(limits.longestPause);
  const isFree = sql`d.state = 'pending' and ${hasCome('d.due_at', postgresNow, longest)} and not ${isTaken('d.claimed_until')}`;
  // Along the index of each webhook: what waits for one that does not answer is not read for the others.
  const firstOf = (isDue: RawBuilder<unknown>) => sql`(
    select d.id, d.due_at, d.entry_id from webhook_deliveries d
    where d.webhook_id = w.id and d.state = 'pending' and ${isDue} and not ${isTaken('d.claimed_until')} and not exists (
      select from webhook_deliveries earlier
      where earlier.webhook_id = d.webhook_id and earlier.entity = d.entity and earlier.entity_id = d.entity_id
        and earlier.state = 'pending' and earlier.entry_id < d.entry_id
    )
    order by d.due_at, d.entry_id limit ${limits.each}
  )`;
  const { rows } = await sql<ClaimedDelivery>`
    with free as (
      select due.id, due.due_at, (
        select count(*) from webhook_deliveries busy
        where busy.webhook_id = w.id and busy.state = 'pending' and busy.claimed_until is not null
          and ${isTaken('busy.claimed_until')}
      ) + row_number() over (partition by w.id order by due.due_at, due.entry_id) as place
      from webhooks w cross join lateral (
        ${firstOf(sql`d.due_at <= ${postgresNow}`)} union all ${firstOf(isSetAhead('d.due_at', postgresNow, longest))}
      ) due
      where w.is_active
    ),
    chosen as (select id from free where place <= ${limits.each} order by place, due_at limit ${limits.most}),
    locked as (
      select d.id from webhook_deliveries d where d.id in (select id from chosen) and ${isFree} for update skip locked
    ),
    taken as (
      update webhook_deliveries d set claimed_until = ${postgresNow} + ${claim}, attempts = d.attempts + 1,
        first_tried_at = least(d.first_tried_at, ${postgresNow}), last_tried_at = ${now}
      where d.id in (select id from locked)
      returning d.id, d.webhook_id, d.event_id, d.body, d.attempts, d.first_tried_at, d.due_at, d.entry_id
    )
    select t.id, t.webhook_id as "webhookId", w.kind, w.sealed, w.previous_until as "previousUntil", w.version,
      t.event_id as "eventId", t.body, t.attempts, t.first_tried_at as "firstTriedAt"
    from taken t join webhooks w on w.id = t.webhook_id
    order by t.due_at, t.entry_id`.execute(platform);
  return rows;
}

/** How an attempt ended. */
export interface Attempt {
  state: DeliveryState;
  /** After how long it is tried again, in milliseconds, and after its first attempt at which end: the last one is made there. */
  next: { pause: number; end: number } | null;
  endedAt: Date | null;
  lastStatus: number | null;
  lastAnswer: string;
}

/** Notes how an attempt ended. @returns false where another process has made the next one meanwhile */
export async function setAttempted(
  trx: Trx,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  { next, ...attempt }: Attempt,
): Promise<boolean> {
  const row = await trx
    .updateTable('webhookDeliveries')
    .set({ ...attempt, ...(next && { dueAt: dueAfter(next) }), claimedUntil: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'pending')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

function dueAfter({ pause, end }: { pause: number; end: number }) {
  const [due, last] = [sql`${postgresNow} + ${milliseconds(pause)}`, sql`first_tried_at + ${milliseconds(end)}`];
  return sql<Date>`case when ${last} > ${postgresNow} then least(${due}, ${last}) else ${due} end`;
}

/** SQL: the deliveries of a delivery's record that wait for it. They are called `later`, and it is called `d`. */
const isBehind = sql`later.webhook_id = d.webhook_id and later.entity = d.entity and later.entity_id = d.entity_id
  and later.state = 'pending' and later.entry_id > d.entry_id`;

/** Lets what waits for a delivery that is tried again be due with it. */
export async function postponeBehind(trx: Trx, id: string): Promise<void> {
  await sql`
    update webhook_deliveries later set due_at = d.due_at from webhook_deliveries d
    where d.id = ${id} and ${isBehind} and later.due_at < d.due_at`.execute(trx);
}

/**
 * Lets the next attempt be the last one of what has waited for a delivery since the time of its attempts: each with such a time of its own,
 * what waits for a receiver that never answers would grow for ever.
 * @param end how long that time is, in milliseconds
 */
export async function leaveOneAttempt(trx: Trx, id: string, end: number): Promise<void> {
  const begin = sql`${postgresNow} - ${milliseconds(end)}`;
  await sql`
    update webhook_deliveries later set first_tried_at = ${begin} from webhook_deliveries d
    where d.id = ${id} and ${isBehind} and later.first_tried_at is null and later.occurred_at <= ${begin}`.execute(trx);
}

/** Gives deliveries back that this process has not come to send. */
export async function releaseDelivery(
  platform: Platform,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
): Promise<void> {
  await platform
    .updateTable('webhookDeliveries')
    .set({ claimedUntil: null })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute();
}

/** How the deliveries stand. Webhooks that are not active wait for somebody, not for their receivers. */
export async function countDeliveries(
  platform: Platform,
  now: Date,
): Promise<{ pending: number; failed: number; oldestSeconds: number }> {
  const { rows } = await sql<{ pending: number; failed: number; oldestSeconds: number }>`
    select count(*) filter (where d.state = 'pending' and w.is_active)::int as pending,
      count(*) filter (where d.state = 'failed')::int as failed,
      greatest(extract(epoch from ${now} - min(d.occurred_at) filter (where d.state = 'pending' and w.is_active)), 0)::float
        as "oldestSeconds"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state <> 'delivered'`.execute(platform);
  const [counted] = rows;
  return { pending: counted?.pending ?? 0, failed: counted?.failed ?? 0, oldestSeconds: counted?.oldestSeconds ?? 0 };
}

/** A delivery as it is shown. */
export interface DeliveryRow {
  id: string;
  entryId: string;
  eventId: string;
  eventType: string;
  entity: string;
  entityId: string;
  occurredAt: Date;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  lastTriedAt: Date | null;
  lastStatus: number | null;
  lastAnswer: string;
}

export async function listDeliveries(
  platform: Platform,
  { webhookId, state, before }: { webhookId: string; state?: DeliveryState | undefined; before?: string | undefined },
  most: number,
): Promise<DeliveryRow[]> {
  return platform
    .selectFrom('webhookDeliveries')
    .select([
      'id',
      'entryId',
      'eventId',
      'eventType',
      'entity',
      'entityId',
      'occurredAt',
      'state',
      'attempts',
      'dueAt',
      'lastTriedAt',
      'lastStatus',
      'lastAnswer',
    ])
    .where('webhookId', '=', webhookId)
    .$if(state !== undefined, (query) => query.where('state', '=', state as DeliveryState))
    .$if(before !== undefined, (query) => query.where('entryId', '<', before as string))
    .orderBy('entryId', 'desc')
    .limit(most)
    .execute();
}

/** Lets deliveries that have ended begin anew. @returns how many */
export async function replayDeliveries(
  trx: Trx,
  { webhookId, deliveryId, since }: { webhookId: string; deliveryId?: string | undefined; since?: Date | undefined },
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhookDeliveries')
    .set({ state: 'pending', attempts: 0, firstTriedAt: null, endedAt: null, dueAt: postgresNow, claimedUntil: null })
    .where('webhookId', '=', webhookId)
    .where('state', 'in', deliveryId === undefined ? ['failed'] : ['failed', 'delivered'])
    .$if(deliveryId !== undefined, (query) => query.where('id', '=', deliveryId as string))
    .$if(since !== undefined, (query) => query.where('occurredAt', '>=', since as Date))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes deliveries that ended before a moment. */
export const deleteDeliveriesBefore = (platform: Platform, moment: Date, stopping?: AbortSignal): Promise<void> =>
  deleteExpired(platform, 'webhook_deliveries', sql`ended_at < ${moment}`, stopping);
