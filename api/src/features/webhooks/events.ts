import { EVENT_TYPES, type Event, type EventType, TEST_EVENT } from '@apotheca/contract/events';
import { OPERATION_KINDS } from '@apotheca/contract/operations';
import type { EventEntry } from './events.repository.ts';

/** What an event tells besides the record, by its name. Absent or empty: it does not apply. */
type Facts = Record<string, string | undefined>;

interface Source {
  actions: readonly string[];
  /** Which entries of these actions; absent: all. */
  when?: (entry: EventEntry) => boolean;
  facts?: (entry: EventEntry) => Facts;
}

const ENDS = ['failed', 'cancelled'] as const;
/** Actions that end an operation well and are not named after its kind. */
const SUCCEEDED: Record<string, string> = {
  'tenants.duplicate': 'duplicate-tenant',
  'tenants.delete': 'delete-tenant',
  'tenants.change-access': 'change-access',
  'permissions.sync-tenants': 'sync-tenants',
  'tenants.import': 'import-tenants',
  'users.import': 'import-users',
  'faqs.import': 'import-faqs',
  'tenants.bulk': 'bulk-tenants',
  'databases.bulk': 'bulk-databases',
  'permissions.bulk': 'bulk-permissions',
  'users.bulk': 'bulk-users',
};

/** What the audit entries of a kind of operation may be about. */
const entitiesOf = (kind: string): string[] =>
  /^(import|bulk)-/.test(kind) ? [kind.replace(/^\w+-/, '')] : ['databases', 'permissions'];

/** How an operation ended, by the action of its audit entry. */
const ENDED_OPERATIONS = new Map<string, { kind: string; outcome: string }>([
  ...OPERATION_KINDS.flatMap((kind) =>
    entitiesOf(kind).flatMap((entity): [string, { kind: string; outcome: string }][] => [
      [`${entity}.${kind}`, { kind, outcome: 'succeeded' }],
      ...ENDS.map((outcome): [string, { kind: string; outcome: string }] => [
        `${entity}.${kind}-${outcome}`,
        { kind, outcome },
      ]),
    ]),
  ),
  ...Object.entries(SUCCEEDED).map(([action, kind]): [string, { kind: string; outcome: string }] => [
    action,
    { kind, outcome: 'succeeded' },
  ]),
]);

/** A text among an entry's changes; of `[before, after]` the newer one. */
function textOf({ changes }: EventEntry, name: string): string | undefined {
  const value = changes[name];
  const newest = Array.isArray(value) ? value.at(-1) : value;
  return typeof newest === 'string' ? newest : undefined;
}

const tenant = (entry: EventEntry): Facts => ({ code: textOf(entry, 'code') ?? entry.tenantCode ?? undefined });
const database = (entry: EventEntry): Facts => ({
  databaseName: textOf(entry, 'databaseName') ?? textOf(entry, 'name'),
});

/** Whether a tenant was switched to this by the entry. */
const switchedTo =
  (isActive: boolean) =>
  ({ action, changes }: EventEntry): boolean => {
    if (action !== 'tenants.edit') return true;
    return Array.isArray(changes.isActive) && changes.isActive[1] === isActive;
  };

/** Of which entries each event is made, and what it tells. Reasons stay here: they may quote what stands in a tenant's database. */
const SOURCES: Record<EventType | typeof TEST_EVENT, Source> = {
  'tenants.created': {
    actions: ['tenants.create', 'tenants.duplicate'],
    facts: (entry) => ({ ...tenant(entry), ...database(entry) }),
  },
  'tenants.suspended': {
    actions: ['tenants.deactivate', 'tenants.edit'],
    when: switchedTo(false),
    facts: tenant,
  },
  'tenants.resumed': {
    actions: ['tenants.activate', 'tenants.edit'],
    when: switchedTo(true),
    facts: tenant,
  },
  'tenants.expiring': {
    actions: ['tenants.expiry'],
    facts: (entry) => ({ ...tenant(entry), step: textOf(entry, 'step'), endsOn: textOf(entry, 'endsOn') }),
  },
  'tenants.deleted': { actions: ['tenants.delete'], facts: tenant },
  'tenants.put-back': { actions: ['tenants.unpark'], facts: tenant },
  'backups.failed': {
    actions: ['databases.backup-failed', 'installation.backup-failed'],
    facts: (entry) => ({ ...database(entry), store: textOf(entry, 'store') }),
  },
  'proofs.failed': { actions: ['databases.proof-failed'], facts: database },
  'copies.damaged': {
    actions: ['databases.copy-damaged'],
    facts: (entry) => ({ ...database(entry), store: textOf(entry, 'store') }),
  },
  'operations.ended': {
    actions: [...ENDED_OPERATIONS.keys()],
    facts: (entry) => ({ ...ENDED_OPERATIONS.get(entry.action), ...database(entry) }),
  },
  'sign-ins.blocked': {
    actions: ['auth.sign-in-blocked'],
    // The others that the same delay blocks are no news.
    when: ({ changes }) => 'blockedUntil' in changes,
    facts: (entry) => ({
      // What was typed as an unknown name may be a password.
      userName: entry.entityId === '' ? undefined : entry.actorName,
      address: entry.address,
      blockedUntil: textOf(entry, 'blockedUntil'),
    }),
  },
  'audit.broken': {
    actions: ['audit.verify-failed'],
    facts: (entry) => ({ problem: textOf(entry, 'problem') }),
  },
  [TEST_EVENT]: { actions: ['webhooks.test'], facts: (entry) => ({ name: textOf(entry, 'name') }) },
};

const TYPES = [TEST_EVENT, ...EVENT_TYPES] as const;

/** The actions of which some event is made. */
export const EVENT_ACTIONS = [...new Set(Object.values(SOURCES).flatMap(({ actions }) => actions))];

/**
 * The event that an entry is for who has chosen some types: of several that fit, the most precise one.
 * @returns undefined where none fits
 */
export function eventOf(entry: EventEntry, chosen: readonly string[]): Event | undefined {
  const type = TYPES.find((each) => chosen.includes(each) && isMadeOf(entry, SOURCES[each]));
  if (!type) return undefined;
  const facts = Object.entries(SOURCES[type].facts?.(entry) ?? {}).filter(
    (fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== '',
  );
  return {
    // Of the entry's own hash: an id of the trail may come again after a recovery, an entry does not.
    id: `evt_${entry.hash.subarray(0, 16).toString('hex')}`,
    type,
    timestamp: entry.at.toISOString(),
    data: { entity: entry.entity, id: entry.entityId, ...Object.fromEntries(facts) },
  };
}

const isMadeOf = (entry: EventEntry, { actions, when }: Source): boolean =>
  actions.includes(entry.action) && (when?.(entry) ?? true);
