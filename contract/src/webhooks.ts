import { z } from 'zod';
import { createdBy, deletedBy, updatedBy } from './caller-stamp.ts';
import { chosenTypes } from './events.ts';
import { byId, changedRecord, count, isActive, tooLong } from './fields.ts';
import { route } from './route.ts';
import { atMost, id, requiredText, sentMoment, utcMoment } from './text.ts';
import { sentVersion, version } from './version.ts';

export const WEBHOOK_LIMITS = { name: 50, url: 2_000 } as const;

/** `standard`: signed events as JSON (Standard Webhooks). `chat`: a sentence, as the incoming webhooks of chats take it. */
export const WEBHOOK_KINDS = ['standard', 'chat'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** For how many hours an event is tried again. */
export const RETRY_HOURS = 24;
/** For how many hours after a rotation events are signed with the old secret, too. */
export const SECRET_OVERLAP_HOURS = 24;
/** How many deliveries a page has; where it has so many there may be more, after the last one's entry. */
export const DELIVERIES_PAGE = 50;
const BEFORE_INVALID = 'before must be the entryId of a delivery';

const URL_INVALID = 'Address must be a URL such as https://hooks.example.com/apotheca';

/** Where a webhook sends to. Which addresses are refused is the server's to say. */
const url = requiredText(WEBHOOK_LIMITS.url, 'Address is required', tooLong('Address', WEBHOOK_LIMITS.url))
  .refine(isWebAddress, URL_INVALID)
  .refine((value) => !hasCredentials(value), 'Address must not hold a user name or a password');

/** The form of a webhook. */
export const webhookForm = z.object({
  name: requiredText(WEBHOOK_LIMITS.name, 'Name is required', tooLong('Name', WEBHOOK_LIMITS.name)),
  kind: z.enum(WEBHOOK_KINDS, { error: 'Kind is required' }),
  url,
  eventTypes: chosenTypes.refine((types) => types.length > 0, 'Choose at least one event'),
  isActive: isActive.default(true),
});
export type WebhookForm = z.output<typeof webhookForm>;

/** `pending`: it waits for its turn or for the next attempt. `failed`: it was given up. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const webhook = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(WEBHOOK_KINDS),
  url: z.string(),
  eventTypes: z.array(z.string()),
  isActive: z.boolean(),
  /** Why the server has deactivated it; empty: it has not. */
  inactiveReason: z.string(),
  /** Until when events are also signed with the secret before the last rotation; null: they are not. */
  previousUntilUtc: utcMoment.nullable(),
  /** How many deliveries wait, and how many were given up. */
  pending: count,
  failed: count,
  /** When an event was last delivered; null: never. */
  lastDeliveredOnUtc: utcMoment.nullable(),
  version,
});
export type Webhook = z.infer<typeof webhook>;

/** The only answer that holds the secret; empty of a chat, which has none. */
export const issuedSecret = z.object({ id: z.string(), secret: z.string() });
export type IssuedSecret = z.infer<typeof issuedSecret>;

export const webhookDelivery = z.object({
  id: z.string(),
  /** The audit entry that it tells of; pages go by it. */
  entryId: z.string(),
  /** The `webhook-id` that the receiver gets. */
  eventId: z.string(),
  eventType: z.string(),
  entity: z.string(),
  entityId: z.string(),
  occurredOnUtc: utcMoment,
  state: z.enum(DELIVERY_STATES),
  attempts: count,
  /** When it is tried next; null: it has ended. */
  dueOnUtc: utcMoment.nullable(),
  lastTriedOnUtc: utcMoment.nullable(),
  /** The receiver's last status; null: there was no answer. */
  lastStatus: z.number().int().nullable(),
  /** The beginning of the receiver's last answer, or why there was none. */
  lastAnswer: z.string(),
});
export type WebhookDelivery = z.infer<typeof webhookDelivery>;

export const webhookRoutes = {
  list: route({
    feature: 'webhooks',
    summary: 'All webhooks, and how it stands with their deliveries',
    base: 'api',
    method: 'GET',
    path: '/webhooks/get',
    permission: 'webhooks.read',
    result: z.array(webhook),
  }),
  create: route({
    feature: 'webhooks',
    summary: 'Create a webhook, which gets what happens from now on; its secret is shown only once',
    base: 'api',
    method: 'POST',
    path: '/webhooks/create',
    permission: 'webhooks.write',
    keyed: true,
    fresh: true,
    body: webhookForm.extend(createdBy),
    result: issuedSecret,
    secret: true,
  }),
  edit: route({
    feature: 'webhooks',
    summary: 'Change a webhook; one that is activated again gets what happens from then on',
    base: 'api',
    method: 'PUT',
    path: '/webhooks/edit',
    permission: 'webhooks.write',
    fresh: true,
    // Without the default of a new webhook, which would activate one that the edit says nothing of.
    body: webhookForm
      .omit({ kind: true })
      .extend({ isActive: isActive.optional(), id: id(), ...sentVersion, ...updatedBy }),
    result: changedRecord,
  }),
  rotate: route({
    feature: 'webhooks',
    summary: `Give a webhook a new secret; for ${SECRET_OVERLAP_HOURS} hours events are signed with both`,
    base: 'api',
    method: 'POST',
    path: '/webhooks/rotate',
    permission: 'webhooks.write',
    keyed: true,
    fresh: true,
    body: byId.extend(updatedBy),
    result: issuedSecret,
    secret: true,
  }),
  delete: route({
    feature: 'webhooks',
    summary: 'Delete a webhook with its deliveries',
    base: 'api',
    method: 'DELETE',
    path: '/webhooks/delete',
    permission: 'webhooks.write',
    query: byId.extend(deletedBy),
    result: z.null(),
  }),
  test: route({
    feature: 'webhooks',
    summary: 'Send a webhook an event that tells of nothing',
    base: 'api',
    method: 'POST',
    path: '/webhooks/test',
    permission: 'webhooks.write',
    body: byId,
    result: z.null(),
  }),
  deliveries: route({
    feature: 'webhooks',
    summary: `The deliveries of a webhook, newest first, ${DELIVERIES_PAGE} at most; 'before' is the entryId of the last one of the page before`,
    base: 'api',
    method: 'GET',
    path: '/webhooks/deliveries',
    permission: 'webhooks.read',
    query: z.object({
      webhookId: id('webhookId is required'),
      state: z.enum(DELIVERY_STATES, { error: `state must be one of: ${DELIVERY_STATES.join(', ')}` }).optional(),
      before: z
        .string()
        .check(atMost(18, BEFORE_INVALID))
        .regex(/^\d{1,18}$/, BEFORE_INVALID)
        .optional(),
    }),
    result: z.array(webhookDelivery),
  }),
  replay: route({
    feature: 'webhooks',
    summary: 'Send again one delivery that has ended, or all of a webhook that were given up since a moment',
    base: 'api',
    method: 'POST',
    path: '/webhooks/replay',
    permission: 'webhooks.write',
    body: z.object({
      webhookId: id('webhookId is required'),
      /** Absent: those that were given up. */
      deliveryId: id().optional(),
      /** Of those that were given up: what happened at this moment or later; absent: all of them. */
      sinceUtc: sentMoment('sinceUtc must be a moment such as 2026-01-31T08:15:00Z').optional(),
    }),
    result: z.object({ replayed: count }),
  }),
};

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && ['https:', 'http:'].includes(new URL(value).protocol);
}

function hasCredentials(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username !== '' || password !== '';
}
