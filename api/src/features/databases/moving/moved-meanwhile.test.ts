import { randomUUID } from 'node:crypto';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { moveRoutes } from '@apotheca/contract/moves';
import { operationRoutes } from '@apotheca/contract/operations';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../../actor.ts';
import { allowLogin, closeDatabase } from '../../../db/cluster/database-sessions.ts';
import { listLoginRoles } from '../../../db/cluster/login-roles.ts';
import { readerName } from '../../../db/cluster/names.ts';
import { HOME_SERVER, onClusterSession } from '../../../db/clusters.ts';
import type { OperationKind } from '../../../operations/operation-kind.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { listMoveRemains } from '../../../testing/moved-tenant.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { patiently } from '../../../testing/patiently.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { restoreOperation } from '../backups/restore.operation.ts';
import { cloneOperation } from '../clone.operation.ts';
import { getDatabaseById, getDatabaseByName } from '../databases.service.ts';
import { endLogins } from '../logins/ended-logins.ts';
import { listLogins } from '../logins/logins.repository.ts';
import { moveOperation } from './move.operation.ts';

const test = useTestApp();
const second = useSecondServer();

let serverId: string;
beforeAll(async () => {
  serverId = await addServer(test, second);
  await installStops(test.databaseUrl);
});

const POLLING = { interval: 20 };
const create = async (code: string, databaseServerId = HOME_SERVER): Promise<string> => {
  const body = { ...tenantInput(code), databaseServerId };
  const { status, message, result } = await test.call(tenantRoutes.create, { body });
  expect(status, message).toBe(200);
  return result.id;
};
const move = (id: string, databaseServerId = serverId) =>
  test.call(moveRoutes.move, { body: { id, databaseServerId } });
/** What a program sees that logs in. A move is told as done some moments before its database is opened. */
const seenBy = async (id: string) => {
  const { result } = await test.call(credentialRoutes.reveal, { query: { id, access: 'write' } });
  return withClient(result.connectionString, async (client) => {
    await client.query("insert into locations (code, name, kind) values (gen_random_uuid()::text, 'L', 'clinic')");
    return (await client.query('select session_user::text as login, current_user::text as role')).rows;
  });
};

/** Begins some work that waits for the last commit of a move, and lets that go on then. @returns what the work does */
async function atLastCommit<T>(tenantId: string, works: (() => Promise<T>)[]): Promise<T[]> {
  const { pool } = test.context;
  await pool.query(`
    create function hold_commit() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(76); return null; end $$;
    create constraint trigger hold_commit after update of server_id on databases deferrable initially deferred
      for each row execute function hold_commit()`);
  const waiting = async (events: string[]) => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and wait_event = any ($1)`,
      [events],
    );
    return rowCount;
  };
  const holder = await pool.connect();
  await holder.query('select pg_advisory_lock(76)');
  const moved = move(tenantId);
  await expect.poll(() => waiting(['advisory']), POLLING).toBe(1);
  const working = Promise.all(works.map((work) => work()));
  await expect.poll(() => waiting(['transactionid', 'tuple']), POLLING).toBe(works.length);
  await holder.query('select pg_advisory_unlock(76)');
  holder.release();
  expect(await moved).toMatchObject({ status: 200 });
  // To drop the trigger takes the table for itself alone.
  const done = await working;
  await pool.query('drop trigger hold_commit on databases; drop function hold_commit()');
  return done;
}

/** The logins of a database by the registry, and by the server where it lives. */
async function loginsOf(name: string) {
  const row = await getDatabaseByName(test.context, name);
  const registered = await listLogins(test.context.platform, row.id);
  const { platform } = await test.context.clusters.of(row.serverId);
  const made = [row.roleName, readerName(row.roleName)].map((role) => listLoginRoles(platform, role));
  return {
    registered: registered.map(({ roleName }) => roleName).sort(),
    made: (await Promise.all(made)).flat().sort(),
  };
}

describe('what waits for the last commit of a move is done where the database lives then:', () => {
  it('the first login, a rotation, and new limits [§2.31]', async () => {
    const tenantId = await create('ROTATED');
    const answers = await atLastCommit(
      tenantId,
      [
        () => test.call(credentialRoutes.reveal, { query: { id: tenantId, access: 'write' } }),
        () => test.call(credentialRoutes.rotate, { body: { id: tenantId, access: 'write', overlapMinutes: 0 } }),
        () => test.call(credentialRoutes.limit, { body: { id: tenantId, connectionLimit: 3 } }),
      ].map((work) => () => patiently(work)),
    );
    const port = Number(new URL(second.link.url).port);
    for (const answer of answers) expect(answer, answer.message).toMatchObject({ status: 200, result: { port } });
    await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toEqual([expect.anything()]);
    // Where the server was too busy to end the old login at once, this does it, as later the server.
    await endLogins(test.context);
    const { registered, made } = await loginsOf('ROTATED');
    expect(registered).toHaveLength(1);
    expect(made).toEqual(registered);
  });

  it('the end of a login [§2.31]', async () => {
    const tenantId = await create('ENDED');
    await seenBy(tenantId);
    const body = { id: tenantId, access: 'write', overlapMinutes: 1 };
    expect(await test.call(credentialRoutes.rotate, { body })).toMatchObject({ status: 200 });
    await atLastCommit(tenantId, [
      () => {
        test.clock.advance(61);
        return endLogins(test.context);
      },
    ]);
    const { registered, made } = await loginsOf('ENDED');
    expect(registered).toHaveLength(1);
    expect(made).toEqual(registered);
  });
});

describe('an operation that is prepared while its database moves away', () => {
  const kinds = {
    'a move': async (row: { id: string; name: string }) => [moveOperation, { databaseId: row.id, serverId }],
    'a clone': async (row: { id: string; name: string }) => [
      cloneOperation,
      { copyFrom: row.name, databaseName: `${row.name} COPY` },
    ],
    'a restore over it': async ({ id, name }: { id: string; name: string }) => {
      const backup = await test.call(backupRoutes.create, { query: { databaseName: name } });
      return [restoreOperation, { backupId: backup.result.id, databaseName: name, databaseId: id }];
    },
  };

  it.each(Object.entries(kinds))('is refused: %s [§2.31]', async (what, asked) => {
    const name = what.toUpperCase();
    const tenantId = await create(name);
    const before = await seenBy(tenantId);
    const [kind, input] = (await asked(await getDatabaseByName(test.context, name))) as [OperationKind, object];
    const prepared = await kind.prepare(test.context, input, { id: randomUUID(), actor: SERVER_ACTOR });
    expect(await move(tenantId)).toMatchObject({ status: 200 });
    const row = await getDatabaseByName(test.context, name);
    await expect(
      test.context.platform.transaction().execute(async (trx) => prepared.register?.(trx)),
    ).rejects.toMatchObject({ code: 'conflict', message: `${name} has been moved meanwhile.` });
    expect(await getDatabaseByName(test.context, name)).toEqual(row);
    await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toEqual(before);
  });
});

/** Holds a move at a point while `work` runs. @returns the id of its operation, which is that of the copy too */
async function holdMoveAt(
  point: string,
  tenantId: string,
  work: (operationId: string) => Promise<void>,
): Promise<string> {
  let operationId = '';
  await holdAt(
    test.databaseUrl,
    { kind: 'move', point },
    async () => {
      const body = { id: tenantId, databaseServerId: serverId };
      const answer = await test.call(moveRoutes.move, { body, headers: { prefer: 'respond-async' } });
      operationId = answer.result.operationId;
      return answer;
    },
    () => work(operationId),
  );
  await removeStops(test.databaseUrl);
  return operationId;
}

it('a move that finds its copy on the server of its source touches neither [§2.31]', async () => {
  const tenantId = await create('TOGETHER');
  const before = { row: await getDatabaseByName(test.context, 'TOGETHER'), seen: await seenBy(tenantId) };
  const operationId = await holdMoveAt('running', tenantId, async (id) => {
    await test.context.pool.query('update databases set server_id = $1 where id = $2', [HOME_SERVER, id]);
  });
  const found = async () => (await test.call(operationRoutes.get, { query: { id: operationId } })).result;
  await expect.poll(async () => (await found()).state, POLLING).toBe('failed');
  expect((await found()).message).toBe('TOGETHER has been moved meanwhile.');
  expect(await getDatabaseByName(test.context, 'TOGETHER')).toEqual(before.row);
  expect(await seenBy(tenantId)).toEqual(before.seen);
  const rows = await test.context.pool.query('select from databases where id = $1', [operationId]);
  expect(rows.rowCount).toBe(0);
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
});

it('a copy that stops to follow at the switch is not waited for, and told as that [§2.31]', async () => {
  const tenantId = await create('DIFFERENT');
  const same = "insert into public.locations (code, name, kind) values ('SAME', 'SAME', 'clinic')";
  const insert = (row: { serverId: string; physicalName: string }) =>
    test.context.tenants.with(row, (client) => client.query(same));
  const operationId = await holdMoveAt('step 4', tenantId, async (id) => {
    await insert(await getDatabaseById(test.context.platform, id));
    await insert(await getDatabaseByName(test.context, 'DIFFERENT'));
  });
  await operationsEnded(test.databaseUrl);
  expect((await test.call(operationRoutes.get, { query: { id: operationId } })).result).toMatchObject({
    state: 'failed',
    message: 'It was not moved: the copy no longer asks for changes. The log of its database server says why.',
  });
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
});

it('what was moved is put back, also where the server is killed between the last two commits [§2.31]', async () => {
  const tenantId = await create('RETURNED');
  const before = { row: await getDatabaseByName(test.context, 'RETURNED'), seen: await seenBy(tenantId) };
  expect(await move(tenantId)).toMatchObject({ status: 200 });
  await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toEqual(before.seen);
  const parked = (await test.call(parkedDatabaseRoutes.listParked)).result.find(
    ({ databaseName }: { databaseName: string }) => databaseName === 'RETURNED',
  );
  await holdAt(
    test.databaseUrl,
    { kind: 'unpark', point: 'succeeded' },
    () => test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id }, headers: { prefer: 'respond-async' } }),
    async ({ endSessions }) => {
      await removeStops(test.databaseUrl);
      await endSessions();
    },
  );
  await operationsEnded(test.databaseUrl);
  const { rows } = await test.context.pool.query(
    "select state, error from operations where kind = 'unpark' and database_name = 'RETURNED'",
  );
  expect(rows).toEqual([{ state: 'succeeded', error: null }]);
  expect((await getDatabaseByName(test.context, 'RETURNED')).serverId).toBe(HOME_SERVER);
  await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toEqual(before.seen);
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
});

it('what is being put back while the server of its rows is away goes on as it is, and that can be cancelled [§2.30] [§2.31]', async () => {
  const tenantId = await create('STRANDED', serverId);
  expect(await move(tenantId, HOME_SERVER)).toMatchObject({ status: 200 });
  await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toHaveLength(1);
  const parked = (await test.call(parkedDatabaseRoutes.listParked)).result.find(
    ({ databaseName }: { databaseName: string }) => databaseName === 'STRANDED',
  );
  const putBack = () =>
    test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id }, headers: { prefer: 'respond-async' } });
  const { roleName, physicalName } = await getDatabaseByName(test.context, 'STRANDED');
  await holdAt(test.databaseUrl, { kind: 'unpark', point: 'running' }, putBack, async () => {
    await removeStops(test.databaseUrl);
    // As a run that was killed leaves it.
    await onClusterSession(await test.context.clusters.of(HOME_SERVER), async (cluster) => {
      await allowLogin(cluster, roleName, false);
      await closeDatabase(cluster, physicalName);
    });
    second.link.set('reset');
  });
  const operations = test.context.platform.selectFrom('operations').select(['id', 'state', 'attempts']);
  const operation = () =>
    operations.where('kind', '=', 'unpark').where('databaseName', '=', 'STRANDED').executeTakeFirstOrThrow();
  await expect.poll(async () => (await operation()).attempts, POLLING).toBeGreaterThan(1);
  await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toHaveLength(1);
  expect(await test.call(operationRoutes.cancel, { query: { id: (await operation()).id } })).toMatchObject({
    status: 200,
  });
  await expect.poll(async () => (await operation()).state, POLLING).toBe('cancelled');
  expect(await seenBy(tenantId)).toHaveLength(1);
  second.link.heal();
  await expect.poll(async () => (await putBack()).status, POLLING).toBe(202);
  await operationsEnded(test.databaseUrl);
  expect((await getDatabaseByName(test.context, 'STRANDED')).serverId).toBe(serverId);
  await expect.poll(() => seenBy(tenantId).catch(String), POLLING).toHaveLength(1);
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
});
