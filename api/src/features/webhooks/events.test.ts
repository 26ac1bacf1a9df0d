import { backupRoutes } from '@apotheca/contract/backups';
import { EVENT_TYPES } from '@apotheca/contract/events';
import { OPERATION_KINDS } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operationKinds } from '../../operation-kinds.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { startReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts';
import { useWebhooks } from '../../testing/webhooks.ts';
import { announceExpiries } from '../tenants/access/tenant-access.service.ts';
import { sentenceOf } from './event-text.ts';
import { EVENT_ACTIONS } from './events.ts';

const test = useTestApp({ webhookHosts: ['127.0.0.1'] });
const { create, happen, tell } = useWebhooks(test);

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await test.context.platform.deleteFrom('webhooks').execute();
});

/** What is told of some calls. */
async function toldOf(work: () => Promise<unknown>) {
  receiver.calls.length = 0;
  await work();
  await tell();
  return receiver.calls.map(({ body }) => JSON.parse(body)).map(({ type, data }) => ({ type, ...data }));
}

const call = async (...[route, input]: Parameters<typeof test.call>) => {
  const answer = await test.call(route, input);
  if (answer.status !== 200) throw new Error(answer.message);
  return answer.result;
};

describe('one event is told of', () => {
  it('each step in the life of a tenant [DECISIONS §13]', async () => {
    await create(
      receiver.url,
      EVENT_TYPES.filter((type) => type !== 'operations.ended'),
    );
    const body = tenantInput('EVENTS', { subscriptionStartDate: '2026-11-01', subscriptionEndDate: '2026-11-25' });
    let id = '';
    const created = await toldOf(async () => {
      id = (await call(tenantRoutes.create, { body })).id;
    });
    const tenant = { entity: 'tenants', id, code: 'EVENTS' };
    expect(created).toEqual([{ type: 'tenants.created', ...tenant, databaseName: 'EVENTS' }]);
    expect(await toldOf(() => announceExpiries(test.context))).toEqual([
      { type: 'tenants.expiring', ...tenant, step: '7-days', endsOn: '2026-11-25' },
    ]);
    expect(await toldOf(() => announceExpiries(test.context))).toEqual([]);
    const suspended = { type: 'tenants.suspended', ...tenant };
    const resumed = { type: 'tenants.resumed', ...tenant };
    expect(await toldOf(() => call(tenantRoutes.deactivate, { query: { id } }))).toEqual([suspended]);
    expect(await toldOf(() => call(tenantRoutes.activate, { query: { id } }))).toEqual([resumed]);
    const edit = (fields: object) => call(tenantRoutes.edit, { body: { ...body, id, ...fields } });
    expect(await toldOf(() => edit({ isActive: false }))).toEqual([suspended]);
    expect(await toldOf(() => edit({ firstName: 'Ada' }))).toEqual([]);
    expect(await toldOf(() => edit({ isActive: true }))).toEqual([resumed]);
    expect(await toldOf(() => call(tenantRoutes.delete, { query: { id } }))).toEqual([
      { type: 'tenants.deleted', ...tenant },
    ]);
  });

  it('what a tenant went through, with its code, also where it is told of once the tenant is gone [DECISIONS §13]', async () => {
    await create(receiver.url, ['tenants.suspended', 'tenants.resumed', 'tenants.deleted']);
    const body = tenantInput('GONE');
    const { id } = await call(tenantRoutes.create, { body });
    const told = await toldOf(async () => {
      await call(tenantRoutes.deactivate, { query: { id } });
      await call(tenantRoutes.edit, { body: { ...body, id, isActive: true } });
      await call(tenantRoutes.edit, { body: { ...body, id, code: 'GONER', isActive: false } });
      await call(tenantRoutes.delete, { query: { id } });
    });
    const tenant = { entity: 'tenants', id, code: 'GONER' };
    expect(told).toEqual([
      { type: 'tenants.suspended', ...tenant },
      { type: 'tenants.resumed', ...tenant },
      { type: 'tenants.suspended', ...tenant },
      { type: 'tenants.deleted', ...tenant },
    ]);
  });

  it('each end of an operation [DECISIONS §13]', async () => {
    await create(receiver.url, ['operations.ended', 'backups.failed']);
    await call(tenantRoutes.create, { body: tenantInput('ENDED') });
    const ended = await toldOf(() => call(backupRoutes.create, { query: { databaseName: 'ENDED' } }));
    expect(ended).toMatchObject([
      { type: 'operations.ended', entity: 'databases', kind: 'backup', outcome: 'succeeded', databaseName: 'ENDED' },
    ]);
  });

  it('a delay of sign-ins, and no name that nobody has: it may be a password [DECISIONS §13]', async () => {
    await create(receiver.url, ['sign-ins.blocked']);
    const told = await toldOf(async () => {
      for (let n = 0; n < 8; n += 1) await test.signIn('correct horse battery', 'wrong');
    });
    const blockedUntil = new Date(test.clock.now.getTime() + 1_000).toISOString();
    expect(told).toEqual([{ type: 'sign-ins.blocked', entity: 'users', id: '', address: '127.0.0.1', blockedUntil }]);
  });

  it('whatever else can go wrong, in a sentence for people [DECISIONS §13]', async () => {
    await create(receiver.url, [...EVENT_TYPES]);
    const changes = {
      databaseName: 'ACME',
      store: 'disk 1',
      reason: 'Ines Moreau',
      problem: 'Entry 7 was altered.',
      code: 'ACME',
    };
    for (const action of [
      'databases.proof-failed',
      'databases.copy-damaged',
      'audit.verify-failed',
      'tenants.unpark',
      'databases.rename-cancelled',
      'installation.backup-failed',
    ])
      await happen(
        action,
        'x',
        action.startsWith('installation') ? { store: 'disk 1', reason: 'Ines Moreau' } : changes,
      );
    await tell();
    const bodies = receiver.calls.map(({ body }) => body);
    expect(bodies.map((body) => sentenceOf(JSON.parse(body))).toSorted()).toEqual([
      'A backup of ACME cannot be restored.',
      'Renaming ACME was cancelled.',
      'Tenant ACME was put back.',
      'The audit trail is broken: Entry 7 was altered.',
      'The backup of the installation to disk 1 failed.',
      'The copy of a backup of ACME in disk 1 is damaged.',
    ]);
    expect(bodies.join()).not.toContain('Ines');
  });
});

it.each([
  ['30-days', '2026-03-11', 'ends in 10 days, on 2026-03-11'],
  ['1-day', '2026-03-02', 'ends tomorrow, on 2026-03-02'],
  ['1-day', '2026-03-01', 'ends today, on 2026-03-01'],
  ['grace', '2026-02-28', 'ended on 2026-02-28'],
  ['read-only', '2026-02-01', 'ended on 2026-02-01: its programs can only read now'],
  ['expired', '2026-01-01', 'ended on 2026-01-01: it counts as expired now'],
])('the step %s with the end %s is told with the days that are left [DECISIONS §13]', (step, endsOn, told) => {
  const timestamp = '2026-03-01T23:59:00.000Z';
  const data = { entity: 'tenants', id: 'x', code: 'ACME', step, endsOn };
  expect(sentenceOf({ id: 'evt_1', type: 'tenants.expiring', timestamp, data })).toBe(
    `The subscription of tenant ACME ${told}.`,
  );
});

it('every kind of operation is told of in words, not by its code [DECISIONS §13]', () => {
  const timestamp = '2026-03-01T23:59:00.000Z';
  const ended = (kind: string, outcome = 'failed') => {
    const data = { entity: 'databases', id: 'x', kind, outcome, databaseName: 'ACME' };
    return sentenceOf({ id: 'evt_1', type: 'operations.ended', timestamp, data });
  };
  expect(ended('unpark')).toBe('Putting ACME back failed.');
  expect(ended('restore-moment', 'succeeded')).toBe('Restoring a database to a point in time as ACME succeeded.');
  expect(ended('of-a-newer-server', 'cancelled')).toBe('Work on ACME was cancelled.');
  const sentences = OPERATION_KINDS.map((kind) => ended(kind));
  expect(new Set(sentences).size).toBe(OPERATION_KINDS.length);
  expect(sentences.filter((sentence) => /operation|\w-\w/.test(sentence))).toEqual([]);
});

it('every kind of operation ends with an action that is told of [DECISIONS §13]', () => {
  const ends = OPERATION_KINDS.flatMap((kind) => {
    const entity = operationKinds.get(kind)?.entity ?? 'databases';
    return [`${entity}.${kind}-failed`, `${entity}.${kind}-cancelled`];
  });
  expect(ends.filter((action) => !EVENT_ACTIONS.includes(action))).toEqual([]);
});
