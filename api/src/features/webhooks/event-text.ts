import { type Event, TEST_EVENT } from '@apotheca/contract/events';
import { isKnownKind, type OperationKindName } from '@apotheca/contract/operations';

/** What the steps of `tenants.expiring` after the end of a subscription say of it; the ones before count the days that are left. */
const ENDED_STEPS: Record<string, string> = {
  grace: '',
  'read-only': ': its programs can only read now',
  expired: ': it counts as expired now',
};

/** What each kind of operation does, before 'failed'. What makes a database is told with the name of that one. */
const DEEDS: Record<OperationKindName, (name: string) => string> = {
  clone: (name) => `Cloning a database as ${name}`,
  'clone-anonymized': (name) => `Cloning and anonymizing a database as ${name}`,
  refresh: (name) => `Refreshing ${name}`,
  rename: (name) => `Renaming ${name}`,
  move: (name) => `Moving ${name} to another server`,
  backup: (name) => `Backing up ${name}`,
  restore: (name) => `Restoring ${name}`,
  prove: (name) => `Proving a backup of ${name}`,
  'restore-moment': (name) => `Restoring a database to a point in time as ${name}`,
  adopt: (name) => `Adopting a database as ${name}`,
  purge: (name) => `Deleting rows from ${name}`,
  'put-back': (name) => `Putting deleted rows back into ${name}`,
  anonymize: (name) => `Anonymizing ${name}`,
  delete: (name) => `Deleting ${name}`,
  unpark: (name) => `Putting ${name} back`,
  'remove-parked': (name) => `Removing ${name} for good`,
  upgrade: (name) => `Upgrading ${name}`,
  'duplicate-tenant': (name) => `Duplicating a tenant as ${name}`,
  'delete-tenant': (name) => `Deleting ${name} with its tenant`,
  'sync-tenants': () => 'Syncing permissions into the tenants',
  'change-access': (name) => `Opening or closing ${name} to its programs`,
  'import-tenants': () => 'Importing tenants',
  'import-users': () => 'Importing users',
  'import-faqs': () => 'Importing FAQs',
  'bulk-tenants': () => 'Changing tenants',
  'bulk-databases': () => 'Working on databases',
  'bulk-permissions': () => 'Syncing permissions into tenants',
  'bulk-users': () => 'Changing users',
};

const deedOf = (kind: string, name: string): string => (isKnownKind(kind) ? DEEDS[kind](name) : `Work on ${name}`);

const SENTENCES: Record<Event['type'], (data: Event['data'], timestamp: string) => string> = {
  'tenants.created': ({ code }) => `Tenant ${code} was created.`,
  'tenants.suspended': ({ code }) => `Tenant ${code} was deactivated.`,
  'tenants.resumed': ({ code }) => `Tenant ${code} was activated.`,
  'tenants.expiring': ({ code, step = '', endsOn = '' }, timestamp) => {
    const ended = ENDED_STEPS[step];
    const when =
      ended === undefined ? `ends ${daysInWords(timestamp, endsOn)}, on ${endsOn}` : `ended on ${endsOn}${ended}`;
    return `The subscription of tenant ${code} ${when}.`;
  },
  'tenants.deleted': ({ code }) => `Tenant ${code} was deleted.`,
  'tenants.put-back': ({ code }) => `Tenant ${code} was put back.`,
  'backups.failed': ({ databaseName, store }) =>
    databaseName ? `The backup of ${databaseName} failed.` : `The backup of the installation to ${store} failed.`,
  'proofs.failed': ({ databaseName }) => `A backup of ${databaseName} cannot be restored.`,
  'copies.damaged': ({ databaseName, store }) => `The copy of a backup of ${databaseName} in ${store} is damaged.`,
  'operations.ended': ({ kind = '', outcome, databaseName = 'a database' }) =>
    `${deedOf(kind, databaseName)} ${ENDED[outcome ?? ''] ?? 'ended'}.`,
  'sign-ins.blocked': ({ userName, address }) =>
    `Sign-ins ${userName ? `of ${userName} ` : ''}from ${address} were blocked after failed attempts.`,
  'audit.broken': ({ problem }) => `The audit trail is broken: ${problem}.`,
  [TEST_EVENT]: ({ name }) => `This is a test of the webhook ${name}.`,
};

const ENDED: Record<string, string> = { succeeded: 'succeeded', failed: 'failed', cancelled: 'was cancelled' };

/** From the day of a moment to another day, both in UTC: 'today', 'tomorrow', 'in 10 days'. A step is announced at any day of its range. */
function daysInWords(timestamp: string, day: string): string {
  const days = (Date.parse(day) - Date.parse(timestamp.slice(0, 10))) / 86_400_000;
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day');
}

/** What an event tells, in one plain sentence. */
export const sentenceOf = ({ type, data, timestamp }: Event): string =>
  SENTENCES[type](data, timestamp).replace(/\.+$/, '.');

/** Where more of it is shown: what was done with its record. */
export function linkOf(publicUrl: string, { data }: Event): string {
  const query = new URLSearchParams({ entity: data.entity });
  if (data.id !== '') query.set('entityId', data.id);
  return `${publicUrl}/audit?${query}`;
}
