import { z } from 'zod';
import type { PermissionIdentifier } from './permission-catalogue.ts';
import { utcMoment } from './text.ts';

interface EventKind {
  type: string;
  /** What happened, as people choose it. */
  name: string;
  /** What a person needs to be told of it. */
  permission: PermissionIdentifier;
}

/**
 * What happens that others are told of. Each is made of one entry of the audit trail, so it is there if and only if what it tells of is.
 * An entry that fits several types is told as the first one that the receiver has chosen: the more precise ones come first.
 */
export const EVENT_KINDS = [
  { type: 'tenants.created', name: 'A tenant was created', permission: 'tenants.read' },
  { type: 'tenants.suspended', name: 'A tenant was deactivated', permission: 'tenants.read' },
  { type: 'tenants.resumed', name: 'A tenant was activated', permission: 'tenants.read' },
  { type: 'tenants.expiring', name: 'A subscription is about to end, or has ended', permission: 'tenants.read' },
  { type: 'tenants.deleted', name: 'A tenant was deleted', permission: 'tenants.read' },
  { type: 'tenants.put-back', name: 'A deleted tenant was put back', permission: 'tenants.read' },
  { type: 'backups.failed', name: 'A backup failed', permission: 'databases.read' },
  { type: 'proofs.failed', name: 'A backup cannot be restored', permission: 'databases.read' },
  { type: 'copies.damaged', name: 'A copy of a backup is damaged', permission: 'databases.read' },
  { type: 'operations.ended', name: 'An operation ended', permission: 'databases.read' },
  { type: 'sign-ins.blocked', name: 'Sign-ins were blocked', permission: 'audit.read' },
  { type: 'audit.broken', name: 'The audit trail is broken', permission: 'audit.read' },
] as const satisfies readonly EventKind[];

export type EventType = (typeof EVENT_KINDS)[number]['type'];

export const EVENT_TYPES = EVENT_KINDS.map(({ type }) => type) as [EventType, ...EventType[]];

/** What 'Send test' sends: to one webhook, whatever it has chosen. */
export const TEST_EVENT = 'webhooks.test';

/** Types as a form sends them, in the order of {@link EVENT_KINDS}. */
export const chosenTypes = z
  .array(z.enum(EVENT_TYPES, { error: 'This event is unknown' }), { error: 'Choose at least one event' })
  .max(EVENT_TYPES.length, `At most ${EVENT_TYPES.length} events`)
  .transform((types) => EVENT_TYPES.filter((type) => types.includes(type)));

/** An event as receivers get it. It never holds a secret, data of patients, or a text that a database has written. */
export const event = z.object({
  /** The same each time that the event is sent. */
  id: z.string(),
  type: z.enum([...EVENT_TYPES, TEST_EVENT]),
  timestamp: utcMoment,
  data: z
    .object({
      /** What kind of record it is about, as in the audit trail. */
      entity: z.string(),
      /** The record's id; empty where it is about none. */
      id: z.string(),
    })
    .catchall(z.string()),
});
export type Event = z.infer<typeof event>;
