import type { WebhookKind } from '@apotheca/contract/webhooks';
import { type Insertable, sql, type Updateable } from 'kysely';
import type { Platform, PlatformTables, Trx } from '../../db/platform.ts';
import { firstUntold, isBehind, isOwnToTell } from './events.repository.ts';

/** A webhook as it is stored. */
export interface WebhookRow {
  id: string;
  name: string;
  kind: WebhookKind;
  sealed: Buffer;
  previousUntil: Date | null;
  eventTypes: string[];
  isActive: boolean;
  inactiveReason: string;
  version: number;
}

const COLUMNS = [
  'id',
  'name',
  'kind',
  'sealed',
  'previousUntil',
  'eventTypes',
  'isActive',
  'inactiveReason',
  'version',
] as const;

/** A webhook, and how it stands with its deliveries. */
export interface ListedWebhook extends WebhookRow {
  pending: number;
  failed: number;
  lastDeliveredAt: Date | null;
}

export function listWebhooks(platform: Platform): Promise<ListedWebhook[]> {
  const ofWebhook = sql`from webhook_deliveries d where d.webhook_id = webhooks.id`;
  return platform
    .selectFrom('webhooks')
    .select(COLUMNS)
    .select([
      sql<number>`(select count(*)::int ${ofWebhook} and state = 'pending')`.as('pending'),
      sql<number>`(select count(*)::int ${ofWebhook} and state = 'failed')`.as('failed'),
      sql<Date | null>`(select max(ended_at) ${ofWebhook} and state = 'delivered')`.as('lastDeliveredAt'),
    ])
    .orderBy('name')
    .execute();
}

/** Locks a webhook until the transaction ends. */
export function lockWebhook(trx: Trx, id: string): Promise<WebhookRow | undefined> {
  return trx.selectFrom('webhooks').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Locks a webhook against deletion until the transaction ends. */
export async function keepWebhook(trx: Trx, id: string): Promise<void> {
  await trx.selectFrom('webhooks').select('id').where('id', '=', id).forKeyShare().execute();
}

export async function insertWebhook(trx: Trx, row: Insertable<PlatformTables['webhooks']>): Promise<string> {
  const { id } = await trx.insertInto('webhooks').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Changes a webhook and increments its version. */
export async function updateWebhook(
  trx: Trx,
  id: string,
  changes: Updateable<PlatformTables['webhooks']>,
): Promise<void> {
  await trx
    .updateTable('webhooks')
    .set({ ...changes, version: sql`version + 1` })
    .where('id', '=', id)
    .execute();
}

export async function deleteWebhook(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('webhooks').where('id', '=', id).execute();
}

/** A webhook that the audit trail has gone beyond. */
export interface WebhookBehind {
  id: string;
  eventTypes: string[];
  entryCursor: string;
}

/**
 * Locks the active webhook that is farthest behind the audit trail, of those that no other process works on or is to work on.
 * @param newest up to which entry
 */
export async function lockWebhookBehind(trx: Trx, now: Date, newest: string): Promise<WebhookBehind | undefined> {
  return trx
    .selectFrom('webhooks')
    .select(['id', 'eventTypes', 'entryCursor'])
    .where('isActive', '=', true)
    .where(isBehind('webhooks.entryCursor', newest))
    .where(isOwnToTell('eventTypes', firstUntold('webhooks.entryCursor'), now))
    .orderBy('entryCursor')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function setCursor(trx: Trx, id: string, entryCursor: string): Promise<void> {
  await trx.updateTable('webhooks').set({ entryCursor }).where('id', '=', id).execute();
}
