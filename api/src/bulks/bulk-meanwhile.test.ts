import { operationRoutes } from '@apotheca/contract/operations';
import { tenantBulkRoutes } from '@apotheca/contract/tenant-bulks';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userBulkRoutes } from '@apotheca/contract/user-bulks';
import { expect, it, vi } from 'vitest';
import type { Trx } from '../db/platform.ts';
import { insertAccount, roleIdOf } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { bulksBy, resultsOf } from '../testing/bulks.ts';
import { whileRowWaits } from '../testing/held-rows.ts';
import { useUsers } from '../testing/users.ts';

const test = useTestApp();
const tenants = bulksBy(test, tenantBulkRoutes);
const users = bulksBy(test, userBulkRoutes);
const { edit: editUser, rowOf: userOf } = useUsers(test);

const TERM = { subscriptionStartDate: '2026-01-01', subscriptionEndDate: '2026-02-01' };
const create = async (code: string): Promise<string> =>
  (await test.call(tenantRoutes.create, { body: tenantInput(code, TERM) })).result.id;
const setEnd = (code: string, id: string, subscriptionEndDate: string) =>
  test.call(tenantRoutes.edit, { body: { ...tenantInput(code, { ...TERM, subscriptionEndDate }), id } });
const tenantOf = async (wanted: string) =>
  (await test.call(tenantRoutes.list)).result.find(({ id }: { id: string }) => id === wanted);
const untilEnded = (id: string) =>
  expect.poll(async () => (await test.call(operationRoutes.get, { query: { id } })).result.state).toBe('succeeded');

/** Starts a change of two records, and does something between the first and the second one, when both have been compared. */
async function startWith(bulks: typeof tenants, plan: { id: string; digest: string }, between: () => Promise<unknown>) {
  const operationId = await whileRowWaits(test, { batchId: plan.id, line: 2 }, async (held) => {
    const { result } = await bulks.start(plan, { headers: { prefer: 'respond-async' } });
    await held;
    const first = "select from batch_rows where batch_id = $1 and line = 1 and state = 'done'";
    await expect.poll(async () => (await test.context.pool.query(first, [plan.id])).rowCount).toBe(1);
    await between();
    return result.operationId as string;
  });
  await untilEnded(operationId);
  return resultsOf(await bulks.report(plan.id));
}

it('leaves an end that somebody sets while the rows before it are written, and says whose it is [§2.25]', async () => {
  const ids = [await create('ENDS A'), await create('ENDS B')];
  const { result: planned } = await tenants.plan({ action: 'extend', ids, subscriptionEndDate: '2089-05-05' });
  const contract = () => setEnd('ENDS B', ids[1] ?? '', '2092-12-31');
  expect(await startWith(tenants, planned, contract)).toEqual({
    'ENDS A': 'changed',
    'ENDS B': 'refused: admin changed this meanwhile. Nothing was saved yet.',
  });
  expect(await tenantOf(ids[0] ?? '')).toMatchObject({ subscriptionEndDate: '2089-05-05' });
  expect(await tenantOf(ids[1] ?? '')).toMatchObject({ subscriptionEndDate: '2092-12-31', version: 2 });
});

it('leaves a role that somebody gives while the rows before it are written, but not another field [§2.25]', async () => {
  const [one, two] = [await insertAccount(test), await insertAccount(test)];
  const [viewer, operator] = [await roleIdOf(test, 'Viewer'), await roleIdOf(test, 'Operator')];
  const owner = await roleIdOf(test, 'Administrator');
  const ids = [one.id, two.id];
  const { result: given } = await users.plan({ action: 'assign-role', roleId: operator, ids });
  expect(await startWith(users, given, () => editUser(two.id, two.userName, { roleId: owner }))).toEqual({
    [one.userName]: 'changed',
    [two.userName]: 'refused: admin changed this meanwhile. Nothing was saved yet.',
  });
  expect(await userOf(two.id)).toMatchObject({ roleId: owner });
  const { result: back } = await users.plan({ action: 'assign-role', roleId: viewer, ids });
  const notes = () => editUser(two.id, two.userName, { roleId: owner, notes: 'On leave' });
  expect(await startWith(users, back, notes)).toEqual({ [one.userName]: 'changed', [two.userName]: 'changed' });
  expect(await userOf(two.id)).toMatchObject({ roleId: viewer, notes: 'On leave' });
});

/** Starts a change of two tenants which ends at the second one, as the disk is full. @returns the plan, and the operation that failed */
async function failAt(codes: [string, string]) {
  const ids = [await create(codes[0]), await create(codes[1])] as const;
  const { result: planned } = await tenants.plan({
    action: 'extend',
    ids: [...ids],
    subscriptionEndDate: '2089-05-05',
  });
  await test.context.pool.query(`
    create function be_full() returns trigger language plpgsql as $$ begin raise 'full' using errcode = '53100'; end $$;
    create trigger be_full before update on tenants for each row when (new.code = '${codes[1]}') execute function be_full()`);
  expect(await tenants.start(planned)).toMatchObject({ status: 507 });
  await test.context.pool.query('drop function be_full cascade');
  return { ids, planned, operationId: (await tenants.report(planned.id)).result.operationId };
}

it('leaves an end that somebody has set before the change is started again [§2.25]', async () => {
  const { ids, planned, operationId } = await failAt(['AGAIN A', 'AGAIN B']);
  await setEnd('AGAIN B', ids[1], '2088-12-31');
  await untilEnded((await test.call(operationRoutes.retry, { query: { id: operationId } })).result.operationId);
  expect(resultsOf(await tenants.report(planned.id))).toEqual({
    'AGAIN A': 'changed',
    'AGAIN B': 'refused: Somebody else has changed this meanwhile. Please look at it again.',
  });
  expect(await tenantOf(ids[1])).toMatchObject({ subscriptionEndDate: '2088-12-31' });
  const again = await test.call(operationRoutes.retry, { query: { id: operationId } });
  expect(again, 'what is done is not started again').toMatchObject({ status: 409, message: 'This is done already.' });
});

it('goes on with the rest where the start that failed is sent again, by nobody else [§2.25]', async () => {
  const { ids, planned } = await failAt(['REST A', 'REST B']);
  const { token } = await test.signInAs('Operator');
  expect(await tenants.start(planned, { token })).toMatchObject({ status: 404 });
  expect(await tenants.start(planned)).toMatchObject({ status: 200 });
  expect(resultsOf(await tenants.report(planned.id))).toEqual({ 'REST A': 'changed', 'REST B': 'changed' });
  expect(await tenantOf(ids[0]), 'what was done is not done again').toMatchObject({ version: 2 });
  expect(await tenants.start(planned)).toMatchObject({ status: 409, message: 'This is done already.' });
});

it('answers a start that comes again meanwhile with the operation that goes on [§2.25]', async () => {
  const ids = [await create('LOST A'), await create('LOST B')];
  const { result: planned } = await tenants.plan({ action: 'extend', ids, subscriptionEndDate: '2089-05-05' });
  const sendAgain = async () => {
    const { status, result } = await tenants.start(planned, { headers: { prefer: 'respond-async' } });
    const { operationId } = (await tenants.report(planned.id)).result;
    expect({ status, result }).toMatchObject({ status: 202, result: { operationId } });
  };
  expect(await startWith(tenants, planned, sendAgain)).toEqual({ 'LOST A': 'changed', 'LOST B': 'changed' });
});

/**
 * Holds the next starts, each when it has compared its rows and is about to take its turn. Held here: PostgreSQL gives up who waits long for a
 * lock.
 * @returns how many are held, and what lets them go on
 */
function holdStarts(count: number) {
  const { platform } = test.context;
  const { promise: released, resolve } = Promise.withResolvers<void>();
  let held = 0;
  const begin = platform.transaction.bind(platform);
  const hold = () => {
    const transaction = begin();
    const execute = transaction.execute.bind(transaction);
    return Object.assign(transaction, {
      async execute<T>(work: (trx: Trx) => Promise<T>) {
        held += 1;
        await released;
        return execute(work);
      },
    });
  };
  const spy = vi.spyOn(platform, 'transaction');
  for (let each = 0; each < count; each += 1) spy.mockImplementationOnce(hold);
  const release = () => {
    spy.mockRestore();
    resolve();
  };
  return { held: () => held, release };
}

it('is done once when a second start compares its rows before the first one has written them [§2.25]', async () => {
  const ids = [await create('ONCE')];
  const { result: planned } = await tenants.plan({ action: 'extend', ids, subscriptionEndDate: '2089-05-05' });
  const { held, release } = holdStarts(1);
  const second = tenants.start(planned);
  await expect.poll(held).toBe(1);
  const first = await tenants.start(planned);
  release();
  const ended = [first, await second];
  expect(ended).toMatchObject([{ status: 200 }, { status: 409, message: 'This is done already.' }]);
  const entries = test.context.platform.selectFrom('auditEntries').select('action').where('entityId', '=', planned.id);
  expect(await entries.execute()).toEqual([{ action: 'tenants.bulk' }]);
});

it('says that a plan is gone where another one is made before its start takes its turn [§2.25]', async () => {
  const asked = { action: 'deactivate', ids: [await create('GONE')] };
  const { result: planned } = await tenants.plan(asked);
  const { held, release } = holdStarts(1);
  const start = tenants.start(planned);
  await expect.poll(held).toBe(1);
  const again = await tenants.plan(asked);
  release();
  const gone = { status: 404, message: 'This plan is gone. Please choose the action again.' };
  expect([again, await start, await tenants.start(planned)]).toMatchObject([{ status: 200 }, gone, gone]);
});

it('answers two starts at once with the one operation that goes on [§2.25]', async () => {
  const ids = [await create('BOTH')];
  const { result: planned } = await tenants.plan({ action: 'deactivate', ids });
  const start = () => tenants.start(planned, { headers: { prefer: 'respond-async' } });
  // It has not ended before both are answered.
  const answers = await whileRowWaits(test, { batchId: planned.id, line: 1 }, async () => {
    const { held, release } = holdStarts(2);
    const both = Promise.all([start(), start()]);
    await expect.poll(held).toBe(2);
    release();
    return both;
  });
  const { operationId } = (await tenants.report(planned.id)).result;
  const answer = expect.objectContaining({ status: 202, result: { operationId } });
  expect(answers).toEqual([answer, answer]);
  await untilEnded(operationId);
});
