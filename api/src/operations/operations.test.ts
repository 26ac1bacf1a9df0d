import { databaseRoutes } from '@apotheca/contract/databases';
import { type Operation, operation, operationDetails, operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { settleDatabases } from '../features/databases/database-settling.ts';
import { getDatabaseByName } from '../features/databases/databases.service.ts';
import { tenantsAsOwner } from '../features/tenants/tenants.service.ts';
import { insertAccount, signInTo } from '../testing/accounts.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { waitForOperation } from './operations.service.ts';

const test = useTestApp();
const ASYNC = { prefer: 'respond-async' };

beforeAll(() => installStops(test.databaseUrl));

const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const clone = (copyFrom: string, databaseName: string, headers = {}) => {
  // Each operation starts at another moment.
  test.clock.advance(1);
  return test.call(databaseRoutes.copy, { query: { copyFrom, databaseName }, headers });
};
const get = (id: string) => test.call(operationRoutes.get, { query: { id } });
const cancel = (id: string, token?: string) =>
  test.call(operationRoutes.cancel, { query: { id }, ...(token && { token }) });
const retry = (id: string, token?: string) =>
  test.call(operationRoutes.retry, { query: { id }, ...(token && { token }) });
const names = async () =>
  (await test.call(databaseRoutes.list)).result.map(({ databaseName }: { databaseName: string }) => databaseName);

/** The token of a user whose role has only one permission. */
async function tokenWith(identifier: string): Promise<string> {
  const { platform } = test.context;
  const role = `Only ${identifier}`;
  await platform.insertInto('roles').values({ name: role }).execute();
  await sql`
    insert into role_permissions select r.id, p.id from roles r, permissions p
    where r.name = ${role} and p.identifier = ${identifier}`.execute(platform);
  return (await signInTo(test, await insertAccount(test, { role }))).accessToken;
}

/** Keeps a copy of a database from its end while `work` runs: it waits for the grace of a session there, and then for PostgreSQL's lock on what it copies. */
const withoutCopying = async (name: string, work: () => Promise<void>) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  await withClient(test.databaseUrl, async (holder) => {
    await holder.query(`begin; comment on database ${physicalName} is 'held'`);
    await withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
      client.on('error', () => {});
      await client.query('begin');
      await work();
    });
    await holder.query('rollback');
  });
};

describe('a call that starts an operation', () => {
  it('is answered 202 at once if the caller does not want to wait; the operation has the answer later [DECISIONS §8]', async () => {
    await createTenant('LONG');
    const answer = await clone('LONG', 'LONG2', ASYNC);
    expect(answer).toMatchObject({ status: 202, success: true, result: { operationId: expect.any(String) } });
    const { operationId } = answer.result;
    expect(answer.headers).toMatchObject({
      location: `/api/operations/getbyid?id=${operationId}`,
      'preference-applied': 'respond-async',
    });
    await operationsEnded(test.databaseUrl);
    const { result } = await get(operationId);
    expect(operationDetails.parse(result)).toMatchObject({
      id: operationId,
      kind: 'clone',
      // The copy's.
      databaseId: (await getDatabaseByName(test.context, 'LONG2')).id,
      databaseName: 'LONG2',
      copiedFrom: 'LONG',
      startedBy: 'admin',
      state: 'succeeded',
      percent: 100,
      steps: ['Waiting for sessions to end', 'Copying', 'Making it available'],
      step: 2,
      message: 'Success! Database LONG2 has been created as a copy of LONG.',
      result: { databaseName: 'LONG2' },
      error: null,
    });
  });

  it('waits for the end otherwise, and refuses before anything is queued [DECISIONS §8]', async () => {
    expect(await clone('LONG', 'LONG3')).toMatchObject({ status: 200, result: { databaseName: 'LONG3' } });
    const before = (await test.call(operationRoutes.list)).result.length;
    expect(await clone('LONG', 'LONG3', ASYNC)).toMatchObject({ status: 409 });
    expect(await clone('NOBODY', 'ANY', ASYNC)).toMatchObject({ status: 404 });
    expect((await test.call(operationRoutes.list)).result).toHaveLength(before);
  });

  it('is a 409 that names the operation that works on the database [DECISIONS §8]', async () => {
    await createTenant('TAKEN');
    let started: Awaited<ReturnType<typeof clone>> | undefined;
    const start = async () => {
      started = await clone('TAKEN', 'TAKEN2', ASYNC);
      return started;
    };
    await holdAt(test.databaseUrl, { kind: 'clone', point: 'step 1' }, start, async () => {
      const rename = await test.call(databaseRoutes.rename, { query: { databaseName: 'TAKEN', newName: 'OTHER' } });
      expect(rename).toMatchObject({
        status: 409,
        title: 'Busy',
        message: 'TAKEN is being cloned as TAKEN2 (started by admin). Please try again when that has ended.',
      });
      expect((await test.call(databaseRoutes.list)).result).toContainEqual(
        expect.objectContaining({
          databaseName: 'TAKEN',
          operation: { id: started?.result.operationId, kind: 'clone' },
        }),
      );
    });
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
  });
});

describe('GET /operations/get', () => {
  it('shows the newest first to every signed-in user, in the shape of the contract [DECISIONS §8]', async () => {
    const { token } = await test.signInAs('Viewer');
    const { status, result } = await test.call(operationRoutes.list, { token });
    expect(status).toBe(200);
    expect(z.array(operation).parse(result)).toEqual(result);
    const made = result.map((row: Operation) => row.createdOnUtc);
    expect(made).toEqual(made.toSorted().toReversed());
  });

  it('is a 404 for an unknown operation [DECISIONS §8]', async () => {
    expect(await get('00000000-0000-4000-8000-000000000000')).toMatchObject({ status: 404 });
    expect(await get('x')).toMatchObject({ status: 400 });
  });
});

describe('POST /operations/cancel', () => {
  it('cancels a clone that waits or copies: nothing is left of it, and its source is open [DECISIONS §8]', async () => {
    await createTenant('GIVEN');
    const canceller = await insertAccount(test, { role: 'Operator' });
    const { accessToken } = await signInTo(test, canceller);
    await withoutCopying('GIVEN', async () => {
      const { result } = await clone('GIVEN', 'GIVEN2', ASYNC);
      expect(await cancel(result.operationId, accessToken)).toMatchObject({ status: 200 });
      expect(await cancel(result.operationId)).toMatchObject({ status: expect.toBeOneOf([200, 409]) });
      await operationsEnded(test.databaseUrl);
      const entry = test.context.platform
        .selectFrom('auditEntries')
        .select(['actorId', 'actorName'])
        .where('action', '=', 'databases.clone-cancelled')
        .where('entityId', '=', result.operationId);
      expect(await entry.execute()).toEqual([{ actorId: canceller.id, actorName: canceller.userName }]);
      expect((await get(result.operationId)).result).toMatchObject({
        state: 'cancelled',
        message: 'The operation was cancelled; nothing was changed.',
        error: { status: 409, title: 'Cancelled' },
      });
    });
    expect(await names()).not.toContain('GIVEN2');
    const { rowCount } = await withClient(test.databaseUrl, (client) =>
      client.query("select from pg_database where datname like '%given2'"),
    );
    expect(rowCount).toBe(0);
    expect(await test.call(databaseRoutes.details, { query: { databaseName: 'GIVEN' } })).toMatchObject({
      status: 200,
    });
    expect(await clone('GIVEN', 'GIVEN2')).toMatchObject({ status: 200 });
  });

  it('comes too late for an operation that has ended [DECISIONS §8]', async () => {
    const [ended] = (await test.call(operationRoutes.list)).result;
    expect(await cancel(ended.id)).toMatchObject({
      status: 409,
      message: `What is done with ${ended.databaseName} can no longer be cancelled.`,
    });
  });

  it('needs the permission to start the operation [DECISIONS §5]', async () => {
    await createTenant('KEPT');
    await clone('KEPT', 'KEPT2');
    test.clock.advance(1);
    await test.call(databaseRoutes.delete, { query: { databaseName: 'KEPT2' } });
    const [deletion] = (await test.call(operationRoutes.list)).result;
    expect(deletion.kind).toBe('delete');
    const { token } = await test.signInAs('Operator');
    expect(await cancel(deletion.id, token)).toMatchObject({
      status: 403,
      message: "You do not have the permission 'databases.delete'.",
    });
  });

  it('needs only the permissions to start it, and so does starting it again [DECISIONS §5]', async () => {
    const [deletion] = (await test.call(operationRoutes.list)).result;
    const deleter = await tokenWith('databases.delete');
    expect(await cancel(deletion.id, deleter)).toMatchObject({ status: 409 });
    expect(await retry(deletion.id, deleter)).toMatchObject({ status: 409 });

    test.clock.advance(1);
    const asTenant = { copyFrom: 'KEPT', databaseName: 'KEPT3', tenantCode: 'KEPT3', isCreateTenant: 'true' };
    expect(await test.call(databaseRoutes.copy, { query: asTenant })).toMatchObject({ status: 200 });
    const [duplication] = (await test.call(operationRoutes.list)).result;
    expect(duplication.kind).toBe('duplicate-tenant');
    for (const [permission, missing] of [
      ['databases.write', 'tenants.write'],
      ['tenants.write', 'databases.write'],
    ] as const) {
      const refusal = { status: 403, message: `You do not have the permission '${missing}'.` };
      expect(await retry(duplication.id, await tokenWith(permission))).toMatchObject(refusal);
    }
  });
});

describe('an operation that fails', () => {
  it('is undone, says why, is audited, and can be started again [DECISIONS §8]', async () => {
    await createTenant('FAILING');
    const { physicalName } = await getDatabaseByName(test.context, 'FAILING');
    const { platform } = test.context;
    const setPhysicalName = (name: string) =>
      platform.updateTable('databases').set({ physicalName: name }).where('name', '=', 'FAILING').execute();
    await setPhysicalName('db_nowhere');
    const answer = await clone('FAILING', 'FAILED');
    expect(answer).toMatchObject({ status: 409, success: false });
    expect(test.background.splice(0)).not.toHaveLength(0);
    const [row] = (await test.call(operationRoutes.list)).result;
    expect(row).toMatchObject({ kind: 'clone', databaseName: 'FAILED', state: 'failed' });
    expect(row.message).toMatch(/^The PostgreSQL server does not have this database\./);
    expect(await names()).not.toContain('FAILED');
    const audited = await platform
      .selectFrom('auditEntries')
      .select(['action', 'changes'])
      .where('entityId', '=', row.id)
      .execute();
    expect(audited).toEqual([
      { action: 'databases.clone-failed', changes: { databaseName: 'FAILED', reason: row.message } },
    ]);

    await setPhysicalName(physicalName);
    expect(await retry(row.id)).toMatchObject({ status: 200, result: { operationId: expect.any(String) } });
    await operationsEnded(test.databaseUrl);
    expect(await names()).toContain('FAILED');
    const [again] = (await test.call(operationRoutes.list)).result;
    expect(await retry(again.id)).toMatchObject({ status: 409 });
  });
});

describe('how long an operation will take', () => {
  /** The one that made a database. The list goes by ends, which these tests set. */
  const operationOn = async (name: string) =>
    (await test.call(operationRoutes.list)).result.find(
      ({ databaseName }: { databaseName: string }) => databaseName === name,
    );

  it('follows from the last operations of its kind [DECISIONS §8]', async () => {
    await createTenant('TIMED');
    const { platform } = test.context;
    await platform.deleteFrom('operations').execute();
    await clone('TIMED', 'TIMED2');
    const [first] = (await test.call(operationRoutes.list)).result;
    expect(first.expectedSeconds).toBeNull();
    // As if the copy took a minute, as the test's clock stands still.
    const finishedAt = new Date(test.clock.now.getTime() + 60_000);
    await platform.updateTable('operations').set({ finishedAt }).execute();
    await clone('TIMED', 'TIMED3');
    const second = await operationOn('TIMED3');
    expect(second.expectedSeconds).toBeCloseTo(60, -1);
  });

  it('is 25 days at most, even after an operation that took longer [DECISIONS §8]', async () => {
    const finishedAt = new Date(test.clock.now.getTime() + 1000 * 24 * 60 * 60_000);
    await test.context.platform.updateTable('operations').set({ finishedAt }).execute();
    expect(await clone('TIMED', 'TIMED4')).toMatchObject({ status: 200 });
    const third = await operationOn('TIMED4');
    expect(third.expectedSeconds).toBeCloseTo(2_147_483.647);
  });

  it('is none after operations during which a clock that was ahead was put right [DECISIONS §8]', async () => {
    const finishedAt = new Date(test.clock.now.getTime() - 365 * 24 * 60 * 60_000);
    await test.context.platform.updateTable('operations').set({ finishedAt }).execute();
    expect(await clone('TIMED', 'TIMED5')).toMatchObject({ status: 200 });
    const newest = await operationOn('TIMED5');
    expect(newest.expectedSeconds).toBe(0);
  });
});

it('an operation of a kind that this version does not know is shown, and left to others [DECISIONS §8]', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
    values (gen_random_uuid(), 'later', gen_random_uuid(), 'LATER', '{}', 'ada', '', 'failed', '{Working}', 0, now())
    returning id`.execute(test.context.platform);
  const id = rows[0]?.id ?? '';
  expect(await get(id)).toMatchObject({ status: 200, result: { id, kind: 'later', state: 'failed' } });
  const results = await test.call(operationRoutes.results, { query: { id } });
  for (const answer of [await cancel(id), await retry(id), results]) {
    expect(answer).toMatchObject({
      status: 409,
      message: 'This was started by another version of Apotheca, and this one does not know what it is.',
    });
  }
  expect(test.background).toEqual([]);
});

it('an operation that failed with a code that this version does not know is told as failed, with its message [DECISIONS §8]', async () => {
  const message = 'The moon is in the way.';
  const { rows } = await sql<{ id: string }>`
    insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at, message, error)
    values (gen_random_uuid(), 'clone', gen_random_uuid(), 'ECLIPSED', '{}', 'ada', '', 'failed', '{Working}', 0, now(), ${message}, '{"code": "eclipse"}')
    returning id`.execute(test.context.platform);
  const id = rows[0]?.id ?? '';
  expect(await get(id)).toMatchObject({
    status: 200,
    result: { message, error: { status: 500, title: 'Server error' } },
  });
  await expect(waitForOperation(test.context, id, false)).rejects.toMatchObject({ code: 'internal', message });
});

it('one of such a kind that nobody has begun can be cancelled by who has every permission, and frees its database [DECISIONS §8]', async () => {
  await createTenant('LEFT');
  const { id: databaseId } = await getDatabaseByName(test.context, 'LEFT');
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at)
      values (gen_random_uuid(), 'later', ${databaseId}, 'LEFT', '{}', 'ada', '', 'queued', '{Working}', 0, now())
      returning id
    ) insert into operation_claims (database_id, operation_id) select ${databaseId}, id from made
    returning operation_id as id`.execute(test.context.platform);
  const id = rows[0]?.id ?? '';
  expect(await clone('LEFT', 'LEFT2')).toMatchObject({ status: 409 });
  expect(await cancel(id, await tokenWith('faqs.delete'))).toMatchObject({ status: 403 });
  expect(await cancel(id)).toMatchObject({ status: 200 });
  expect(await get(id)).toMatchObject({ result: { kind: 'later', state: 'cancelled' } });
  const entry = test.context.platform.selectFrom('auditEntries').select(['entityId', 'changes']);
  expect(await entry.where('action', '=', 'databases.later-cancelled').execute()).toMatchObject([
    { entityId: databaseId, changes: { databaseName: 'LEFT' } },
  ]);
  expect(await cancel(id)).toMatchObject({ status: 409 });
  expect(await clone('LEFT', 'LEFT2')).toMatchObject({ status: 200 });
});

describe('an operation whose input another version has stored, which this one cannot read', () => {
  /** Has clones stored without their input; those named so are cancelled before they are run. */
  const OF_OTHER_VERSION = `
    create function store_otherwise() returns trigger language plpgsql as $$
    begin
      new.input := '{}';
      new.cancel_requested := new.database_name = 'OTHER CANCELLED';
      return new;
    end $$;
    create trigger store_otherwise before insert on operations
      for each row when (new.kind = 'clone') execute function store_otherwise()`;
  const ended = async (databaseName: string): Promise<Operation> => {
    await operationsEnded(test.databaseUrl);
    const all: Operation[] = (await test.call(operationRoutes.list)).result;
    return all.find((each) => each.databaseName === databaseName) as Operation;
  };

  it('ends, also where it is cancelled, and leaves its database to others [DECISIONS §8]', async () => {
    await createTenant('OTHER');
    const { platform } = test.context;
    await sql.raw(OF_OTHER_VERSION).execute(platform);
    const failed = {
      status: 409,
      message:
        'This was started by another version of Apotheca, and this one cannot go on with it. Please look whether it was done, and start it anew if it was not.',
    };
    expect(await clone('OTHER', 'OTHER WAITING')).toMatchObject(failed);
    await clone('OTHER', 'OTHER CANCELLED', ASYNC);
    expect(await ended('OTHER CANCELLED')).toMatchObject({ state: 'cancelled' });
    const row = await ended('OTHER WAITING');
    expect(row).toMatchObject({ state: 'failed', message: failed.message });
    expect(await platform.selectFrom('operationClaims').selectAll().execute()).toEqual([]);
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    const left = await platform.selectFrom('databases').select('name').where('state', '=', 'creating').execute();
    expect(left).toEqual([]);
    expect(await retry(row.id)).toMatchObject({
      status: 409,
      message: 'This was started by another version of Apotheca, and this one cannot start it again.',
    });
    expect(test.background).toEqual([]);
    await sql`drop trigger store_otherwise on operations`.execute(platform);
    expect(await clone('OTHER', 'OTHER DONE')).toMatchObject({ status: 200 });
  });
});
