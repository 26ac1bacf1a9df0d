import type { Alerts } from '@apotheca/contract/alerts';
import { EVENT_TYPES } from '@apotheca/contract/events';
import type { Webhook, WebhookDelivery } from '@apotheca/contract/webhooks';

/** A webhook, as the list answers it. */
export const makeWebhook = (fields: Partial<Webhook> = {}): Webhook => ({
  id: crypto.randomUUID(),
  name: 'Pager',
  kind: 'standard',
  url: 'https://hooks.clinic.test/in/T0/hush',
  eventTypes: ['backups.failed'],
  isActive: true,
  inactiveReason: '',
  previousUntilUtc: null,
  pending: 0,
  failed: 0,
  lastDeliveredOnUtc: null,
  version: 1,
  ...fields,
});

export const makeDelivery = (fields: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: crypto.randomUUID(),
  entryId: '7',
  eventId: 'evt_7',
  eventType: 'backups.failed',
  entity: 'databases',
  entityId: crypto.randomUUID(),
  occurredOnUtc: '2026-03-04T09:30:00.000Z',
  state: 'delivered',
  attempts: 1,
  dueOnUtc: null,
  lastTriedOnUtc: '2026-03-04T09:30:01.000Z',
  lastStatus: 200,
  lastAnswer: 'ok',
  ...fields,
});

export const makeAlerts = (fields: Partial<Alerts> = {}): Alerts => ({
  eventTypes: [],
  mode: 'at-once',
  hour: 7,
  timezoneId: 'UTC',
  offered: EVENT_TYPES,
  email: 'ada@clinic.test',
  mailsAreSent: true,
  ...fields,
});
