import { webhookRoutes } from '@apotheca/contract/webhooks';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deriveKeys } from '../../secrets.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const URL = 'https://hooks.clinic.test/in/T0/very-secret';

let viewer: string;
beforeAll(async () => {
  viewer = (await test.signInAs('Viewer')).token;
});
afterEach(() => test.context.platform.deleteFrom('webhooks').execute());

const form = (fields: object = {}) => ({
  name: 'Pager',
  kind: 'standard',
  url: URL,
  eventTypes: ['backups.failed'],
  ...fields,
});
const create = (fields: object = {}, token?: string) =>
  test.call(webhookRoutes.create, { body: form(fields), ...(token && { token }) });
const listed = async () => (await test.call(webhookRoutes.list)).result;
const audited = async (entityId: string) => {
  const entries = test.context.platform.selectFrom('auditEntries').select(['action', 'changes']);
  return (await entries.where('entityId', '=', entityId).orderBy('id').execute()).map(({ action, changes }) => [
    action,
    changes,
  ]);
};

describe('webhooks', () => {
  it('are for who has the permissions: their addresses may be secrets [DECISIONS §13]', async () => {
    const calls = [
      test.call(webhookRoutes.list, { token: viewer }),
      create({}, viewer),
      test.call(webhookRoutes.deliveries, { token: viewer, query: { webhookId: crypto.randomUUID() } }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it.each([
    [{ name: ' ' }, { name: ['Name is required'] }],
    [{ kind: 'pager' }, { kind: ['Kind is required'] }],
    [{ url: 'hooks.clinic.test' }, { url: ['Address must be a URL such as https://hooks.example.com/apotheca'] }],
    [{ url: 'ftp://hooks.clinic.test' }, { url: ['Address must be a URL such as https://hooks.example.com/apotheca'] }],
    [{ url: 'https://me:hush@hooks.clinic.test' }, { url: ['Address must not hold a user name or a password'] }],
    [{ url: 'http://hooks.clinic.test' }, { url: ['Address must begin with https://'] }],
    [{ url: 'https://127.0.0.1' }, { url: [expect.stringContaining('127.0.0.1 is not on the public internet')] }],
    [{ eventTypes: [] }, { eventTypes: ['Choose at least one event'] }],
    [{ eventTypes: ['tenants.renamed'] }, { 'eventTypes.0': ['This event is unknown'] }],
  ])('are refused with a message at the field: %o [DECISIONS §13]', async (fields, errors) => {
    expect(await create(fields)).toMatchObject({ status: 400, errors });
    expect(await listed()).toEqual([]);
  });

  it('tell their secret once, and are stored sealed [DECISIONS §13]', async () => {
    const { result } = await create();
    expect(result).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    const { id, secret } = result;
    expect(await listed()).toEqual([
      {
        ...form(),
        id,
        isActive: true,
        inactiveReason: '',
        previousUntilUtc: null,
        pending: 0,
        failed: 0,
        lastDeliveredOnUtc: null,
        version: 1,
      },
    ]);
    const stored = await test.context.platform.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
    const everything = `${JSON.stringify(await audited(id))}${JSON.stringify(stored)}${stored.sealed.toString('latin1')}`;
    expect(everything).not.toMatch(/very-secret|whsec/);
    expect(everything).not.toContain(secret.slice(6));
    expect(await audited(id)).toEqual([
      [
        'webhooks.create',
        { name: 'Pager', host: 'hooks.clinic.test', eventTypes: 'backups.failed', isActive: true, kind: 'standard' },
      ],
    ]);
    expect(await create({ name: 'PAGER' })).toMatchObject({
      status: 409,
      errors: { name: ['This name is taken: choose another one.'] },
    });
  });

  it('are changed, rotated and deleted, with an entry in the trail [DECISIONS §13]', async () => {
    const { id } = (await create()).result;
    const edit = (fields: object) => {
      const { kind: _, ...body } = form(fields);
      return test.call(webhookRoutes.edit, { body: { id, ...body } });
    };
    expect((await edit({ version: 1, eventTypes: ['audit.broken', 'tenants.created'] })).status).toBe(200);
    expect(await edit({ version: 1 })).toMatchObject({
      status: 409,
      result: { version: 2, changes: [{ field: 'eventTypes', after: ['tenants.created', 'audit.broken'] }] },
    });
    expect((await edit({ version: 2, url: 'https://hooks.clinic.test/in/T1/other-secret' })).status).toBe(200);
    // What the trail keeps as a text, or not at all, is what the form of the webhook has.
    expect((await edit({ version: 2 })).result).toMatchObject({
      version: 3,
      changes: [
        { field: 'eventTypes', after: ['backups.failed'] },
        { field: 'url', after: 'https://hooks.clinic.test/in/T1/other-secret' },
      ],
    });
    const rotated = await test.call(webhookRoutes.rotate, { body: { id } });
    expect(rotated.result.secret).toMatch(/^whsec_/);
    const { previousUntilUtc } = (await listed())[0];
    expect(Date.parse(previousUntilUtc) - test.clock.now.getTime()).toBe(24 * 3_600_000);
    expect((await test.call(webhookRoutes.delete, { query: { id } })).status).toBe(200);
    for (const answer of [
      await edit({}),
      await test.call(webhookRoutes.rotate, { body: { id } }),
      await test.call(webhookRoutes.delete, { query: { id } }),
      await test.call(webhookRoutes.test, { body: { id } }),
      await test.call(webhookRoutes.replay, { body: { webhookId: id } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, message: 'There is no such webhook.' });
    }
    expect((await audited(id)).slice(1)).toEqual([
      ['webhooks.edit', { eventTypes: ['backups.failed', 'tenants.created, audit.broken'], version: [1, 2] }],
      [
        'webhooks.edit',
        { eventTypes: ['tenants.created, audit.broken', 'backups.failed'], version: [2, 3], address: 'changed' },
      ],
      ['webhooks.rotate', { name: 'Pager', version: [3, 4] }],
      ['webhooks.delete', { name: 'Pager' }],
    ]);
  });

  it('stay inactive where an edit does not say that they are active [DECISIONS §13]', async () => {
    const { id } = (await create()).result;
    const { kind: _, isActive: __, ...body } = { isActive: true, ...form() };
    const edit = (fields: object) => test.call(webhookRoutes.edit, { body: { id, ...body, ...fields } });
    const isActive = async () => (await listed())[0].isActive;
    expect([(await edit({ isActive: false })).status, await isActive()]).toEqual([200, false]);
    expect([(await edit({ name: 'Renamed' })).status, await isActive()]).toEqual([200, false]);
    expect([(await edit({ isActive: true })).status, await isActive()]).toEqual([200, true]);
    expect([(await edit({})).status, await isActive()]).toEqual([200, true]);
    expect((await audited(id)).at(2)).toEqual(['webhooks.edit', { name: ['Pager', 'Renamed'], version: [2, 3] }]);
    await test.call(webhookRoutes.delete, { query: { id } });
  });

  it('of chats have no secret to rotate; those of another APOTHECA_SECRET are only deleted [DECISIONS §13]', async () => {
    const { id, secret } = (await create({ kind: 'chat' })).result;
    expect(secret).toBe('');
    expect(await test.call(webhookRoutes.rotate, { body: { id } })).toMatchObject({ status: 409 });
    const { keys } = test.context;
    test.context.keys = { ...keys, webhooks: deriveKeys('another secret').webhooks };
    const { kind: _, ...body } = form();
    const [[shown], edited] = [await listed(), await test.call(webhookRoutes.edit, { body: { id, ...body } })];
    test.context.keys = keys;
    expect(shown.url).toBe('');
    expect(edited).toMatchObject({ status: 409, message: expect.stringContaining('another APOTHECA_SECRET') });
  });

  it('show their deliveries a page at a time, newest first [DECISIONS §13]', async () => {
    const { id } = (await create()).result;
    const delivery = (entryId: number, state: 'failed' | 'pending') => ({
      webhookId: id,
      entryId: String(entryId),
      eventId: `evt_${entryId}`,
      eventType: 'backups.failed',
      entity: 'databases',
      entityId: 'd1',
      body: '{}',
      occurredAt: test.clock.now,
      state,
      firstTriedAt: null,
      lastTriedAt: null,
      dueAt: test.clock.now,
      claimedUntil: null,
      lastStatus: state === 'failed' ? 500 : null,
      endedAt: state === 'failed' ? test.clock.now : null,
    });
    const rows = Array.from({ length: 60 }, (_, n) => delivery(n + 1, n % 2 === 0 ? 'failed' : 'pending'));
    await test.context.platform.insertInto('webhookDeliveries').values(rows).execute();
    const page = async (query: object) =>
      (await test.call(webhookRoutes.deliveries, { query: { webhookId: id, ...query } })).result.map(
        ({ entryId }: { entryId: string }) => Number(entryId),
      );
    const first = await page({});
    expect([first.length, first[0], first.at(-1)]).toEqual([50, 60, 11]);
    expect(await page({ before: '11' })).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await page({ state: 'failed', before: '6' })).toEqual([5, 3, 1]);
    expect(await listed()).toMatchObject([{ pending: 30, failed: 30 }]);
    const replayed = await test.call(webhookRoutes.replay, { body: { webhookId: id } });
    expect(replayed).toMatchObject({ message: '30 events are sent again.', result: { replayed: 30 } });
    expect((await audited(id)).at(-1)).toEqual(['webhooks.replay', { name: 'Pager', replayed: 30 }]);
  });
});
