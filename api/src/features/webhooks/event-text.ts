import { type Event, TEST_EVENT } from '@apotheca/contract/events';

/** What the steps of `tenants.expiring` mean, after 'the subscription of ACME'. */
const STEPS: Record<string, (endsOn: string) => string> = {
  '30-days': (endsOn) => `ends in 30 days, on ${endsOn}`,
  '7-days': (endsOn) => `ends in 7 days, on ${endsOn}`,
  '1-day': (endsOn) => `ends tomorrow, on ${endsOn}`,
  grace: (endsOn) => `ended on ${endsOn}`,
  'read-only': (endsOn) => `ended on ${endsOn}: its programs can only read now`,
  expired: (endsOn) => `ended on ${endsOn}: it counts as expired now`,
};

const SENTENCES: Record<Event['type'], (data: Event['data']) => string> = {
  'tenants.created': ({ code }) => `Tenant ${code} was created.`,
  'tenants.suspended': ({ code }) => `Tenant ${code} was deactivated.`,
  'tenants.resumed': ({ code }) => `Tenant ${code} was activated.`,
  'tenants.expiring': ({ code, step = '', endsOn = '' }) =>
    `The subscription of tenant ${code} ${STEPS[step]?.(endsOn) ?? `ends on ${endsOn}`}.`,
  'tenants.deleted': ({ code }) => `Tenant ${code} was deleted.`,
  'tenants.put-back': ({ code }) => `Tenant ${code} was put back.`,
  'backups.failed': ({ databaseName, store }) =>
    databaseName ? `The backup of ${databaseName} failed.` : `The backup of the installation to ${store} failed.`,
  'proofs.failed': ({ databaseName }) => `A backup of ${databaseName} cannot be restored.`,
  'copies.damaged': ({ databaseName, store }) => `The copy of a backup of ${databaseName} in ${store} is damaged.`,
  'operations.ended': ({ kind, outcome, databaseName }) =>
    `The operation ${kind}${databaseName ? ` on ${databaseName}` : ''} ${ENDED[outcome ?? ''] ?? 'ended'}.`,
  'sign-ins.blocked': ({ userName, address }) =>
    `Sign-ins ${userName ? `of ${userName} ` : ''}from ${address} were blocked after failed attempts.`,
  'audit.broken': ({ problem }) => `The audit trail is broken: ${problem}.`,
  [TEST_EVENT]: ({ name }) => `This is a test of the webhook ${name}.`,
};

const ENDED: Record<string, string> = { succeeded: 'succeeded', failed: 'failed', cancelled: 'was cancelled' };

/** What an event tells, in one plain sentence. */
export const sentenceOf = ({ type, data }: Event): string => SENTENCES[type](data).replace(/\.+$/, '.');

/** Where more of it is shown: what was done with its record. */
export function linkOf(publicUrl: string, { data }: Event): string {
  const query = new URLSearchParams({ entity: data.entity });
  if (data.id !== '') query.set('entityId', data.id);
  return `${publicUrl}/audit?${query}`;
}
