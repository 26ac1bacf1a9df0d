import {
  DELIVERIES_PAGE,
  type DeliveryState,
  type IssuedSecret,
  type Webhook,
  type WebhookDelivery,
  type WebhookForm,
} from '@apotheca/contract/webhooks';
import { type Actor, newStamps } from '../../actor.ts';
import { appendAudit, changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { type DeliveryRow, listDeliveries, replayDeliveries } from './deliveries.repository.ts';
import { makeDestinations } from './destinations.ts';
import { findNewestEntry } from './events.repository.ts';
import { type Sealed, seal, unseal } from './sealing.ts';
import { isOverlapping, makeSecret, SECRET_OVERLAP } from './signing.ts';
import {
  deleteWebhook as deleteWebhookRow,
  insertWebhook,
  listWebhooks as listWebhookRows,
  lockWebhook,
  updateWebhook,
  type WebhookRow,
} from './webhooks.repository.ts';

/** All webhooks, and how it stands with their deliveries. */
export async function listWebhooks(context: Context): Promise<Webhook[]> {
  const now = context.now();
  return (await listWebhookRows(context.platform)).map(({ sealed, previousUntil, lastDeliveredAt, ...row }) => ({
    ...row,
    // Unknown where it was saved under another APOTHECA_SECRET.
    url: unseal(context, sealed)?.url ?? '',
    previousUntilUtc: isOverlapping(previousUntil, now) ? previousUntil.toISOString() : null,
    lastDeliveredOnUtc: lastDeliveredAt?.toISOString() ?? null,
  }));
}

/**
 * Creates a webhook, which gets what happens from now on.
 * @returns its secret, which no other call tells
 * @throws AppError already-exists, invalid
 */
export async function createWebhook(
  context: Context,
  actor: Actor,
  { url, ...form }: WebhookForm,
): Promise<IssuedSecret> {
  refuseDestination(context, url);
  const secret = form.kind === 'standard' ? makeSecret() : '';
  const at = context.now();
  return context.platform
    .transaction()
    .execute(async (trx) => {
      const id = await insertWebhook(trx, {
        ...form,
        sealed: seal(context, { url, secret }),
        previousUntil: null,
        entryCursor: await findNewestEntry(trx),
        ...newStamps(actor, at),
      });
      await auditWebhook(context, trx, actor, 'create', id, { ...shownFields({ ...form, url }), kind: form.kind });
      return { id, secret };
    })
    .catch(refuseTakenName);
}

/**
 * Changes a webhook. One that is activated again gets what happens from then on.
 * @param edit with the webhook's version when the edit began
 * @throws AppError not-found, stale, already-exists, invalid
 */
export async function editWebhook(
  context: Context,
  actor: Actor,
  {
    id,
    version,
    url,
    ...edit
  }: Omit<WebhookForm, 'kind' | 'isActive'> & {
    id: string;
    isActive?: boolean | undefined;
    version?: number | undefined;
  },
): Promise<{ id: string }> {
  refuseDestination(context, url);
  return context.platform
    .transaction()
    .execute(async (trx) => {
      const before = await requireWebhook(trx, id);
      const form = { ...edit, isActive: edit.isActive ?? before.isActive };
      const sealed = unsealed(context, before);
      const present = { eventTypes: before.eventTypes, url: sealed.url };
      const names = { address: 'url' };
      await refuseStale(trx, { entity: 'webhooks', id, version: before.version, present, names }, version);
      await updateWebhook(trx, id, {
        ...form,
        sealed: seal(context, { ...sealed, url }),
        updatedBy: actor.id,
        updatedAt: context.now(),
        ...(form.isActive && { inactiveReason: '' }),
        ...(form.isActive && !before.isActive && { entryCursor: await findNewestEntry(trx) }),
      });
      const shown = { ...shownFields({ ...before, url: sealed.url }), version: before.version };
      // The trail tells that the address is another one, and of it the host only: that of a chat is a secret.
      const changes = {
        ...changedVersion(shown, shownFields({ ...form, url })),
        ...(sealed.url !== url && { address: 'changed' }),
      };
      await auditWebhook(context, trx, actor, 'edit', id, changes);
      return { id };
    })
    .catch(refuseTakenName);
}

/**
 * Gives a webhook a new secret. For a day events are signed with the old one too; the one before that ends at once.
 * @throws AppError not-found, conflict
 */
export async function rotateSecret(context: Context, actor: Actor, id: string): Promise<IssuedSecret> {
  return context.platform.transaction().execute(async (trx) => {
    const before = await requireWebhook(trx, id);
    if (before.kind === 'chat') {
      throw new AppError('conflict', { message: 'A chat has no secret but its address.' });
    }
    const { url, secret: previousSecret } = unsealed(context, before);
    const secret = makeSecret();
    const now = context.now();
    const previousUntil = new Date(now.getTime() + SECRET_OVERLAP);
    const sealed = seal(context, { url, secret, previousSecret });
    await updateWebhook(trx, id, { sealed, previousUntil, updatedBy: actor.id, updatedAt: now });
    const changes = { name: before.name, version: [before.version, before.version + 1] };
    await auditWebhook(context, trx, actor, 'rotate', id, changes);
    return { id, secret };
  });
}

/** Deletes a webhook with its deliveries. @throws AppError not-found */
export async function deleteWebhook(context: Context, actor: Actor, id: string): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const { name } = await requireWebhook(trx, id);
    await deleteWebhookRow(trx, id);
    await auditWebhook(context, trx, actor, 'delete', id, { name });
  });
}

/** Makes something happen of which only this webhook is told. @throws AppError not-found, conflict */
export async function sendTest(context: Context, actor: Actor, id: string): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    const { name, isActive } = await requireWebhook(trx, id);
    if (!isActive) throw new AppError('conflict', { message: 'This webhook is not active.' });
    await auditWebhook(context, trx, actor, 'test', id, { name });
  });
}

/** The deliveries of a webhook, newest first. */
export async function listWebhookDeliveries(
  { platform }: Context,
  filter: { webhookId: string; state?: DeliveryState | undefined; before?: string | undefined },
): Promise<WebhookDelivery[]> {
  return (await listDeliveries(platform, filter, DELIVERIES_PAGE)).map(shownDelivery);
}

function shownDelivery({ occurredAt, dueAt, lastTriedAt, ...row }: DeliveryRow): WebhookDelivery {
  return {
    ...row,
    occurredOnUtc: occurredAt.toISOString(),
    dueOnUtc: row.state === 'pending' ? dueAt.toISOString() : null,
    lastTriedOnUtc: lastTriedAt?.toISOString() ?? null,
  };
}

/**
 * Sends again one delivery that has ended, or all that were given up since a moment, with the same ids and texts.
 * @throws AppError not-found, conflict
 */
export async function replay(
  context: Context,
  actor: Actor,
  {
    webhookId,
    deliveryId,
    sinceUtc,
  }: { webhookId: string; deliveryId?: string | undefined; sinceUtc?: string | undefined },
): Promise<{ replayed: number }> {
  return context.platform.transaction().execute(async (trx) => {
    const { name, isActive } = await requireWebhook(trx, webhookId);
    if (!isActive) throw new AppError('conflict', { message: 'This webhook is not active.' });
    const since = sinceUtc === undefined ? undefined : new Date(sinceUtc);
    const replayed = await replayDeliveries(trx, { webhookId, deliveryId, since });
    if (replayed === 0 && deliveryId !== undefined) {
      throw new AppError('conflict', { message: 'This delivery has not ended.' });
    }
    const which = { ...(deliveryId && { deliveryId }), ...(sinceUtc && { since: sinceUtc }) };
    if (replayed > 0) await auditWebhook(context, trx, actor, 'replay', webhookId, { name, replayed, ...which });
    return { replayed };
  });
}

async function requireWebhook(trx: Trx, id: string): Promise<WebhookRow> {
  const webhook = await lockWebhook(trx, id);
  if (!webhook) throw new AppError('not-found', { message: 'There is no such webhook.' });
  return webhook;
}

function unsealed(context: Context, { sealed }: WebhookRow): Sealed {
  const content = unseal(context, sealed);
  if (!content) {
    const message = 'This webhook was saved under another APOTHECA_SECRET: please delete it and create another one.';
    throw new AppError('conflict', { message });
  }
  return content;
}

/** The fields that the audit trail may tell. */
const shownFields = ({
  name,
  url,
  eventTypes,
  isActive,
}: Pick<WebhookForm, 'name' | 'url' | 'isActive'> & { eventTypes: readonly string[] }) => ({
  name,
  host: new URL(url).host,
  eventTypes: eventTypes.join(', '),
  isActive,
});

function auditWebhook(
  context: Context,
  trx: Trx,
  actor: Actor,
  verb: 'create' | 'edit' | 'rotate' | 'delete' | 'test' | 'replay',
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  return appendAudit(context, trx, { actor, action: `webhooks.${verb}`, entity: 'webhooks', entityId, changes });
}

/** What can be known before anything is sent. @throws AppError invalid */
function refuseDestination({ webhookHosts }: Context, url: string): void {
  const refusal = makeDestinations(webhookHosts).refusalOf(new URL(url));
  if (refusal) throw fieldError('invalid', 'url', refusal);
}

const refuseTakenName = refuseBy({
  webhooks__name: () => fieldError('already-exists', 'name', 'This name is taken: choose another one.'),
});
