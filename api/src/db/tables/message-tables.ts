import type { AlertMode } from '@apotheca/contract/alerts';
import type { DeliveryState, WebhookKind } from '@apotheca/contract/webhooks';
import type { Generated } from 'kysely';
import type { Timestamp } from './column-types.ts';

/** What goes out: mails, and events to webhooks and alerts. */
export interface MessageTables {
  mails: Mails;
  webhooks: Webhooks;
  webhookDeliveries: WebhookDeliveries;
  alerts: Alerts;
}

interface Mails {
  id: string;
  sealed: Buffer;
  validUntil: Timestamp;
  dueAt: Timestamp;
  attempts: Generated<number>;
  /** Who must still be allowed to read it; null: it is sent in any case. */
  readerId: string | null;
  /** The permissions that the reader needs. */
  permissions: Generated<string[]>;
  /** SHA-256 of the token of the link that it brings: it is removed when the link ends. */
  linkHash: Buffer | null;
}

interface Webhooks {
  id: Generated<string>;
  name: string;
  kind: WebhookKind;
  /** Encrypted. */
  sealed: Buffer;
  previousUntil: Timestamp | null;
  eventTypes: string[];
  isActive: Generated<boolean>;
  inactiveReason: Generated<string>;
  /** Text of a bigint. */
  entryCursor: string;
  version: Generated<number>;
  createdBy: string | null;
  updatedBy: string | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

interface WebhookDeliveries {
  id: Generated<string>;
  webhookId: string;
  /** Text of a bigint. */
  entryId: string;
  eventId: string;
  eventType: string;
  entity: string;
  entityId: string;
  body: string;
  occurredAt: Timestamp;
  state: Generated<DeliveryState>;
  attempts: Generated<number>;
  firstTriedAt: Timestamp | null;
  lastTriedAt: Timestamp | null;
  dueAt: Timestamp;
  claimedUntil: Timestamp | null;
  lastStatus: number | null;
  lastAnswer: Generated<string>;
  endedAt: Timestamp | null;
}

interface Alerts {
  userId: string;
  eventTypes: string[];
  mode: AlertMode;
  hour: number;
  timeZone: string;
  /** Text of a bigint. */
  entryCursor: string;
  dueAt: Timestamp;
}
