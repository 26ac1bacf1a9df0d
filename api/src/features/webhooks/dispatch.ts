import { type Event, TEST_EVENT } from '@apotheca/contract/events';
import { RETRY_HOURS } from '@apotheca/contract/webhooks';
import { SERVER_ACTOR } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { MOST_DRIFT } from '../../db/trusted-clock.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  deleteDeliveriesBefore,
  insertDeliveries,
  leaveOneAttempt,
  postponeBehind,
  releaseDelivery,
  setAttempted,
} from './deliveries.repository.ts';
import type { Destinations } from './destinations.ts';
import { linkOf, sentenceOf } from './event-text.ts';
import { type EventEntry, findNewestEntry, listEventEntries } from './events.repository.ts';
import { EVENT_ACTIONS, eventOf } from './events.ts';
import { type Posted, post, RECEIVER_TIMEOUT } from './posting.ts';
import { unseal } from './sealing.ts';
import { isOverlapping, signatureHeaders } from './signing.ts';
import {
  keepWebhook,
  lockWebhook,
  lockWebhookBehind,
  setCursor,
  updateWebhook,
  type WebhookBehind,
} from './webhooks.repository.ts';

/** How many entries of the audit trail are read in one transaction. */
const STRETCH = 1_000;
/** How many deliveries a webhook gets at a time. */
const EACH = 4;
/** After how long a delivery that a server process took is given to another one, in milliseconds: it may have been killed. */
export const CLAIM = 60_000;
/** The first pause after a failure, in milliseconds; it doubles with each further one. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 3_600_000;
/** How much longer or shorter a pause may be, so that what failed together does not come again together. */
const JITTER = 0.2;
const HOUR = 3_600_000;
/** After how long the last attempt is made, in milliseconds. */
const END = RETRY_HOURS * HOUR;
/** For how long deliveries that have ended are kept, in milliseconds: 30 days. */
const REMEMBERED = 30 * 24 * HOUR;
/** The receiver wants no more (Standard Webhooks). */
const GONE = 410;

/**
 * Queues deliveries for all that has happened since the webhooks' cursors, by now: what happens meanwhile is for the next time. Cursor and
 * deliveries move in one transaction, so each event is queued once for each webhook, whatever is killed and however many processes do this
 * at once.
 * @returns whether there was one
 */
export async function queueDeliveries(context: Context): Promise<boolean> {
  const { platform } = context;
  const newest = await findNewestEntry(platform);
  let isAny = false;
  for (let isMore = true; isMore; ) {
    isMore = await platform.transaction().execute(async (trx) => {
      const webhook = await lockWebhookBehind(trx, context.now(), newest);
      if (!webhook) return false;
      const stretch = { after: webhook.entryCursor, most: STRETCH };
      const { entries, readTo } = await listEventEntries(trx, EVENT_ACTIONS, stretch);
      const deliveries = entries.flatMap((entry) => deliveryOf(webhook, entry));
      await insertDeliveries(trx, deliveries);
      await setCursor(trx, webhook.id, readTo);
      isAny ||= deliveries.length > 0;
      return true;
    });
  }
  return isAny;
}

function deliveryOf({ id: webhookId, eventTypes }: WebhookBehind, entry: EventEntry) {
  // A test is for the webhook that it is about.
  const isOwnTest = entry.entity === 'webhooks' && entry.entityId === webhookId;
  const event = eventOf(entry, isOwnTest ? [TEST_EVENT] : eventTypes);
  if (!event) return [];
  const { id: entryId, entity, entityId, at: occurredAt } = entry;
  const record = { entity, entityId, occurredAt };
  return [
    {
      webhookId,
      entryId,
      eventId: event.id,
      eventType: event.type,
      ...record,
      body: JSON.stringify(event),
      firstTriedAt: null,
      lastTriedAt: null,
      claimedUntil: null,
      lastStatus: null,
      endedAt: null,
    },
  ];
}

/** What sending needs besides the context. */
export interface Sending {
  destinations: Destinations;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  onError: (error: unknown) => void;
  /** In milliseconds. */
  timeout?: number;
}

/**
 * Begins to send deliveries that are due.
 * @param most how many at most
 * @returns one promise for each, which is never rejected
 */
export async function sendDue(context: Context, sending: Sending, most: number): Promise<Promise<void>[]> {
  const limits = { most, each: EACH, claim: CLAIM, longestPause: LONGEST_PAUSE };
  const claimed = await claimDeliveries(context.platform, context.now(), limits);
  return claimed.map((delivery) => attempt(context, sending, delivery).catch(sending.onError));
}

async function attempt(context: Context, sending: Sending, delivery: ClaimedDelivery): Promise<void> {
  const { stopping, timeout = RECEIVER_TIMEOUT } = sending;
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeout)]);
  const posted = await send(context, sending.destinations, delivery, signal);
  if (stopping.aborted && posted.status === null) return releaseDelivery(context.platform, delivery);
  const isGone = posted.status === GONE && (await deactivate(context, delivery));
  const outcome = await outcomeOf(context, delivery, posted, isGone);
  // In one transaction: else another process takes what waits behind it before that is noted.
  await context.platform.transaction().execute(async (trx) => {
    // Its deletion locks its deliveries in another order.
    if (outcome.state !== 'delivered') await keepWebhook(trx, delivery.webhookId);
    if (!(await setAttempted(trx, delivery, outcome))) return;
    if (outcome.state === 'pending') await postponeBehind(trx, delivery.id);
    if (outcome.state === 'failed' && !isGone) await leaveOneAttempt(trx, delivery.id, END);
  });
}

async function send(
  context: Context,
  destinations: Destinations,
  delivery: ClaimedDelivery,
  signal: AbortSignal,
): Promise<Posted> {
  const sealed = unseal(context, delivery.sealed);
  if (!sealed) return { status: null, answer: 'The address was saved under another APOTHECA_SECRET.' };
  const at = context.now();
  const url = new URL(sealed.url);
  if (delivery.kind === 'chat')
    return post(destinations, url, { headers: {}, body: chatBody(context, delivery), signal });
  const { secret, previousSecret } = sealed;
  const { eventId: id, body, previousUntil } = delivery;
  const secrets = previousSecret && isOverlapping(previousUntil, at) ? [secret, previousSecret] : [secret];
  const headers = signatureHeaders(secrets, { id, at, body });
  return post(destinations, url, { headers, body, signal });
}

/** What the incoming webhooks of Slack, Mattermost and Teams take. */
function chatBody({ publicUrl }: Context, { body }: ClaimedDelivery): string {
  const event: Event = JSON.parse(body);
  const link = publicUrl ? [linkOf(publicUrl, event)] : [];
  return JSON.stringify({ text: [forChat(sentenceOf(event)), ...link].join('\n') });
}

/** No name of a record links to a page, or calls anybody: an empty sign parts what chats make links of, Markdown and addresses. */
const forChat = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@|\]|:(?=\/\/)|www(?=\.)/gi, '$&\u200b');

async function outcomeOf(
  { now, trustedNow }: Context,
  { attempts, firstTriedAt }: ClaimedDelivery,
  { status, answer }: Posted,
  isGone: boolean,
) {
  const at = now();
  const last = { lastStatus: status, lastAnswer: answer };
  if (status !== null && status >= 200 && status < 300)
    return { ...last, state: 'delivered', next: null, endedAt: at } as const;
  // Nothing sends again what was given up: so no clock does that which is only ahead. The last attempt is due by PostgreSQL's, which may be
  // a little ahead of this process's.
  const isOver = isGone || Number(await trustedNow()) + MOST_DRIFT >= firstTriedAt.getTime() + END;
  if (isOver) return { ...last, state: 'failed', next: null, endedAt: at } as const;
  return { ...last, state: 'pending', next: { pause: pauseAfter(attempts), end: END }, endedAt: null } as const;
}

function pauseAfter(attempts: number): number {
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempts - 1, 30));
  return pause * (1 + JITTER * (2 * Math.random() - 1));
}

/**
 * Switches off a webhook whose receiver is gone.
 * @returns false where somebody has edited it since the delivery was claimed: what was asked may be another receiver than it has now
 */
async function deactivate(context: Context, { webhookId: id, version }: ClaimedDelivery): Promise<boolean> {
  return context.platform.transaction().execute(async (trx) => {
    const webhook = await lockWebhook(trx, id);
    if (!webhook?.isActive) return true;
    if (webhook.version !== version) return false;
    const inactiveReason = 'The receiver answered 410 Gone.';
    await updateWebhook(trx, id, { isActive: false, inactiveReason });
    const changes = {
      name: webhook.name,
      isActive: [true, false],
      version: [webhook.version, webhook.version + 1],
      reason: inactiveReason,
    };
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      action: 'webhooks.deactivate',
      entity: 'webhooks',
      entityId: id,
      changes,
    });
    return true;
  });
}

/** Deletes deliveries that ended long ago. */
export async function forgetOldDeliveries({ platform, now }: Context, stopping?: AbortSignal): Promise<void> {
  await deleteDeliveriesBefore(platform, new Date(now().getTime() - REMEMBERED), stopping);
}
