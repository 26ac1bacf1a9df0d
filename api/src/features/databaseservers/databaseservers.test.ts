import { readFile, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { findingRoutes } from '@apotheca/contract/findings';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { sql } from 'kysely';
import pg from 'pg';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { HOME_SERVER } from '../../db/clusters.ts';
import { onBudget, TimeBudget } from '../../db/connections/time-budget.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { useSecondServer } from '../../testing/second-server.ts';
import { noteHealth, readFigures } from './health.repository.ts';
import { checkHealth } from './health-watch.ts';
import { checkServer } from './server-checks.repository.ts';
import { measureDatabaseServers } from './server-figures.ts';

const test = useTestApp();
const second = useSecondServer();

let viewer: string;
beforeAll(async () => {
  viewer = (await test.signInAs('Viewer')).token;
});
afterEach(() => test.context.platform.deleteFrom('databaseServers').where('id', '<>', HOME_SERVER).execute());

const create = (fields: object = {}) => test.call(databaseServerRoutes.create, { body: second.form(fields) });
const added = async (fields: object = {}): Promise<string> => (await create(fields)).result.id;
const edit = (body: object) => test.call(databaseServerRoutes.edit, { body });
const listed = async () => (await test.call(databaseServerRoutes.list)).result;
const change = (verb: 'drain' | 'retire' | 'activate' | 'check', id: string) =>
  test.call(databaseServerRoutes[verb], { body: { id } });
const audited = (entityId: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'changes'])
    .where('entityId', '=', entityId)
    .orderBy('id')
    .execute();
const asSuperuser = (statement: string) => withClient(second.url, (client) => client.query(statement));

describe('the list of database servers', () => {
  it('has the home server from the beginning, and is for everybody who may read [§2.30]', async () => {
    const { status, result } = await test.call(databaseServerRoutes.list, { token: viewer });
    const { port } = new URL(test.databaseUrl);
    expect({ status, result }).toEqual({
      status: 200,
      result: [expect.objectContaining({ id: HOME_SERVER, isHome: true, port: Number(port), state: 'active' })],
    });
    expect(JSON.stringify(result)).not.toMatch(/password|sealed/i);
  });

  it('is changed only by who may [§2.30]', async () => {
    const calls = [
      test.call(databaseServerRoutes.create, { token: viewer, body: second.form() }),
      test.call(databaseServerRoutes.drain, { token: viewer, body: { id: HOME_SERVER } }),
      test.call(databaseServerRoutes.delete, { token: viewer, query: { id: HOME_SERVER } }),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('a new database server', () => {
  it.each([
    [{ name: ' ' }, { name: ['Name is required'] }],
    [{ host: 'db.clinic.test:5432' }, { host: [expect.any(String)] }],
    [{ host: 'db/clinic' }, { host: ['Host must be a name or an address, without a port'] }],
    [{ port: 70_000 }, { port: ['Port must be at most 65535'] }],
    [{ capacity: 0 }, { capacity: ['Capacity must be at least 1'] }],
    [{ userName: '' }, { userName: ['User Name is required'] }],
    [{ password: '' }, { password: ['Password is required'] }],
    [{ tls: 'verify-full' }, { caCertificate: ['CA Certificate is required to verify the server'] }],
    [{ caCertificate: 'none' }, { caCertificate: ['CA Certificate must be in PEM format'] }],
  ])('is refused with a message at the field: %o [§2.30]', async (fields, errors) => {
    const answer = await create(fields);
    expect(answer.success).toBe(false);
    expect(answer.errors).toEqual(errors);
    expect(await listed()).toHaveLength(1);
  });

  it('is prepared, stored with its password sealed, and audited without it [§2.30]', async () => {
    const id = await added();
    expect(await listed()).toEqual([
      expect.objectContaining({ isHome: true }),
      expect.objectContaining({ id, name: 'Second', region: 'eu-west', capacity: 1_000, tenants: 0, databases: 0 }),
    ]);
    const { password } = await test.context.platform
      .selectFrom('databaseServers')
      .select('password')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(password?.includes('second')).toBe(false);
    const [entry, ...others] = await audited(id);
    expect(others).toEqual([]);
    expect(entry?.action).toBe('databaseservers.create');
    expect(entry?.changes).not.toHaveProperty('password');
    const own = await asSuperuser("select from pg_database where datname like 'apotheca\\_home\\_%'");
    expect(own.rowCount).toBe(1);
  });

  it('is in the list with its health at once, and so is one that is reached in another way [§2.30]', async () => {
    const id = await added();
    const health = { isAway: false, checkedOnUtc: expect.any(String), sessions: expect.any(Number) };
    expect((await listed())[1]).toMatchObject(health);
    await noteHealth(test.context.platform, id, { at: test.context.now(), problem: 'gone' });
    const { port, password } = new URL(second.url);
    expect(await edit({ id, name: 'Second', port: Number(port), password })).toMatchObject({ status: 200 });
    expect((await listed())[1]).toMatchObject(health);
  });

  it('has standbys, and none for who reads the changes of a database [§2.30]', async () => {
    const id = await added();
    const { platform } = await test.context.clusters.of(id);
    const connect = async (replication: string) => {
      const settings: pg.ClientConfig = { connectionString: second.url, application_name: 'reader' };
      const client = new pg.Client({ ...settings, ...{ replication } });
      await client.connect();
      return client;
    };
    const consumer = await connect('database');
    expect(await readFigures(platform)).toMatchObject({ standbys: 0 });
    const standby = await connect('true');
    expect(await readFigures(platform)).toMatchObject({ standbys: 1 });
    await Promise.all([consumer.end(), standby.end()]);
  });

  it('is refused where another record has its name or its address, also of two at once [§2.30]', async () => {
    const both = await Promise.all([create(), create()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await create({ name: 'SECOND', port: 1 })).toMatchObject({
      status: 409,
      errors: { name: ['This name is taken: choose another one.'] },
    });
    expect(await create({ name: 'Third' })).toMatchObject({
      status: 409,
      errors: { host: ['There is a database server with this host and port.'] },
    });
    expect(await listed()).toHaveLength(2);
  });

  it('is refused where it is the cluster of another record under another address [§2.30]', async () => {
    const { hostname, port, username, password } = new URL(test.databaseUrl);
    expect(hostname).toBe('127.0.0.1');
    const home = { host: 'localhost', port: Number(port), userName: username, password };
    expect(await create(home)).toMatchObject({
      status: 409,
      errors: { host: ['The server has a record already: It is the cluster of Home.'] },
    });
  });

  it('is refused where two take it into use at once under two addresses [§2.30]', async () => {
    const both = await Promise.all([create(), create({ name: 'Third', host: 'localhost' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = both.find(({ status }) => status === 409);
    expect(refused?.errors).toEqual({ host: [expect.stringMatching(/^The server has a record already/)] });
    expect(await listed()).toHaveLength(2);
  });

  it('is refused where it cannot be reached, or does not take the password [§2.30]', async () => {
    expect(await create({ port: 1 })).toMatchObject({
      status: 409,
      errors: { host: [expect.stringMatching(/^The server cannot be reached: .*ECONNREFUSED/)] },
    });
    expect(await create({ password: 'wrong' })).toMatchObject({
      status: 409,
      errors: { host: [expect.stringMatching(/password authentication failed/)] },
    });
    second.link.set('silent');
    expect(await create()).toMatchObject({
      status: 409,
      errors: { host: [expect.stringMatching(/^The server cannot be reached: /)] },
    });
    second.link.heal();
  });

  it('is refused where its user lacks rights, which are named [§2.30]', async () => {
    await asSuperuser("create role helpless login createrole password 'second'");
    await asSuperuser('grant connect on database postgres to helpless');
    expect(await create({ userName: 'helpless' })).toMatchObject({
      status: 409,
      errors: { userName: ['The user lacks rights: Lacks CREATEDB, membership in pg_signal_backend.'] },
    });
    await asSuperuser('alter role helpless createdb; grant pg_signal_backend to helpless');
    const [own] = (await asSuperuser("select datname from pg_database where datname like 'apotheca\\_home\\_%'")).rows;
    // That of another user it may not prepare.
    expect(await create({ userName: 'helpless' })).toMatchObject({
      status: 409,
      errors: { userName: [expect.stringMatching(/^The server refuses to be prepared: /)] },
    });
    await asSuperuser(`drop database ${own.datname} with (force)`);
    expect(await create({ userName: 'helpless' })).toMatchObject({ status: 200 });
  });

  it('is refused where it has no ICU collations [§2.30]', async () => {
    // As one that is built without ICU has none, in the database that is asked.
    await asSuperuser("delete from pg_collation where collprovider = 'i'");
    expect(await create()).toMatchObject({
      status: 409,
      errors: { host: ['The server lacks ICU: Built without ICU.'] },
    });
    expect(await listed()).toHaveLength(1);
    await asSuperuser("select pg_import_system_collations('pg_catalog')");
    expect(await create()).toMatchObject({ status: 200 });
  });

  it('is refused where its clock differs much [§2.30]', async () => {
    const findTwin = async () => undefined;
    const at = (seconds: number) => async () => new Date(Date.now() + seconds * 1_000);
    const clockOf = async (now: () => Promise<Date>) =>
      (await checkServer(second.url, { now, findTwin, findFreeDisk: findTwin })).points.find(
        ({ point }) => point === 'clock',
      )?.passed;
    expect([await clockOf(at(0)), await clockOf(at(60)), await clockOf(at(-60))]).toEqual([true, false, false]);
  });
});

describe('a check', () => {
  it('blames no server for the control database that it is compared with [§2.30]', async () => {
    const away = async () => Promise.reject(new Error('the control database is away'));
    const findTwin = async () => undefined;
    const surroundings = { now: async () => new Date(), findTwin, findFreeDisk: findTwin };
    for (const part of [{ now: away }, { findTwin: away }])
      await expect(checkServer(second.url, { ...surroundings, ...part })).rejects.toThrow(
        'the control database is away',
      );
  });

  it('answers every point, and says that the disk is not known [§2.30]', async () => {
    const { result } = await change('check', await added());
    expect(result.points).toEqual([
      { point: 'reached', passed: true, detail: expect.stringMatching(/^PostgreSQL 1\d/) },
      { point: 'version', passed: true, detail: expect.any(String) },
      { point: 'rights', passed: true, detail: 'Superuser' },
      { point: 'icu', passed: true, detail: 'Built with ICU' },
      { point: 'clock', passed: true, detail: expect.any(String) },
      { point: 'cluster', passed: true, detail: 'No other record has it' },
      { point: 'disk', passed: null, detail: 'Not known: PostgreSQL does not tell' },
    ]);
  });

  describe('of a server that may tell the free room of its disk', () => {
    const diskOf = async (id: string) => {
      const { result } = await change('check', id);
      return result.points.find(({ point }: { point: string }) => point === 'disk');
    };
    afterEach(() =>
      asSuperuser(`do $$ begin
        execute (select coalesce(string_agg(case relkind when 'f' then 'drop foreign table ' when 'v' then 'drop view ' else 'drop table ' end
          || 'public.apotheca_free_disk', ''), 'select') from pg_class where relname = 'apotheca_free_disk');
        drop extension if exists file_fdw cascade;
      end $$`),
    );

    it('says what df says there, by the statements of the manual [§2.30]', async () => {
      const manual = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');
      const [, statements = ''] = /```sql\n(create extension file_fdw;[^`]*)```/.exec(manual) ?? [];
      const id = await added();
      expect(await diskOf(id)).toMatchObject({ detail: 'Not known: PostgreSQL does not tell' });
      await asSuperuser(statements);
      expect(await diskOf(id)).toEqual({
        point: 'disk',
        passed: true,
        detail: expect.stringMatching(/^\d+\.\d GB free$/),
      });
      const [{ bytes }] = (await asSuperuser('select bytes from public.apotheca_free_disk')).rows;
      const { bavail, bsize } = await statfs(tmpdir());
      // What a role that is no superuser needs to read it, by the manual too.
      await asSuperuser(`
        create role reader; grant select on public.apotheca_free_disk to reader; set role reader;
        select bytes from public.apotheca_free_disk`);
      await asSuperuser('drop owned by reader; drop role reader');
      // What the machine writes meanwhile is far less than that.
      expect(Math.abs(Number(bytes) - bavail * bsize)).toBeLessThan(5e9);
    });

    it('refuses a new one whose disk is full, and no new way to one that has a record [§2.30]', async () => {
      await asSuperuser('create table public.apotheca_free_disk as select 100000000 as bytes');
      expect(await create()).toMatchObject({
        status: 409,
        errors: { host: ['The disk of the server is full: 0.1 GB free.'] },
      });
      await asSuperuser('update public.apotheca_free_disk set bytes = 300000000');
      const id = await added();
      expect(await diskOf(id)).toMatchObject({ passed: true, detail: '0.3 GB free' });
      await asSuperuser('update public.apotheca_free_disk set bytes = 0');
      expect(await diskOf(id)).toMatchObject({ passed: false, detail: '0.0 GB free' });
      const { port, password } = new URL(second.url);
      expect(await edit({ id, name: 'Second', port: Number(port), password })).toMatchObject({ status: 200 });
    });

    it.each([
      ['create table public.apotheca_free_disk (bytes bigint)', /^Not known: apotheca_free_disk is empty$/],
      ['create view public.apotheca_free_disk as select 1 / 0 as bytes', /^Not known: division by zero$/],
      ['create view public.apotheca_free_disk as select count(pg_sleep(600)) as bytes', /^Not known: .* timeout$/],
    ])('says why it is not known, and checks the rest all the same: %s [§2.30]', async (statement, reason) => {
      await asSuperuser(statement);
      const { result } = await change('check', await added());
      expect(result.points).toHaveLength(7);
      expect(result.points.at(-1)).toEqual({ point: 'disk', passed: null, detail: expect.stringMatching(reason) });
    });

    it('runs nothing that somebody else than an administrator has made [§2.30]', async () => {
      const id = await added();
      await asSuperuser(`
        create role stranger; grant create on schema public to stranger; set role stranger;
        create view public.apotheca_free_disk as select 1 as bytes`);
      expect(await diskOf(id)).toMatchObject({ passed: null, detail: 'Not known: PostgreSQL does not tell' });
      await asSuperuser('drop view public.apotheca_free_disk; drop owned by stranger; drop role stranger');
    });
  });

  it('of a server that does not answer has that point only, and the list says so [§2.30]', async () => {
    const id = await added();
    second.link.set('reset');
    const { result } = await change('check', id);
    expect(result.points).toEqual([{ point: 'reached', passed: false, detail: expect.any(String) }]);
    expect((await listed())[1]).toMatchObject({ isAway: true, problem: expect.any(String) });
    second.link.set('pass');
    expect(await change('check', id)).toMatchObject({ status: 200 });
    expect((await listed())[1]).toMatchObject({ isAway: false, problem: '' });
  });

  it('is a 404 for a server that is not there [§2.30]', async () => {
    expect(await change('check', crypto.randomUUID())).toMatchObject({ status: 404 });
  });
});

describe('an edit', () => {
  it('changes what it names, keeps the password, and refuses to overwrite a newer change [§2.30]', async () => {
    const id = await added();
    const described = { id, name: 'Renamed', region: '', capacity: null };
    expect(await edit({ ...described, version: 1 })).toMatchObject({ status: 200 });
    expect((await listed())[1]).toMatchObject({ name: 'Renamed', region: '', capacity: null, version: 2 });
    expect(await change('check', id)).toMatchObject({ status: 200 });
    expect(await edit({ ...described, name: 'Late', version: 1 })).toMatchObject({
      status: 409,
      title: 'Changed meanwhile',
    });
  });

  it('of an older record is told the newer certificate, before it is asked for a password [§2.30]', async () => {
    const id = await added();
    const caCertificate = '-----BEGIN CERTIFICATE-----\nrenewed';
    const renewed = { ...second.form(), id, version: 1, name: 'Second', caCertificate };
    expect(await edit(renewed)).toMatchObject({ status: 200 });
    expect((await audited(id)).at(-1)?.changes).toMatchObject({ caCertificate: 'changed', password: 'changed' });
    // The form of whoever opened it before: the certificate is the one before, and no password is typed.
    const older = { ...renewed, caCertificate: '', password: '', region: 'elsewhere' };
    const refused = await edit(older);
    expect(refused).toMatchObject({ status: 409, title: 'Changed meanwhile', result: { version: 2 } });
    expect(refused.result.changes).toContainEqual(
      expect.objectContaining({ field: 'caCertificate', after: caCertificate }),
    );
    expect(await edit({ ...older, caCertificate, version: 2 })).toMatchObject({ status: 200 });
    expect((await listed())[1]).toMatchObject({ region: 'elsewhere', caCertificate });
  });

  it('checks a server that is to be reached in another way, which must be the same cluster [§2.30]', async () => {
    const id = await added();
    const described = { id, name: 'Second', capacity: 5 };
    expect(await edit({ ...described, password: 'wrong' })).toMatchObject({ status: 409 });
    const past = new URL(second.url);
    const port = Number(past.port);
    expect(await edit({ ...described, port, password: past.password })).toMatchObject({ status: 200 });
    expect((await listed())[1]).toMatchObject({ port, capacity: 5 });
    const home = new URL(test.databaseUrl);
    expect(
      await edit({ ...described, host: 'localhost', port: Number(home.port), password: home.password }),
    ).toMatchObject({ status: 409 });
  });

  it('takes a cluster that was made anew for the same one where it has the databases of the record, and no other [§2.30]', async () => {
    const id = await added();
    const past = new URL(second.url);
    const way = { id, name: 'Second', password: past.password };
    const body = { ...tenantInput('UPGRADED'), databaseServerId: id };
    expect(await test.call(tenantRoutes.create, { body })).toMatchObject({ status: 200 });
    const { pool } = test.context;
    // As pg_upgrade leaves it, and a recovery onto an empty server.
    await pool.query("update database_servers set system_identifier = '1' where id = $1", [id]);
    expect(await edit({ ...way, port: Number(past.port) })).toMatchObject({ status: 200 });
    const { rows } = await pool.query('select system_identifier as is from database_servers where id = $1', [id]);
    expect(rows[0].is).not.toBe('1');
    // This installation may have been there under another record, whose own database stays.
    await pool.query("update database_servers set system_identifier = '1' where id = $1", [id]);
    await pool.query("update databases set physical_name = 'db_of_another_cluster' where server_id = $1", [id]);
    expect(await edit({ ...way, port: Number(new URL(second.link.url).port) })).toMatchObject({
      status: 409,
      errors: { host: ['This is another cluster than the one that the databases of Second live on.'] },
    });
    await pool.query('delete from databases where server_id = $1', [id]);
    await pool.query("delete from tenants where code = 'UPGRADED'");
  });

  it('that does not name the way leaves it as it is by then, when another edit has changed it meanwhile [§2.30]', async () => {
    const id = await added();
    const { port } = new URL(second.url);
    const { pool } = test.context;
    const other = await pool.connect();
    await other.query('begin');
    await other.query('select from database_servers where id = $1 for update', [id]);
    const late = edit({ id, name: 'Renamed' });
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await pool.query(waiting)).rowCount).toBe(1), 60_000);
    await other.query("update database_servers set port = $2, password = 'newer' where id = $1", [id, port]);
    await other.query('commit');
    other.release();
    expect(await late).toMatchObject({ status: 200 });
    const { rows } = await pool.query('select name, port, password from database_servers where id = $1', [id]);
    expect(rows).toEqual([{ name: 'Renamed', port: Number(port), password: Buffer.from('newer') }]);
  });

  it('leaves what is going on there alone, also with another address; so does a new state [§2.30]', async () => {
    const id = await added();
    const { clusters } = test.context;
    const first = await clusters.of(id);
    // As in a request, where a link is asked about each second.
    const slow = [
      onBudget(new TimeBudget(), () => sql`select pg_sleep(4)`.execute(first.utility)),
      onBudget(new TimeBudget(), () =>
        first.connections.with('postgres', (client) => client.query('select pg_sleep(4)'), {}, undefined),
      ),
    ];
    expect(await change('drain', id)).toMatchObject({ status: 200 });
    expect(await edit({ id, name: 'Renamed', region: 'eu-east', capacity: 5 })).toMatchObject({ status: 200 });
    expect(await clusters.of(id)).toBe(first);
    const { port, password } = new URL(second.url);
    expect(await edit({ id, name: 'Renamed', port: Number(port), password })).toMatchObject({ status: 200 });
    expect(await clusters.of(id)).not.toBe(first);
    expect(await Promise.all(slow)).toHaveLength(2);
  });

  it.each([{ host: 'elsewhere.test' }, { port: 1 }, { userName: 'somebody' }, { tls: 'require' }])(
    'sends the stored password nowhere else than it was stored for: %o [§2.30]',
    async (change) => {
      const id = await added();
      expect(await edit({ id, name: 'Second', ...change })).toMatchObject({
        status: 400,
        errors: { password: ['Password is required where host, port, user, TLS or certificate change'] },
      });
      expect(await edit({ ...second.form(), id, password: '', name: 'Same' })).toMatchObject({ status: 200 });
    },
  );

  it('gives the home server a name, a region and a capacity, and no address [§2.30]', async () => {
    const body = { id: HOME_SERVER, name: 'Main', region: 'here', capacity: 7, host: 'elsewhere.test' };
    expect(await edit(body)).toMatchObject({ status: 200 });
    expect((await listed())[0]).toMatchObject({ name: 'Main', region: 'here', capacity: 7, host: '127.0.0.1' });
    // What is not named stays.
    expect(await edit({ id: HOME_SERVER, name: 'Renamed' })).toMatchObject({ status: 200 });
    expect((await listed())[0]).toMatchObject({ name: 'Renamed', region: 'here', capacity: 7 });
    expect(await edit({ id: HOME_SERVER, name: 'Home', region: '', capacity: null })).toMatchObject({ status: 200 });
    expect((await listed())[0]).toMatchObject({ name: 'Home', region: '', capacity: null });
  });
});

describe('the state of a database server', () => {
  it('that is drained gives it no new tenants, also where there is no other one [§2.30]', async () => {
    const create = (code: string, databaseServerId?: string) =>
      test.call(tenantRoutes.create, { body: { ...tenantInput(code), databaseServerId } });
    expect(await change('drain', HOME_SERVER)).toMatchObject({ status: 200 });
    expect([await create('NOWHERE'), await create('NOT HOME', HOME_SERVER)]).toMatchObject([
      {
        status: 409,
        message:
          'No database server takes new databases: all are away, retired or closed to new tenants. Activate one in Database Servers, or add one.',
      },
      {
        status: 409,
        message: 'The database server Home takes no new tenants. Choose another one, or activate it.',
      },
    ]);
    expect(await change('activate', HOME_SERVER)).toMatchObject({ status: 200 });
    expect(await create('SOMEWHERE')).toMatchObject({ status: 200 });
  });

  it('can be taken back [§2.30]', async () => {
    const id = await added();
    const state = async () => (await listed())[1].state;
    expect(await change('drain', id)).toMatchObject({ status: 200, result: { databases: 0 } });
    expect(await state()).toBe('draining');
    expect(await change('retire', id)).toMatchObject({ status: 200 });
    expect(await state()).toBe('retired');
    expect(await change('activate', id)).toMatchObject({ status: 200 });
    expect(await state()).toBe('active');
    expect((await audited(id)).map(({ action }) => action)).toEqual([
      'databaseservers.create',
      'databaseservers.drain',
      'databaseservers.retire',
      'databaseservers.activate',
    ]);
  });

  const figures = async () => {
    const registry = new Registry();
    measureDatabaseServers(test.context, registry);
    return registry.metrics();
  };

  it('of one that is drained counts as full, whatever its capacity, as it takes no more [DECISIONS §13]', async () => {
    const home = { id: HOME_SERVER, name: 'Home', region: '' };
    const fill = async () =>
      Object.fromEntries(
        [...(await figures()).matchAll(/^database_server_(tenants|capacity)\{server="Home"\} (\d+)$/gm)].map(
          ([, name, value]) => [name, Number(value)],
        ),
      );
    expect(await test.call(tenantRoutes.create, { body: tenantInput('STAYING') })).toMatchObject({ status: 200 });
    const { tenants } = await fill();
    expect(tenants).toBeGreaterThan(0);
    for (const capacity of [1_000, null]) {
      expect(await edit({ ...home, capacity })).toMatchObject({ status: 200 });
      expect(await fill()).toEqual({ tenants, ...(capacity && { capacity }) });
      await change('drain', HOME_SERVER);
      expect(await fill()).toEqual({ tenants, capacity: tenants });
      await change('activate', HOME_SERVER);
    }
  });

  it('of one that is retired has no figures, as nobody needs it [DECISIONS §13]', async () => {
    const id = await added();
    const figured = async () => (await figures()).includes('server="Second"');
    expect(await figured()).toBe(true);
    for (const verb of ['drain', 'retire'] as const) await change(verb, id);
    expect(await figured()).toBe(false);
  });

  it('of one that is retired and switched off is nothing that Reconcile has to tell [DECISIONS §8]', async () => {
    const id = await added();
    const away = async () => (await test.call(reconciliationRoutes.reconcile)).result.serversAway;
    second.link.set('reset');
    expect(await away()).toEqual(['Second']);
    for (const verb of ['drain', 'retire'] as const) await change(verb, id);
    expect(await away()).toEqual([]);
    second.link.heal();
  });

  it('of one that is retired and switched off is nothing that the dashboard has to tell [DECISIONS §13]', async () => {
    const id = await added();
    const away = async () => {
      await checkHealth(test.context);
      const findings: { kind: string }[] = (await test.call(findingRoutes.list)).result;
      return findings.some(({ kind }) => kind === 'server-away');
    };
    second.link.set('reset');
    expect(await away()).toBe(true);
    for (const verb of ['drain', 'retire'] as const) await change(verb, id);
    expect(await away()).toBe(false);
    second.link.heal();
  });

  it('of the home server is never retired, and its record never deleted [§2.30]', async () => {
    expect(await change('retire', HOME_SERVER)).toMatchObject({ status: 409, title: 'Protected' });
    const deleted = await test.call(databaseServerRoutes.delete, { query: { id: HOME_SERVER } });
    expect(deleted).toMatchObject({ status: 409, title: 'Protected' });
  });

  it('ends with the record, which is deleted [§2.30]', async () => {
    const id = await added();
    expect(await test.call(databaseServerRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
    expect(await listed()).toHaveLength(1);
    expect(await test.call(databaseServerRoutes.delete, { query: { id } })).toMatchObject({ status: 404 });
  });

  it('ends with the record, and so do the sessions on the server [§2.30]', async () => {
    // The one that holds an embedded PostgreSQL open is of that server itself.
    const others = `select from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'apotheca presence'`;
    const countSessions = async () => (await asSuperuser(others)).rowCount;
    const id = await added();
    await expect.poll(countSessions).toBeGreaterThan(0);
    await test.call(databaseServerRoutes.delete, { query: { id } });
    expect(await test.context.clusters.list()).toEqual([expect.objectContaining({ id: HOME_SERVER })]);
    await expect.poll(countSessions).toBe(0);
  });
});
