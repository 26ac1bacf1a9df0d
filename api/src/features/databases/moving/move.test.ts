import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type DatabaseServer, databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { operationRoutes } from '@apotheca/contract/operations';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allowLogin } from '../../../db/cluster/database-sessions.ts';
import { makeObjectOwner, OBJECT_OWNER } from '../../../db/cluster/object-owner.ts';
import { dropSlot, findUnreachable, makeSnapshotSlot, replicationName } from '../../../db/cluster/replication.ts';
import type { ClusterSession } from '../../../db/cluster/session.ts';
import { HOME_SERVER, onClusterSession } from '../../../db/clusters.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { onBudget, REQUEST_BUDGET, TimeBudget } from '../../../db/connections/time-budget.ts';
import { AppError } from '../../../errors.ts';
import { ADDITIONAL_OBJECTS } from '../../../testing/additional-objects.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { listMoveRemains, startWriter } from '../../../testing/moved-tenant.ts';
import { addServer, useSecondServer } from '../../../testing/second-server.ts';
import { timedWithoutStalls } from '../../../testing/stalls.ts';
import { stateOfTables } from '../../../testing/tenant-state.ts';
import { tenantsAsOwner } from '../../tenants/tenants.service.ts';
import { settleDatabases } from '../database-settling.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';

import { listDefaultPrivileges, listOwners } from './owners.repository.ts';

const test = useTestApp();
const second = useSecondServer();

let serverId: string;
beforeAll(async () => {
  // As initdb makes it where it finds no language.
  await withClient(second.url, (client) =>
    client.query("update pg_database set encoding = 0 where datname in ('template0', 'template1')"),
  );
  serverId = await addServer(test, second);
});

const create = async (code: string, databaseServerId = HOME_SERVER): Promise<string> => {
  const { status, message, result } = await test.call(tenantRoutes.create, {
    body: { ...tenantInput(code), databaseServerId },
  });
  expect(status, message).toBe(200);
  return result.id;
};
const plan = (id: string, databaseServerId?: string) =>
  test.call(moveRoutes.planMove, { query: { id, ...(databaseServerId && { databaseServerId }) } });
const move = (id: string, databaseServerId?: string, more: object = {}) =>
  test.call(moveRoutes.move, { body: { id, ...(databaseServerId && { databaseServerId }), ...more } });
const inDatabase = async <T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  test.context.tenants.with(await getDatabaseByName(test.context, name), work, { unlimited: true });
const run = (name: string, statement: string) =>
  inDatabase(name, async (client) => (await client.query(statement)).rows);
const add = (name: string, code: string) =>
  run(name, `insert into public.locations (code, name, kind) values ('${code}', '${code}', 'clinic')`);
const stateOf = (name: string) => inDatabase(name, stateOfTables);
const reveal = async (id: string, access: 'write' | 'read' = 'write'): Promise<string> =>
  (await test.call(credentialRoutes.reveal, { query: { id, access } })).result.connectionString;
const setCapacity = (id: string, name: string, capacity: number | null) =>
  test.call(databaseServerRoutes.edit, { body: { id, name, region: '', capacity } });
/** Waits until somebody gets in. A move is told as done some moments before its database is opened, and so is what is put back. */
const untilOpen = (enter: () => Promise<unknown>) =>
  expect.poll(() => enter().then(() => 'open', String), POLLING).toBe('open');
const untilAdministratorEnters = (name: string) => untilOpen(() => run(name, 'select 1'));
const portOf = async (url: string) =>
  (await withClient(url, (client) => client.query('select inet_server_port() as port'))).rows[0].port;
const secondPort = () => Number(new URL(second.url).port);

const onSecond = async <T>(work: (cluster: ClusterSession) => Promise<T>): Promise<T> =>
  onClusterSession(await test.context.clusters.of(serverId), work);

/** It only finds what hangs: one wait may be for several steps of a move. */
const POLLING = { interval: 20 };
const LONGER_THAN_A_LOCK = 120_000;

/**
 * Keeps a move from its switch: the change by which it is found out whether the copy is near waits for this lock. The test may look at the move for
 * longer than a session of the server may be idle.
 */
const HOLD_MARK = `begin; set local idle_in_transaction_session_timeout = 0;
  lock table apotheca.applied_operations in share mode`;

/** What belongs to the role of restored objects: on another server it must not become the administrator's. */
const OWNED = {
  sql: `
    create function public.guarded() returns int language sql security definer set search_path = pg_catalog as 'select 1';
    create table public.owned (id serial primary key, at date);
    alter function public.guarded() owner to ${OBJECT_OWNER};
    alter table public.owned owner to ${OBJECT_OWNER}`,
};

/** Each test leaves nothing behind. */
afterEach(async () => {
  second.link.heal();
  expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
  // A move is told as done some moments before its database is opened.
  const findings = async () => (await test.call(reconciliationRoutes.reconcile)).result.findings;
  await expect.poll(findings).toEqual([]);
});

describe('a tenant that is moved', () => {
  it('lives on the other server with every row, while its programs write; what it was is put back [§2.31]', async () => {
    const id = await create('MOVED');
    await inDatabase('MOVED', (client) => client.query('create table public.notes (id int primary key, note text)'));
    await add('MOVED', 'A');
    const purged = await test.call(purgeRoutes.purge, { query: { databaseName: 'MOVED' }, body: ['locations'] });
    expect(purged).toMatchObject({ status: 200 });
    await add('MOVED', 'B');
    const before = {
      write: await reveal(id),
      read: await reveal(id, 'read'),
      row: await getDatabaseByName(test.context, 'MOVED'),
    };
    const planned = await plan(id, serverId);
    expect(planned).toMatchObject({
      status: 200,
      result: { way: 'replication', reasons: [], fromServer: 'Home', toServer: 'Second', databaseServerId: serverId },
      message: expect.stringMatching(
        /^Moving MOVED from Home to Second copies its rows while its programs go on; writes wait only while it is switched over\. \d+ sequences will be carried over at the switch\. Its programs then connect to Second\. What it is on Home can be put back until /,
      ),
    });
    const writer = startWriter(() => reveal(id), 100);
    await writer.until(20);
    const moved = await move(id, serverId, { plan: planned.result.digest });
    expect(moved).toMatchObject({
      status: 200,
      message: 'Success! MOVED has been moved to Second.',
      result: { databaseName: 'MOVED', databaseServerId: serverId, way: 'replication', heldMs: expect.any(Number) },
    });
    await writer.until(20);
    const written = await writer.stop();
    // Every write that was acknowledged is there, in one place, and the identity goes on.
    const rows = await run('MOVED', 'select code from public.locations order by id');
    expect(rows.map(({ code }) => code)).toEqual(expect.arrayContaining(['B', ...written]));
    const after = await getDatabaseByName(test.context, 'MOVED');
    const encodings = `select distinct pg_encoding_to_char(encoding) as name from pg_database
      where datname not in ('postgres', 'template0', 'template1')`;
    expect((await withClient(second.url, (client) => client.query(encodings))).rows).toEqual([{ name: 'UTF8' }]);
    expect(after).toEqual({ ...before.row, serverId, sizeBytes: expect.any(Number) });

    // Same names, same passwords, another place.
    const now = { write: await reveal(id), read: await reveal(id, 'read') };
    for (const access of ['write', 'read'] as const) {
      const [was, is] = [new URL(before[access]), new URL(now[access])];
      expect([is.username, is.password, is.pathname]).toEqual([was.username, was.password, was.pathname]);
      expect(is.port).toBe(new URL(second.link.url).port);
      expect(await portOf(now[access])).toBe(secondPort());
      await expect(withClient(before[access], async () => {})).rejects.toThrow();
    }
    await expect(withClient(now.read, (client) => client.query('delete from locations'))).rejects.toThrow(/denied/);
    // What a purge keeps came along.
    const [kept] = (await test.call(purgeRoutes.listPurges, { query: { databaseName: 'MOVED' } })).result;
    expect(kept.tables).toEqual([{ name: 'locations', rows: 1, putBack: false }]);
    const entries = await test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('action', '=', 'databases.move')
      .where('entityId', '=', after.id)
      .execute();
    expect(entries).toEqual([
      { changes: expect.objectContaining({ name: 'MOVED', server: ['Home', 'Second'], way: 'replication' }) },
    ]);

    // Back where it was, with the rows of then; and again.
    const [parked] = (await test.call(parkedDatabaseRoutes.listParked)).result;
    expect(parked).toMatchObject({
      databaseName: 'MOVED',
      tenantCode: 'MOVED',
      reason: 'replaced',
      goesBackTo: 'Home',
    });
    await add('MOVED', 'ONLY THERE');
    expect(await test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id } })).toMatchObject({ status: 200 });
    expect((await getDatabaseByName(test.context, 'MOVED')).serverId).toBe(HOME_SERVER);
    await untilOpen(() => withClient(before.write, async () => {}));
    const then = (await run('MOVED', 'select code from public.locations')).map(({ code }) => code);
    expect(then).toContain('B');
    expect(then).not.toContain('ONLY THERE');
    expect(await reveal(id)).toBe(before.write);
    expect(await portOf(before.write)).toBe(Number(new URL(test.databaseUrl).port));
    expect(await test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id } })).toMatchObject({ status: 200 });
    await untilOpen(async () => withClient(await reveal(id), async () => {}));
    expect(await portOf(await reveal(id))).toBe(secondPort());
    expect((await run('MOVED', "select from public.locations where code = 'ONLY THERE'")).length).toBe(1);
    // Its old rows can be removed, and it can be moved again.
    const removed = { id: parked.id, databaseName: 'MOVED' };
    expect(await test.call(parkedDatabaseRoutes.removeParked, { query: removed })).toMatchObject({ status: 200 });
    expect(await move(id, HOME_SERVER)).toMatchObject({ status: 200 });
    expect((await getDatabaseByName(test.context, 'MOVED')).serverId).toBe(HOME_SERVER);
  });

  it('is opened as its tenant is by then [§2.31]', async () => {
    const id = await create('CLOSED');
    const { pool } = test.context;
    // As who waits for the end of the move does at once.
    await pool.query(`
      create function close_moved() returns trigger language plpgsql as $$
        begin update databases set access = 'closed' where id = new.id; return null; end $$;
      create constraint trigger close_moved after update of server_id on databases deferrable initially deferred
        for each row when (new.state = 'ready') execute function close_moved()`);
    expect(await move(id, serverId)).toMatchObject({ status: 200 });
    await pool.query('drop trigger close_moved on databases; drop function close_moved()');
    const { physicalName, roleName } = await getDatabaseByName(test.context, 'CLOSED');
    const state = `select (select datallowconn from pg_database where datname = $1) as "isOpen",
      (select rolcanlogin from pg_roles where rolname = $2) as "canLogin",
      exists (select from pg_locks where locktype = 'advisory') as "isGoingOn"`;
    const read = () => withClient(second.url, (client) => client.query(state, [physicalName, roleName]));
    await expect.poll(async () => (await read()).rows[0], POLLING).toMatchObject({ isOpen: true, isGoingOn: false });
    expect((await read()).rows[0]).toMatchObject({ canLogin: false });
    await pool.query("update databases set access = 'open' where physical_name = $1", [physicalName]);
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
  });

  it('keeps its programs out from the beginning where it cannot be replicated, and the plan says why [§2.31]', async () => {
    const id = await create('KEYLESS');
    await makeObjectOwner(test.context.clusters.home.platform);
    const objects = ADDITIONAL_OBJECTS.filter(({ refused }) => refused.length === 0).slice(0, 6);
    for (const { sql } of [...objects, OWNED]) await run('KEYLESS', sql);
    await inDatabase('KEYLESS', (client) => client.query('select lo_from_bytea(0, $1)', [Buffer.from('large')]));
    await add('KEYLESS', 'A');
    const owners = () =>
      run(
        'KEYLESS',
        `select p.oid::regprocedure::text as name, pg_get_userbyid(proowner) as owner, coalesce(proacl, acldefault('f', proowner))::text as acl from pg_proc p
         where pronamespace::regnamespace::text !~ '^pg_'
         union all
         select c.oid::regclass::text, pg_get_userbyid(relowner),
           coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))::text from pg_class c
         where relnamespace::regnamespace::text !~ '^pg_' and relkind in ('r', 'v', 'm', 'S', 'p') order by 1`,
      );
    const all = async () => ({ tables: await stateOf('KEYLESS'), owners: await owners() });
    const before = await all();
    const planned = await plan(id, serverId);
    expect(planned.result).toMatchObject({ way: 'dump' });
    expect(planned.result.reasons).toEqual([
      expect.stringMatching(/Odd \d.* have no key to replicate by\.$/),
      '1 large object cannot be replicated.',
    ]);
    expect(planned.message).toMatch(
      /^Moving KEYLESS from Home to Second keeps its programs out from the beginning to the end\. .* have no key to replicate by\. 1 large object cannot be replicated\./,
    );
    expect(await move(id, serverId)).toMatchObject({ status: 200, result: { way: 'dump' } });
    await untilAdministratorEnters('KEYLESS');
    expect(await all()).toEqual(before);
    expect(
      await run('KEYLESS', 'select convert_from(lo_get(oid), $$utf8$$) as text from pg_largeobject_metadata'),
    ).toEqual([{ text: 'large' }]);
  });

  it('keeps the owners of whatever other roles have made [§2.31]', async () => {
    const id = await create('THEIRS', serverId);
    // Other tests share the home server.
    const role = `"owns ${id}"`;
    const makeRole = `create role ${role} superuser`;
    await run(
      'THEIRS',
      `${makeRole}; set role ${role};
       create schema theirs; create extension pg_trgm schema theirs; create domain theirs.small as int;
       create foreign data wrapper theirs; create server theirs foreign data wrapper theirs;
       create user mapping for ${role} server theirs;
       create text search configuration theirs.plain (copy = pg_catalog.simple);
       create publication theirs for table public.locations;
       alter default privileges in schema theirs grant select on tables to pg_monitor;
       reset role`,
    );
    const owners = () => inDatabase('THEIRS', listOwners);
    const defaults = () => inDatabase('THEIRS', listDefaultPrivileges);
    const before = [await owners(), await defaults()];
    expect(before.flat().length).toBeGreaterThan(6);
    await test.context.pool.query(makeRole);
    const moved = await move(id, HOME_SERVER);
    expect(moved, moved.message).toMatchObject({ status: 200 });
    await expect.poll(() => owners().catch(String), POLLING).toEqual(before[0]);
    expect(await defaults()).toEqual(before[1]);
    await run('THEIRS', `drop extension pg_trgm; drop owned by ${role} cascade; drop role ${role}`);
  });

  it('needs no role for an extension, which the administrator makes there [§2.31]', async () => {
    const id = await create('EXTENDED', serverId);
    const { physicalName } = await getDatabaseByName(test.context, 'EXTENDED');
    const role = `"extends ${id}"`;
    await run(
      'EXTENDED',
      `create role ${role};
       grant create on database ${physicalName} to ${role}; grant create on schema public to ${role};
       set role ${role}; create extension pg_trgm schema public; reset role;
       revoke create on schema public from ${role}`,
    );
    const isOwn = "select pg_get_userbyid(extowner) = current_user as own from pg_extension where extname = 'pg_trgm'";
    expect(await run('EXTENDED', isOwn)).toEqual([{ own: false }]);
    expect(await plan(id, HOME_SERVER)).toMatchObject({ status: 200 });
    expect(await move(id, HOME_SERVER)).toMatchObject({ status: 200 });
    await expect.poll(() => run('EXTENDED', isOwn).catch(String), POLLING).toEqual([{ own: true }]);
  });

  it('is a clone too; without parking nothing of it stays where it was [§2.31]', async () => {
    await create('ORIGIN');
    await add('ORIGIN', 'A');
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'ORIGIN', databaseName: 'CLONED' } });
    const { id, physicalName } = await getDatabaseByName(test.context, 'CLONED');
    const days = test.context.parkDays;
    test.context.parkDays = 0;
    expect(await move(id)).toMatchObject({ status: 200, result: { databaseServerId: serverId } });
    test.context.parkDays = days;
    await untilAdministratorEnters('CLONED');
    expect((await run('CLONED', 'select code from public.locations')).map(({ code }) => code)).toEqual(['A']);
    // The old rows are dropped once the move is known to have succeeded.
    const left = `
      select datname as name from pg_database where datname = $2
      union all select rolname from pg_roles where rolname = $2
      union all select name from databases where state <> 'ready' and copied_from = $1`;
    await expect.poll(() => test.context.pool.query(left, [id, physicalName]).then(({ rows }) => rows)).toEqual([]);
  });
});

it('a tenant on the way counts on either server [§2.30] [§2.31]', async () => {
  const id = await create('ON THE WAY', HOME_SERVER);
  const fill = async () =>
    (await test.call(databaseServerRoutes.list)).result.map(({ tenants }: DatabaseServer) => tenants);
  const before = await fill();
  await test.context.pool.query(
    `insert into databases (id, name, physical_name, role_name, role_password, state, created_at, schema_version, server_id, copied_from)
     select gen_random_uuid(), 'ON THE WAY: copy', 'db_on_the_way', 'db_on_the_way', '', 'creating', now(), schema_version, $2, id
     from databases where tenant_id = $1`,
    [id, serverId],
  );
  expect(await fill()).toEqual([before[0], before[1] + 1]);
  await test.context.pool.query("delete from databases where physical_name = 'db_on_the_way'");
});

describe('a move is refused', () => {
  it('for who may not change databases, for what is not there, to where it is, to a full or drained server [§2.31]', async () => {
    const id = await create('STAYING');
    const { token } = await test.signInAs('Viewer');
    const asViewer = { body: { id, databaseServerId: serverId }, token };
    expect(await test.call(moveRoutes.move, asViewer)).toMatchObject({ status: 403 });
    expect(await move(crypto.randomUUID(), serverId)).toMatchObject({ status: 404 });
    expect(await move(id, HOME_SERVER)).toMatchObject({
      status: 409,
      errors: { databaseServerId: ['The database lives on Home already.'] },
    });
    expect(await move(id, crypto.randomUUID())).toMatchObject({ status: 400 });
    const { tenants } = (await test.call(databaseServerRoutes.list)).result[1];
    await setCapacity(serverId, 'Second', Math.max(1, tenants));
    if (tenants === 0) await create('FILLING', serverId);
    expect(await plan(id, serverId)).toMatchObject({ status: 409, message: expect.stringMatching(/is full/) });
    await setCapacity(serverId, 'Second', 1_000);
    await test.call(databaseServerRoutes.drain, { body: { id: serverId } });
    expect(await move(id, serverId)).toMatchObject({ status: 409 });
    expect(await move(id)).toMatchObject({ status: 409, message: expect.stringMatching(/takes new databases/) });
    await test.call(databaseServerRoutes.activate, { body: { id: serverId } });
    expect((await getDatabaseByName(test.context, 'STAYING')).serverId).toBe(HOME_SERVER);
  });

  it('without the client programs of either server, before anything is made [§2.31]', async () => {
    const id = await create('WITHOUT TOOLS');
    const { findTools } = test.context;
    try {
      for (const without of [HOME_SERVER, serverId]) {
        test.context.findTools = async (server) => {
          if (server === without) throw new AppError('tools-missing');
          return findTools(server);
        };
        expect(await move(id, serverId)).toMatchObject({ status: 503, title: 'PostgreSQL client programs missing' });
      }
    } finally {
      test.context.findTools = findTools;
    }
    expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
  });

  it('where the plan has changed since: a table without a key came [§2.31]', async () => {
    const id = await create('CHANGED');
    const { digest } = (await plan(id, serverId)).result;
    await run('CHANGED', 'create table public.keyless (n int primary key deferrable)');
    expect((await plan(id, serverId)).result.reasons).toEqual(['keyless has no key to replicate by.']);
    expect(await move(id, serverId, { plan: digest })).toMatchObject({ status: 409, title: 'Plan changed' });
    expect(await move(id, serverId)).toMatchObject({ status: 200, result: { way: 'dump' } });
  });

  it('where somebody reads the changes of the database, as is a restore; a clone of it is made [§2.31]', async () => {
    const id = await create('CONSUMED', serverId);
    const { physicalName: database } = await getDatabaseByName(test.context, 'CONSUMED');
    const query = { databaseName: 'CONSUMED' };
    const backup = await test.call(backupRoutes.create, { query });
    expect(backup).toMatchObject({ status: 200 });
    const settings = { connectionString: withDatabaseName(second.url, database), replication: 'database' };
    const consumer = new pg.Client(settings);
    // The clone ends it.
    consumer.on('error', () => {});
    await consumer.connect();
    await consumer.query('CREATE_REPLICATION_SLOT consumer LOGICAL pgoutput');
    const refused = { status: 409, message: expect.stringMatching(/read by the replication slot consumer, /) };
    expect(await plan(id, HOME_SERVER)).toMatchObject(refused);
    const restored = { id: backup.result.id, ...query };
    expect(await test.call(backupRoutes.planRestore, { query: restored })).toMatchObject(refused);
    const copied = { copyFrom: 'CONSUMED', databaseName: 'CONSUMED COPY' };
    expect(await test.call(databaseRoutes.copy, { query: copied })).toMatchObject({ status: 200 });
    await onSecond((cluster) => dropSlot(cluster, 'consumer'));
    expect(await plan(id, HOME_SERVER)).toMatchObject({ status: 200 });
    await consumer.end();
  });

  it('where roles have something in the database that the other server lacks, which it names [§2.31]', async () => {
    const id = await create('GRANTED', serverId);
    // Other tests share the home server.
    const [reads, owns, sees] = ['reads', 'owns', 'sees'].map((what) => `"${what} ${id}"`);
    const makeRoles = `create role ${reads}; create role ${owns}; create role ${sees}`;
    await run(
      'GRANTED',
      `${makeRoles};
       grant select on public.locations to ${reads};
       create table public.theirs (id int primary key); alter table public.theirs owner to ${owns};
       create policy seen on public.theirs to ${sees} using (true)`,
    );
    expect(await plan(id, HOME_SERVER)).toMatchObject({
      status: 409,
      message: `GRANTED has objects or rights of roles that Home does not have: owns ${id}, reads ${id} and sees ${id}. Make them there first.`,
    });
    await test.context.pool.query(makeRoles);
    expect(await move(id, HOME_SERVER)).toMatchObject({ status: 200 });
    const theirs = `select pg_get_userbyid(c.relowner)::text as owner, array(select r.rolname::text from pg_policy p
        join pg_roles r on r.oid = any (p.polroles) where p.polrelid = c.oid) as seen,
        has_table_privilege('reads ${id}', 'public.locations', 'select') as reads
      from pg_class c where c.oid = 'public.theirs'::regclass`;
    await expect
      .poll(() => run('GRANTED', theirs).catch(String), POLLING)
      .toEqual([{ owner: `owns ${id}`, seen: [`sees ${id}`], reads: true }]);
    await run(
      'GRANTED',
      `drop table public.theirs; revoke all on public.locations from ${reads}; drop role ${reads}, ${owns}, ${sees}`,
    );
  });

  it('within the time of a call where either server is away, which it names [§2.31]', async () => {
    const [near, far] = [await create('NEAR'), await create('FAR', serverId)];
    await second.link.set('silent');
    for (const [id, to] of [
      [near, serverId],
      [far, HOME_SERVER],
    ] as const) {
      const { answer, took } = await timedWithoutStalls(() => move(id, to));
      expect(answer).toMatchObject({
        status: 503,
        message: expect.stringMatching(/server Second does not/),
      });
      expect(took).toBeLessThan(REQUEST_BUDGET);
    }
    second.link.heal();
    await expect.poll(async () => (await plan(far, HOME_SERVER)).status).toBe(200);
  });
});

describe('a move that does not come to its end', () => {
  const started = (id: string, databaseServerId = serverId) =>
    test.call(moveRoutes.move, { body: { id, databaseServerId }, headers: { prefer: 'respond-async' } });
  const stateAt = async (operationId: string) =>
    (await test.call(operationRoutes.get, { query: { id: operationId } })).result;

  it('is cancelled while it catches up: everything is as before, also for its programs [§2.31]', async () => {
    const id = await create('CANCELLED');
    const url = await reveal(id);
    const { operationId } = (await started(id)).result;
    await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBeGreaterThan(0);
    await inDatabase('CANCELLED', async (client) => {
      await client.query(HOLD_MARK);
      await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBe(3);
      expect(await test.call(operationRoutes.cancel, { query: { id: operationId } })).toMatchObject({ status: 200 });
      // Also while that table stays held: the copy is dropped, and the mark may stay.
      await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('cancelled');
      await client.query('rollback');
    });
    expect(await listMoveRemains(test.databaseUrl, [second.url])).toEqual([]);
    expect(await connectionStringOf(test.context, await getDatabaseByName(test.context, 'CANCELLED'))).toContain(
      `:${new URL(test.databaseUrl).port}/`,
    );
    await withClient(url, (client) =>
      client.query("insert into locations (code, name, kind) values ('P', 'P', 'clinic')"),
    );
  });

  it('is cancelled where it waits for a table that somebody holds, before it copies [§2.31]', async () => {
    const id = await create('HELD');
    await inDatabase('HELD', async (client) => {
      await client.query('begin; lock table public.locations in share mode');
      const { operationId } = (await started(id)).result;
      const waiting = "select from pg_locks where relation = 'public.locations'::regclass and not granted";
      await expect.poll(async () => (await client.query(waiting)).rowCount, POLLING).toBe(1);
      expect(await test.call(operationRoutes.cancel, { query: { id: operationId } })).toMatchObject({ status: 200 });
      await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('cancelled');
    });
  });

  it.each([
    ['before it copies', 'event trigger held on ddl_command_start', "when tag in ('CREATE PUBLICATION')"],
    ['while it catches up', 'trigger held before insert on apotheca.applied_operations', ''],
  ])('ends with its reason where somebody holds a table for too long %s [§2.31]', async (when, trigger, condition) => {
    const code = `HELD ${when}`.toUpperCase();
    const id = await create(code);
    // What PostgreSQL says after a minute.
    await run(
      code,
      `create function public.held() returns ${trigger.startsWith('event') ? 'event_trigger' : 'trigger'} language plpgsql as $$
         begin raise exception 'held' using errcode = 'lock_not_available'; end $$;
       create ${trigger} ${condition} execute function public.held()`,
    );
    expect(await move(id, serverId)).toMatchObject({
      status: 409,
      title: 'Busy',
      message: 'Another session holds a table of the database. Please try again when it has ended.',
    });
  });

  it('is cancelled where the server of the copy has died: its programs go on, and the copy is dropped once that is back [§2.31]', async () => {
    const id = await create('LONELY');
    const url = await reveal(id);
    const { operationId } = (await started(id)).result;
    await inDatabase('LONELY', async (client) => {
      await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBeGreaterThan(0);
      await client.query(HOLD_MARK);
      await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBe(3);
      await second.kill();
      expect(await test.call(operationRoutes.cancel, { query: { id: operationId } })).toMatchObject({ status: 200 });
      await client.query('rollback');
    });
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('cancelled');
    await withClient(url, (client) =>
      client.query("insert into locations (code, name, kind) values ('P', 'P', 'clinic')"),
    );
    const slots = 'select from pg_replication_slots where slot_name = $1';
    expect((await test.context.pool.query(slots, [replicationName(operationId)])).rowCount).toBe(0);
    await second.start();
    await expect.poll(async () => (await plan(id, serverId)).status).toBe(200);
    // The link's connections of before may still be found broken, which counts the server as away for a moment.
    await expect
      .poll(async () => (await test.call(reconciliationRoutes.reconcile)).result, POLLING)
      .toMatchObject({ findings: [], serversAway: [] });
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    expect(await move(id, serverId)).toMatchObject({ status: 200 });
  });

  it('gives the source back to its programs where the new server falls silent while the copy is loaded, and goes on once that answers [§2.31]', async () => {
    const id = await create('SILENT');
    const url = await reveal(id);
    // Loading the copy waits for as long as the role is there. Without a key, programs are kept out from the beginning.
    await withClient(second.url, (client) => client.query('create role holding'));
    await run(
      'SILENT',
      `create function public.unheld() returns boolean language plpgsql as $$
         begin
           while exists (select from pg_catalog.pg_roles where rolname = 'holding') loop
             perform pg_catalog.pg_sleep(0.1);
           end loop;
           return true;
         end $$;
       create table public.held (n int check (public.unheld()));
       insert into public.held values (1)`,
    );
    const { operationId } = (await started(id)).result;
    const loading = `select from pg_stat_activity where query like 'COPY public.held%'`;
    await expect.poll(async () => (await withClient(second.url, (client) => client.query(loading))).rowCount).toBe(1);
    await expect(withClient(url, async () => {})).rejects.toThrow();
    second.link.set('silent');
    await expect.poll(() => withClient(url, async () => 'open').catch(String), POLLING).toBe('open');
    expect((await stateAt(operationId)).state).toBe('running');
    // A run that was killed leaves them out, and the next one finds that server still away.
    second.link.set('reset');
    const { roleName } = await getDatabaseByName(test.context, 'SILENT');
    await onClusterSession(await test.context.clusters.of(HOME_SERVER), (cluster) =>
      allowLogin(cluster, roleName, false),
    );
    await expect.poll(() => withClient(url, async () => 'open').catch(String), POLLING).toBe('open');
    second.link.heal();
    await withClient(second.url, (client) => client.query('drop role holding'));
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('succeeded');
    await untilAdministratorEnters('SILENT');
    expect(await run('SILENT', 'select n from public.held')).toEqual([{ n: 1 }]);
  });

  it('begins anew where the link of the session that makes its slot is lost half-open [§2.31]', async () => {
    const id = await create('UNANSWERED', serverId);
    const lost = second.link.swallowAfter('CREATE_REPLICATION_SLOT');
    const { operationId } = (await started(id, HOME_SERVER)).result;
    await lost;
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('succeeded');
  });

  it('does not wait for the old server that falls silent while it is dumped, and begins anew once that answers [§2.31]', async () => {
    const id = await create('MUTE', serverId);
    // Then the dump does not come to its end before that.
    const dumping = second.link.swallowAfter('COPY public.');
    const { operationId } = (await started(id, HOME_SERVER)).result;
    await dumping;
    second.link.set('silent');
    const runs = test.context.platform.selectFrom('operations').select('attempts').where('id', '=', operationId);
    const attempts = async () => (await runs.executeTakeFirstOrThrow()).attempts;
    await expect.poll(attempts, POLLING).toBeGreaterThan(1);
    second.link.heal();
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('succeeded');
  });

  it('is not taken back where its last commit, of which it has lost the session, may still come [§2.31]', async () => {
    // From another server than that of the lost session.
    const id = await create('COMMITTING', serverId);
    await test.context.pool.query(`
      create function hold_commit() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(76); return null; end $$;
      create constraint trigger hold_commit after update of server_id on databases deferrable initially deferred
        for each row execute function hold_commit()`);
    const waiting = async (event: string) => {
      const { rows } = await test.context.pool.query(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and wait_event = $1`,
        [event],
      );
      return rows[0]?.pid as number | undefined;
    };
    const holder = await test.context.pool.connect();
    await holder.query('select pg_advisory_lock(76)');
    const { operationId } = (await started(id, HOME_SERVER)).result;
    await expect.poll(() => waiting('advisory'), POLLING).toBeDefined();
    const pid = await waiting('advisory');
    const { _clients: clients } = test.context.utilityPool as unknown as {
      _clients: (pg.Client & { processID: number })[];
    };
    clients.find(({ processID }) => processID === pid)?.connection.stream.destroy();
    // Whoever wants to take it back waits for that commit.
    await expect.poll(() => waiting('transactionid'), POLLING).toBeDefined();
    await holder.query('select pg_advisory_unlock(76)');
    holder.release();
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('succeeded');
    await test.context.pool.query('drop trigger hold_commit on databases; drop function hold_commit()');
    await settleDatabases(test.context, tenantsAsOwner(test.context), { wait: true });
    expect(await portOf(await reveal(id))).toBe(Number(new URL(test.databaseUrl).port));
  });

  it('ends where somebody makes or changes objects of its source meanwhile, and names them; temporary ones do not count [§2.31]', async () => {
    const id = await create('RESHAPED');
    await run('RESHAPED', 'create table public.notes (id int primary key); create view public.stock as select 1 as n');
    const meanwhile = async (statements: string) => {
      const { operationId } = (await started(id)).result;
      await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBeGreaterThan(0);
      await inDatabase('RESHAPED', async (client) => {
        await client.query(HOLD_MARK);
        await expect.poll(async () => (await stateAt(operationId)).step, POLLING).toBe(3);
        await run('RESHAPED', statements);
        await client.query('rollback');
      });
      await expect.poll(async () => (await stateAt(operationId)).state, POLLING).not.toBe('running');
      return stateAt(operationId);
    };
    const reshape = `
      alter table public.notes add column text text; create or replace view public.stock as select 2 as n;
      create function public.twice(n int) returns int language sql return 2 * n; grant select on public.notes to pg_monitor;
      ${Array.from({ length: 12 }, (_, n) => `create view public.stock_${n} as select ${n} as n`).join(';')}`;
    expect(await meanwhile(reshape)).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(
        /RESHAPED was not moved: meanwhile somebody has made or changed function public\.twice\(integer\), table public\.notes, view public\.stock, .* and 5 other objects\./,
      ),
    });
    const temporary = 'create temp table shelf (id serial primary key, name text default 1); truncate public.notes';
    expect(await meanwhile(temporary)).toMatchObject({ state: 'succeeded' });
    await untilAdministratorEnters('RESHAPED');
    expect(
      await run('RESHAPED', 'select text, public.twice(n) from public.notes right join public.stock on true'),
    ).toEqual([{ text: null, twice: 4 }]);
  });

  it('ends where the copy has other rows than its source, and names their table [§2.31]', async () => {
    const id = await create('CONFLICT');
    const { operationId } = (await started(id)).result;
    // Somebody writes into the copy.
    const insert = "insert into public.units (id, abbreviation, name) values (7, 'X', 'x')";
    await expect.poll(() => inCopyOf(operationId, insert), POLLING).toBe('done');
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toBe('failed');
    expect((await stateAt(operationId)).message).toMatch(/CONFLICT was not moved: the copy has other rows of units\./);
  });
});

describe('a move by replication', () => {
  const startedTo = (databaseServerId: string, id: string) =>
    test.call(moveRoutes.move, { body: { id, databaseServerId }, headers: { prefer: 'respond-async' } });
  const stateAt = async (operationId: string) =>
    (await test.call(operationRoutes.get, { query: { id: operationId } })).result;
  const endOf = async (operationId: string) => {
    await expect.poll(async () => (await stateAt(operationId)).state, POLLING).toMatch(/^(failed|succeeded)$/);
    return (await stateAt(operationId)).message;
  };

  it('ends with its reason before anything is copied where the old server does not let the new one in [§2.31]', async () => {
    const id = await create('UNREAD', serverId);
    const { rows } = await withClient(second.url, (client) =>
      client.query("select current_setting('hba_file') as file"),
    );
    const rules = await readFile(rows[0].file, 'utf8');
    const setRules = async (text: string) => {
      await writeFile(rows[0].file, text);
      await withClient(second.url, (client) => client.query('select pg_reload_conf()'));
    };
    await setRules(`host all postgres all scram-sha-256\nhost all all all reject\n${rules}`);
    const planned = await plan(id, HOME_SERVER);
    expect(planned.result).toMatchObject({ way: 'replication' });
    const { operationId } = (await startedTo(HOME_SERVER, id)).result;
    expect(await endOf(operationId).finally(() => setRules(rules))).toMatch(
      /^It was not moved, as the new server cannot follow the old one: .*pg_hba\.conf rejects/,
    );
  });

  it('asks for the way between the servers in the language in which the answer is compared [§2.31]', async () => {
    const tell = `create function tell() returns event_trigger language plpgsql as $$
        begin raise exception 'in %', current_setting('lc_messages'); end $$;
      create event trigger tell on ddl_command_start when tag in ('CREATE SUBSCRIPTION') execute function tell()`;
    const answer = await onSecond(async (cluster) => {
      await sql.raw(`set lc_messages = 'C.UTF-8'; ${tell}`).execute(cluster);
      const source = { url: second.url, physicalName: 'postgres', user: 'postgres' };
      return findUnreachable(cluster, source).finally(() =>
        sql.raw('drop event trigger tell; drop function tell(); reset lc_messages').execute(cluster),
      );
    });
    expect(answer).toBe('in C');
  });

  it('asks for no longer than a call may take where nothing comes back on the way, and others need not wait for it [§2.31]', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    const silentUrl = new URL(second.url);
    silentUrl.port = String((silent.address() as AddressInfo).port);
    const ask = (cluster: ClusterSession, { href: url }: URL, within?: number) =>
      findUnreachable(cluster, { url, physicalName: 'postgres', user: 'postgres' }, within);
    const { utility } = await test.context.clusters.of(HOME_SERVER);
    const answer = await onBudget(new TimeBudget(REQUEST_BUDGET), () => ask(utility, silentUrl));
    expect(answer).toBe('timeout expired');
    const seen = sockets.length;
    const asked = onSecond((cluster) => ask(cluster, silentUrl, LONGER_THAN_A_LOCK));
    await expect.poll(() => sockets.length, POLLING).toBeGreaterThan(seen);
    expect(await onSecond((cluster) => ask(cluster, new URL(second.url)))).toBeUndefined();
    for (const socket of sockets) socket.destroy();
    expect(await asked).toMatch(/server closed the connection unexpectedly/);
  });

  it('waits for transactions on the old server for longer than for a lock [§2.31]', async () => {
    const url = new URL(second.url);
    url.searchParams.set('options', '-c lock_timeout=100ms');
    const name = 'move_waiting';
    await withClient(second.url, async (client) => {
      await client.query('begin; select pg_current_xact_id()');
      const { limits } = await test.context.clusters.of(serverId);
      const server = { url: url.href, limits };
      const making = makeSnapshotSlot(server, { physicalName: 'postgres', name }, (_, make) => make());
      const made = expect(making).resolves.toMatchObject({ snapshot: expect.any(String) });
      await client.query('select pg_sleep(0.5); commit');
      await made;
      await (await making).release();
    });
    await onSecond((cluster) => dropSlot(cluster, name));
  });

  /** Starts a move and holds it where the copy follows. It waits for the lock meanwhile: how long it looks for changes begins with the end of that. */
  const following = async (
    code: string,
    from: string,
    to: string,
    whileHeld: (operationId: string) => Promise<void>,
  ) => {
    const id = await create(code, from);
    const { operationId } = (await startedTo(to, id)).result;
    const step = async () => (await stateAt(operationId)).step;
    await expect.poll(step, POLLING).toBeGreaterThan(0);
    await inDatabase(code, async (client) => {
      await client.query(HOLD_MARK);
      await expect.poll(step, POLLING).toBe(3);
      await whileHeld(operationId);
      await client.query('rollback');
    });
    return operationId;
  };

  /** Ends the connection between the servers while the copy reads. */
  const loseConnection = async (operationId: string) => {
    const failures = `select 1 / (coalesce(sum(apply_error_count), 0) > 0)::int from pg_stat_subscription_stats
      where subname = '${replicationName(operationId)}'`;
    // What ends before it has begun to read does not count.
    const lose = async () => {
      const reader = await readerOf(operationId);
      if (reader) await test.context.pool.query('select pg_terminate_backend($1)', [reader]);
      return inCopyOf(operationId, failures);
    };
    await expect.poll(lose, POLLING).toBe('done');
  };
  /** The process of PostgreSQL that sends the changes to the copy. */
  const readerOf = async (operationId: string): Promise<number> => {
    const reader = 'select active_pid as pid from pg_replication_slots where slot_name = $1';
    const { rows } = await test.context.pool.query(reader, [replicationName(operationId)]);
    return rows[0]?.pid ?? 0;
  };

  it('goes on where the connection between the servers is lost once [§2.31]', async () => {
    const operationId = await following('CUT OFF', HOME_SERVER, serverId, loseConnection);
    expect(await endOf(operationId)).toBe('Success! CUT OFF has been moved to Second.');
    await untilAdministratorEnters('CUT OFF');
  });

  it('ends with its reason where the copy no longer gets the changes: nobody asks for them or can do so, they are not kept, or one cannot be taken over [§2.31]', async () => {
    const disabled = async (operationId: string, copies: string) => {
      const stop = `alter subscription ${replicationName(operationId)} disable`;
      await expect.poll(() => inCopyOf(operationId, stop, copies), POLLING).toBe('done');
    };
    const refused = async (operationId: string) => {
      const same = "insert into public.locations (code, name, kind) values ('SAME', 'SAME', 'clinic')";
      await expect.poll(() => inCopyOf(operationId, same), POLLING).toBe('done');
      await add('NOT TAKEN', 'SAME');
    };
    const loseChanges = () =>
      withClient(second.url, async (client) => {
        await client.query("alter system set max_slot_wal_keep_size = '1MB'");
        await client.query('select pg_reload_conf()');
        const write = async () => {
          await client.query('select pg_switch_wal(), pg_logical_emit_message(false, $$test$$, $$more$$)');
          await client.query('checkpoint');
          const { rows } = await client.query('select wal_status as status from pg_replication_slots');
          return rows[0]?.status ?? 'lost';
        };
        await expect.poll(write, POLLING).toBe('lost');
        await client.query('alter system reset max_slot_wal_keep_size');
        await client.query('select pg_reload_conf()');
      });
    let reader = 0;
    const keptOut = await following('KEPT OUT', HOME_SERVER, serverId, async (operationId) => {
      const found = async () => {
        reader = await readerOf(operationId);
        return reader;
      };
      await expect.poll(found, POLLING).toBeGreaterThan(0);
      process.kill(reader, 'SIGSTOP');
    });
    try {
      // The move has looked whether following fails, which the connection that is lost then makes it do once.
      const looks = `select from pg_stat_activity
        where datname = current_database() and query like '%wal_status%' and pid <> pg_backend_pid()`;
      await expect.poll(() => run('KEPT OUT', looks), POLLING).toHaveLength(1);
      await test.context.pool.query(`alter role ${replicationName(keptOut)} nologin`);
      process.kill(reader, 'SIGTERM');
    } finally {
      process.kill(reader, 'SIGCONT');
    }
    const notTaken = await following('NOT TAKEN', HOME_SERVER, serverId, refused);
    const unread = await following('NOT READ', HOME_SERVER, serverId, (id) => disabled(id, second.url));
    const lost = await following('NOT KEPT', serverId, HOME_SERVER, async (id) => {
      await disabled(id, test.databaseUrl);
      await loseChanges();
    });
    expect(await endOf(lost)).toMatch(/old server has not kept all changes .* See max_slot_wal_keep_size there\./);
    for (const id of [unread, keptOut]) {
      expect(await endOf(id)).toMatch(
        /the copy no longer asks for changes\. The log of its database server says why\./,
      );
    }
    expect(await endOf(notTaken)).toMatch(
      /the copy cannot take over a change\. The log of its database server says which one\./,
    );
  });
});

async function copyUrlOf(operationId: string, on = second.url): Promise<string | undefined> {
  const { rows } = await withClient(on, (client) =>
    client.query('select datname as name from pg_database where datname like $1 and datallowconn', [
      `db_${operationId.replaceAll('-', '')}%`,
    ]),
  );
  if (!rows[0]) return undefined;
  const url = new URL(on);
  url.pathname = `/${rows[0].name}`;
  return url.href;
}

async function inCopyOf(operationId: string, statement: string, on?: string): Promise<string> {
  const url = await copyUrlOf(operationId, on);
  if (!url) return 'not there';
  return withClient(url, (client) => client.query(statement)).then(
    () => 'done',
    () => 'not yet',
  );
}
