import { operationRoutes } from '@apotheca/contract/operations';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantBulkRoutes, tenantSyncRoutes } from '@apotheca/contract/tenant-bulks';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { bulksBy, resultsOf } from '../../testing/bulks.ts';
import { whileRowWaits } from '../../testing/held-rows.ts';
import { operationsEnded } from '../../testing/operations.ts';

const test = useTestApp();
const { plan, start, report } = bulksBy(test, tenantBulkRoutes);
const NOBODY = '0b8f6d52-5c1e-4c55-9d0b-6a4f8f6b7c21';

/** Entries of a tenant that was deactivated once, which also closes its database. */
const DEACTIVATED = ['tenants.create', 'tenants.deactivate', 'tenants.change-access'];

const create = async (code: string, fields = {}): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code, fields) })).result.id;
const find = async (wanted: string) =>
  (await test.call(tenantRoutes.list)).result.find(({ id }: { id: string }) => id === wanted);
const auditedActions = async (entityId: string) =>
  (
    await test.context.platform
      .selectFrom('auditEntries')
      .select('action')
      .where('entityId', '=', entityId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);
const endOf = (id: string, state: string) =>
  expect.poll(async () => (await test.call(operationRoutes.get, { query: { id } })).result.state).toBe(state);

/** The results of an operation as a file. */
const download = async (id: string, token?: string) => {
  const bearer = token ?? (await test.signIn()).result.accessToken;
  const url = `${BASE_PATHS.api}${operationRoutes.results.path}?id=${id}`;
  return test.app.inject({ url, headers: { authorization: `Bearer ${bearer}` } });
};

it('the results are for whoever may start it; an operation on one record has none [§2.25] [DECISIONS §5]', async () => {
  const planned = await plan({ action: 'deactivate', ids: [await create('MANY D')] });
  await start(planned.result);
  const { operationId } = (await report(planned.result.id)).result;
  const viewer = (await signInTo(test, await insertAccount(test))).accessToken;
  expect((await download(operationId, viewer)).statusCode).toBe(403);
  expect(
    (await test.app.inject({ url: `${BASE_PATHS.api}${operationRoutes.results.path}?id=${operationId}` })).statusCode,
  ).toBe(401);
  expect((await download(NOBODY)).statusCode).toBe(404);
  const closing = await test.context.platform
    .selectFrom('operations')
    .select('id')
    .where('kind', '=', 'change-access')
    .executeTakeFirstOrThrow();
  expect((await download(closing.id)).json()).toMatchObject({ message: 'This operation has no results to download.' });
});

it('deactivates and activates many: what was told before, each with its result and its audit entry [§2.25]', async () => {
  const ids = [await create('MANY A'), await create('MANY B'), await create('MANY C', { isActive: false }), NOBODY];
  const planned = await plan({ action: 'deactivate', ids: [...ids, ids[0] ?? ''] });
  expect(planned).toMatchObject({ status: 200, result: { counts: { change: 2, same: 1, refused: 1 } } });
  expect(resultsOf(planned)).toEqual({
    'MANY A': 'change',
    'MANY B': 'change',
    'MANY C': 'same',
    [NOBODY]: 'refused: There is no such tenant.',
  });
  expect(await find(ids[0] ?? ''), 'a plan changes nothing').toMatchObject({ isActive: true });
  expect(await start(planned.result)).toMatchObject({
    status: 200,
    message: '2 tenants deactivated, 1 as they were and 1 refused.',
    result: { counts: { changed: 2, same: 1, refused: 1, waiting: 0 } },
  });
  expect(await find(ids[1] ?? '')).toMatchObject({ isActive: false });
  // Their databases are closed by operations of their own.
  await operationsEnded(test.databaseUrl);
  expect(await auditedActions(ids[1] ?? '')).toEqual(DEACTIVATED);
  expect(await auditedActions(ids[2] ?? ''), 'what is so already gets no entry').toEqual(['tenants.create']);
  expect(await auditedActions(planned.result.id)).toEqual(['tenants.bulk']);
  const done = await report(planned.result.id);
  expect(done.result).toMatchObject({ asked: { action: 'deactivate' }, state: 'succeeded' });
  expect(done.result.rows.map(({ id }: { id: string }) => id)).toEqual(ids);
  const { operationId } = done.result;
  const byOperation = await test.call(tenantBulkRoutes.report, { query: { operationId } });
  expect(byOperation.result, 'an operation names its report').toEqual(done.result);
  const { headers, body } = await download(operationId);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(body.slice(1).split('\r\n').slice(0, 5)).toEqual([
    'Line,Record,Result,Details',
    '1,MANY A,changed,Active: yes → no',
    '2,MANY B,changed,Active: yes → no',
    '3,MANY C,same,',
    `4,${NOBODY},refused,There is no such tenant.`,
  ]);
  expect(await start(planned.result), 'it is done once').toMatchObject({ status: 409, title: 'Conflict' });
});

it('gives many a new end, but none before its start; the field of an action is asked for [§2.25]', async () => {
  const ids = [
    await create('LONG A', { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-02-01' }),
    await create('LONG B', { subscriptionStartDate: '2090-01-01', subscriptionEndDate: '2091-01-01' }),
  ];
  expect(await plan({ action: 'extend', ids })).toMatchObject({
    status: 400,
    errors: { subscriptionEndDate: ['Expiry Date must be a date'] },
  });
  expect(await plan({ action: 'extend', ids: [], subscriptionEndDate: '2089-05-05' })).toMatchObject({
    status: 400,
    errors: { ids: ['Select at least one'] },
  });
  const planned = await plan({ action: 'extend', ids, subscriptionEndDate: '2089-05-05' });
  expect(planned.result.rows).toMatchObject([
    { outcome: 'change', changes: [{ heading: 'Expiry Date', from: '2026-02-01', to: '2089-05-05' }] },
    { outcome: 'refused', reasons: [{ heading: 'Expiry Date' }] },
  ]);
  expect(await start(planned.result)).toMatchObject({ status: 200, result: { counts: { changed: 1, refused: 1 } } });
  expect(await find(ids[0] ?? '')).toMatchObject({ subscriptionEndDate: '2089-05-05', version: 2 });
});

it('shortens no subscription: a day before its end or its putting off is refused, one before today at the field [§2.25]', async () => {
  const fields = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2090-03-01' };
  const ids = [await create('LATER A', fields), await create('LATER B', fields)];
  await test.call(tenantRoutes.postponeExpiry, { query: { id: ids[1] ?? '' } });
  const { postponedTo } = await find(ids[1] ?? '');
  const asked = { action: 'extend' as const, ids };
  expect(resultsOf(await plan({ ...asked, subscriptionEndDate: '2090-02-28' }))).toEqual({
    'LATER A': 'refused: Its subscription ends later already, on 2090-03-01.',
    'LATER B': `refused: Its subscription ends later already, on ${postponedTo}.`,
  });
  expect(resultsOf(await plan({ ...asked, subscriptionEndDate: '2090-03-01' }))).toMatchObject({ 'LATER A': 'same' });
  const yesterday = new Date(test.clock.now.getTime() - 86_400_000).toISOString().slice(0, 10);
  expect(await plan({ ...asked, subscriptionEndDate: yesterday })).toMatchObject({
    status: 400,
    errors: { subscriptionEndDate: ['Expiry Date must not be before today'] },
  });
});

it('makes an end of the day to which it was put off, and says from when [§2.25]', async () => {
  const ended = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-11-19' };
  const ids = [await create('PUT OFF A', ended), await create('PUT OFF B', ended)];
  for (const id of ids) await test.call(tenantRoutes.postponeExpiry, { query: { id } });
  const { postponedTo: end } = await find(ids[0] ?? '');
  const changesTo = async (subscriptionEndDate: string, id = '') => {
    const planned = await plan({ action: 'extend', ids: [id], subscriptionEndDate });
    expect(await start(planned.result)).toMatchObject({ status: 200 });
    return planned.result.rows[0].changes;
  };
  expect(await changesTo(end, ids[0])).toEqual([{ heading: 'Expiry Date', from: '2026-11-19', to: end }]);
  expect(await find(ids[0] ?? '')).toMatchObject({ subscriptionEndDate: end, postponedTo: null });
  expect((await plan({ action: 'extend', ids, subscriptionEndDate: end })).result.counts).toMatchObject({
    same: 1,
    change: 1,
  });
});

it('does nothing if it would do something else than was planned; a plan is for its maker [§2.25]', async () => {
  const ids = [await create('OTHER A')];
  const { result: planned } = await plan({ action: 'deactivate', ids });
  await test.call(tenantRoutes.deactivate, { query: { id: ids[0] ?? '' } });
  const refused = await start(planned);
  expect(refused).toMatchObject({ status: 409, title: 'Plan changed', result: { rows: [{ outcome: 'same' }] } });
  const operator = (await signInTo(test, await insertAccount(test, { role: 'Operator' }))).accessToken;
  expect(await start(refused.result, { token: operator })).toMatchObject({ status: 404 });
  const viewer = (await signInTo(test, await insertAccount(test))).accessToken;
  expect(await plan({ action: 'activate', ids }, { token: viewer })).toMatchObject({ status: 403 });
});

it('is cancelled between two, goes on where it was, and a second one waits for its turn [§2.25]', async () => {
  const ids = await Promise.all(['TURN A', 'TURN B', 'TURN C'].map((code) => create(code)));
  const { result: first } = await plan({ action: 'deactivate', ids });
  // It waits at its second row.
  const operationId = await whileRowWaits(test, { batchId: first.id, line: 2 }, async (held) => {
    const begun = await start(first, { headers: { prefer: 'respond-async' } });
    await held;
    await expect.poll(async () => (await find(ids[0] ?? '')).isActive).toBe(false);
    const { result: second } = await plan({ action: 'activate', ids });
    expect(await start(second)).toMatchObject({ status: 409, title: 'Busy' });
    const { operationId: id } = begun.result;
    expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
    return id;
  });
  await endOf(operationId, 'cancelled');
  const { result: cancelled } = await test.call(operationRoutes.get, { query: { id: operationId } });
  expect(cancelled.message).toMatch(
    /^Cancelled with [0-2] rows? to go\. What was done stays: [1-3] tenants? deactivated\.$/,
  );
  const again = await test.call(operationRoutes.retry, { query: { id: operationId } });
  await endOf(again.result.operationId, 'succeeded');
  expect(resultsOf(await report(first.id))).toEqual({ 'TURN A': 'changed', 'TURN B': 'changed', 'TURN C': 'changed' });
  await operationsEnded(test.databaseUrl);
  for (const id of ids) expect(await auditedActions(id)).toEqual(DEACTIVATED);
});

it('tries again what there was too much to do for, and refuses it in the end [§2.25]', async () => {
  const ids = [await create('LATE A'), await create('LATE B'), await create('LATE C')];
  const { result: planned } = await plan({ action: 'deactivate', ids });
  await test.context.pool.query(`
    create sequence tries;
    create function be_late() returns trigger language plpgsql as $$ begin
      if new.code = 'LATE B' or nextval('tries') = 1 then raise 'late' using errcode = '55P03'; end if;
      return new;
    end $$;
    create trigger be_late before update on tenants for each row when (new.code <> 'LATE C') execute function be_late()`);
  expect(await start(planned)).toMatchObject({ status: 200, result: { counts: { changed: 2, refused: 1 } } });
  await test.context.pool.query('drop function be_late cascade');
  expect(resultsOf(await report(planned.id))).toEqual({
    'LATE A': 'changed',
    'LATE B': 'refused: There is too much to do at once. Please try again in a moment.',
    'LATE C': 'changed',
  });
});

it('syncs the permissions of many tenants [§2.25]', async () => {
  const syncs = bulksBy(test, tenantSyncRoutes);
  const ids = [await create('SYNC A'), await create('SYNC B')];
  const { result: planned } = await syncs.plan({ action: 'sync', ids });
  expect(await syncs.start(planned)).toMatchObject({ status: 200, message: '2 tenants synced.' });
  for (const id of ids) expect(await auditedActions(id)).toContain('permissions.sync');
  const operator = (await signInTo(test, await insertAccount(test, { role: 'Operator' }))).accessToken;
  expect(await syncs.plan({ action: 'sync', ids }, { token: operator })).toMatchObject({ status: 403 });
});
