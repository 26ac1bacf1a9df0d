import { anonymizationRoutes } from '@apotheca/contract/anonymization';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { backupRoutes } from '@apotheca/contract/backups';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { purgeRoutes } from '@apotheca/contract/purges';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { HOME_SERVER } from '../../db/clusters.ts';
import { type Answer, useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { holdAt, installStops, removeStops } from '../../testing/operation-stops.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { addServer, useSecondServer } from '../../testing/second-server.ts';
import { measureDatabases } from '../databases/database-upkeep.ts';
import { connectionStringOf, getDatabaseByName } from '../databases/databases.service.ts';

const test = useTestApp();
const second = useSecondServer();

let serverId: string;
beforeAll(async () => {
  serverId = await addServer(test, second);
});

const create = (code: string, databaseServerId?: string) =>
  test.call(tenantRoutes.create, { body: { ...tenantInput(code), ...(databaseServerId && { databaseServerId }) } });
const setCapacity = async (id: string, name: string, capacity: number | null) =>
  expect(await test.call(databaseServerRoutes.edit, { body: { id, name, region: '', capacity } })).toMatchObject({
    status: 200,
  });
const servers = async () => (await test.call(databaseServerRoutes.list)).result;
const serverOf = async (name: string) => (await getDatabaseByName(test.context, name)).serverId;
const ask = (statement: string, values: unknown[] = []) =>
  withClient(second.url, async (client) => (await client.query(statement, values)).rows);
const namesOnSecond = async () =>
  (await ask("select datname as name from pg_database where datname like 'db\\_%'")).map(({ name }) => name);

describe('a server that is killed right after an answer', () => {
  const isThere = async (name: string) => {
    await second.kill();
    await second.start();
    const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, name));
    return withClient(url, async (client) => (await client.query('select count(*)::int as rows from patients')).rows);
  };

  it('has the tenant and the clone that were answered, with their rights [§2.30]', async () => {
    // Nothing reaches its disk but what a commit waits for.
    await ask("alter system set wal_writer_delay = '10s'");
    await ask('select pg_reload_conf()');
    expect(await create('LASTING', serverId)).toMatchObject({ status: 200 });
    expect(await isThere('LASTING')).toEqual([{ rows: 0 }]);
    const copied = await test.call(databaseRoutes.copy, {
      query: { copyFrom: 'LASTING', databaseName: 'LASTING COPY' },
    });
    expect(copied).toMatchObject({ status: 200 });
    expect(await isThere('LASTING COPY')).toEqual([{ rows: 0 }]);
    await ask('alter system reset wal_writer_delay');
    await ask('select pg_reload_conf()');
  });
});

describe('what a crash must not take, as something on another server depends on it', () => {
  /** Which commits of an event did not wait for the disk while `work` ran, by a column of the row. */
  async function skippingDisk(event: string, column: string, work: () => Promise<void>): Promise<[string, boolean][]> {
    const { pool } = test.context;
    const [, table] = event.split(' on ');
    await pool.query(`
      create table commits (number serial, name text, source text);
      create function note_commit() returns trigger language plpgsql as $$ begin
        insert into commits (name, source) select new.${column}, source from pg_settings where name = 'synchronous_commit';
        return null;
      end $$;
      create constraint trigger note_commit after ${event} deferrable initially deferred
        for each row execute function note_commit()`);
    await work();
    const { rows } = await pool.query('select name, source from commits order by number');
    await pool.query(`drop trigger note_commit on ${table}; drop function note_commit; drop table commits`);
    // Where a transaction sets it, the source is the session.
    return rows.map(({ name, source }) => [name, source === 'session']);
  }

  it('the registration of a tenant waits for the disk: a database there would be left that nobody knows [§2.30]', async () => {
    const commits = await skippingDisk('insert on databases', 'server_id', async () => {
      expect(await create('FLUSHED LATER', HOME_SERVER)).toMatchObject({ status: 200 });
      expect(await create('FLUSHED AT ONCE', serverId)).toMatchObject({ status: 200 });
    });
    expect(commits).toEqual([
      [HOME_SERVER, true],
      [serverId, false],
    ]);
  });

  it('the begin of an operation waits for the disk: its next run would not look for what it did there [§2.30]', async () => {
    const commits = await skippingDisk('update of started_at on operations', 'database_name', async () => {
      for (const databaseName of ['FLUSHED LATER', 'FLUSHED AT ONCE']) {
        const purge = { query: { databaseName }, body: ['locations'] };
        expect(await test.call(purgeRoutes.purge, purge)).toMatchObject({ status: 200 });
      }
    });
    expect(commits).toEqual([
      ['FLUSHED LATER', true],
      ['FLUSHED AT ONCE', false],
    ]);
  });
});

describe('a new tenant', () => {
  it('is placed where it was chosen, and lives there with its role [§2.30]', async () => {
    expect(await create('CHOSEN', serverId)).toMatchObject({ status: 200 });
    const row = await getDatabaseByName(test.context, 'CHOSEN');
    expect(row.serverId).toBe(serverId);
    expect(await ask('select datname from pg_database where datname = $1', [row.physicalName])).toHaveLength(1);
    expect(await ask('select rolname from pg_roles where rolname = $1', [row.roleName])).toHaveLength(1);
    const { rowCount } = await test.context.pool.query('select from pg_database where datname = $1', [
      row.physicalName,
    ]);
    expect(rowCount).toBe(0);
    expect(await create('NOWHERE', crypto.randomUUID())).toMatchObject({
      status: 400,
      errors: { databaseServerId: ['There is no such database server.'] },
    });
  });

  it(`is placed on the active server with the most room: ${IS_LONG_RUN ? 40 : 12} at once come even to one [§2.30]`, async () => {
    const count = IS_LONG_RUN ? 40 : 12;
    const before = new Map<string, number>((await servers()).map(({ id, tenants }: never) => [id, tenants]));
    const room = count;
    await setCapacity(HOME_SERVER, 'Home', (before.get(HOME_SERVER) ?? 0) + room);
    await setCapacity(serverId, 'Second', (before.get(serverId) ?? 0) + room);
    const turn = pLimit(5);
    const codes = Array.from({ length: count }, (_, index) => `EVEN${index}`);
    const made = await Promise.all(codes.map((code) => turn(() => create(code))));
    expect(made.map(({ status }) => status)).toEqual(codes.map(() => 200));
    const grown = (await servers()).map(
      ({ id, tenants }: { id: string; tenants: number }) => tenants - (before.get(id) ?? 0),
    );
    expect(grown.reduce((sum: number, each: number) => sum + each, 0)).toBe(count);
    expect(Math.abs(grown[0] - grown[1])).toBeLessThanOrEqual(1);
  });

  it('is placed on the server with the fewest tenants where none has a capacity [§2.30]', async () => {
    await setCapacity(HOME_SERVER, 'Home', null);
    await setCapacity(serverId, 'Second', null);
    const difference = async () => {
      const [home, second] = (await servers()).map(({ tenants }: { tenants: number }) => tenants);
      return Math.abs(home - second);
    };
    for (let left = (await difference()) + 2; left > 0; left -= 1)
      expect(await create(`FEW${left}`)).toMatchObject({ status: 200 });
    expect(await difference()).toBe(0);
  });

  it('is refused where the server is full, also of two at once, and where it is drained [§2.30]', async () => {
    const { tenants } = (await servers())[1];
    await setCapacity(serverId, 'Second', tenants + 1);
    const both = await Promise.all([create('LAST ONE', serverId), create('TOO MANY', serverId)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.message).toBe(
      `The database server Second is full: it takes ${tenants + 1} tenants. Choose another one, or raise its capacity.`,
    );
    // A copy lives where its source does, so none can be chosen.
    const source = both[0]?.status === 200 ? 'LAST ONE' : 'TOO MANY';
    const twin = { isCreateTenant: 'true', copyFrom: source, tenantCode: 'TWIN', databaseName: 'TWIN' };
    expect(await test.call(databaseRoutes.copy, { query: twin })).toMatchObject({
      status: 409,
      message: `The database server Second is full: it takes ${tenants + 1} tenants. Raise its capacity.`,
    });
    await setCapacity(serverId, 'Second', 1_000);
    const drained = await test.call(databaseServerRoutes.drain, { body: { id: serverId } });
    expect(drained.message).toMatch(/^No new tenants are placed there\. \d+ databases still there\.$/);
    expect(await create('DRAINED', serverId)).toMatchObject({
      status: 409,
      message: 'The database server Second takes no new tenants. Choose another one, or activate it.',
    });
    await setCapacity(HOME_SERVER, 'Home', null);
    expect(await create('ELSEWHERE')).toMatchObject({ status: 200 });
    expect(await serverOf('ELSEWHERE')).toBe(HOME_SERVER);
    const retired = await test.call(databaseServerRoutes.retire, { body: { id: serverId } });
    expect(retired).toMatchObject({ status: 409, title: 'In use' });
    await test.call(databaseServerRoutes.activate, { body: { id: serverId } });
  });
});

describe('a tenant on another server', () => {
  const query = (databaseName: string) => ({ query: { databaseName } });
  const tenantId = async (code: string) => String((await getDatabaseByName(test.context, code)).tenantId);
  const run = async (code: string, statement: string) =>
    test.context.tenants.with(
      await getDatabaseByName(test.context, code),
      async (client) => (await client.query(statement)).rows,
      { unlimited: true },
    );
  const codes = async (name: string) =>
    (await run(name, 'select code from public.locations order by code')).map(({ code }) => code);
  /** On another server, a database that changed places with another one is opened once the registry says so: right after the end. */
  const opened = (name: string) => expect.poll(() => codes(name).catch(() => undefined)).toBeDefined();

  /** Kills an operation after its commit on the further server, before the registry knows: nobody gets in then, and the next run ends it. */
  async function killBetweenCommits(
    kind: 'restore' | 'unpark',
    name: string,
    physicalName: string,
    start: (headers: Record<string, string>) => Promise<Answer>,
  ): Promise<void> {
    await holdAt(
      test.databaseUrl,
      { kind, point: 'succeeded' },
      () => start({ prefer: 'respond-async' }),
      async ({ endSessions }) => {
        const [found] = await ask('select datallowconn as open from pg_database where datname = $1', [physicalName]);
        expect(found).toEqual({ open: false });
        await removeStops(test.databaseUrl);
        await endSessions();
      },
    );
    await operationsEnded(test.databaseUrl);
    const { rows } = await test.context.pool.query(
      'select state, error from operations where kind = $1 and database_name = $2',
      [kind, name],
    );
    expect(rows).toEqual([{ state: 'succeeded', error: null }]);
    await opened(name);
  }
  const add = (name: string, code: string) =>
    run(name, `insert into public.locations (code, name, kind) values ('${code}', '${code}', 'clinic')`);
  const asProgram = async (name: string) => {
    const id = await tenantId(name);
    const { result } = await test.call(credentialRoutes.reveal, { query: { id, access: 'write' } });
    return withClient(result.connectionString, async (client) => {
      const { rows } = await client.query('select current_user as role, inet_server_port() as port');
      return rows[0];
    });
  };

  beforeAll(async () => {
    await installStops(test.databaseUrl);
    expect(await create('AWAY HOME', serverId)).toMatchObject({ status: 200 });
    await add('AWAY HOME', 'A');
  });

  it('is reached by its programs there, whose login is made, rotated and resolved there [§2.30]', async () => {
    const { port } = new URL(second.url);
    expect(await asProgram('AWAY HOME')).toMatchObject({ port: Number(port) });
    const id = await tenantId('AWAY HOME');
    const rotated = await test.call(credentialRoutes.rotate, { body: { id, access: 'write', overlapMinutes: 0 } });
    expect(rotated).toMatchObject({ status: 200, result: { port: Number(new URL(second.link.url).port) } });
    expect(await asProgram('AWAY HOME')).toMatchObject({ port: Number(port) });
    const listed = (await test.call(tenantRoutes.list)).result.find(
      ({ code }: { code: string }) => code === 'AWAY HOME',
    );
    expect(listed.connectionString).toContain(`@127.0.0.1:${new URL(second.link.url).port}/db_`);
  });

  it('is told of, measured and compared there [§2.30]', async () => {
    const { result } = await test.call(databaseRoutes.details, query('AWAY HOME'));
    expect(result).toMatchObject({ serverName: 'Second', connections: 0 });
    expect(result.sizeBytes).toBeGreaterThan(1_000_000);
    await test.context.platform
      .updateTable('databases')
      .set({ sizeBytes: null, measuredAt: null })
      .where('name', '=', 'AWAY HOME')
      .execute();
    await measureDatabases(test.context);
    const row = (await test.call(databaseRoutes.list)).result.find(
      ({ databaseName }: { databaseName: string }) => databaseName === 'AWAY HOME',
    );
    // Not compared with that of before: autovacuum changes it meanwhile.
    expect(row).toMatchObject({ serverName: 'Second' });
    expect(row.sizeBytes).toBeGreaterThan(1_000_000);
    const compared = await test.call(reconciliationRoutes.reconcile);
    expect(compared.result).toMatchObject({ findings: [], serversAway: [] });
  });

  it('is compared with what its server has: lost and unknown databases are found there [§2.30]', async () => {
    const { physicalName } = await getDatabaseByName(test.context, 'CHOSEN');
    await ask(`alter database ${physicalName} rename to db_renamed`);
    const { result } = await test.call(reconciliationRoutes.reconcile);
    expect(result.findings.map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject])).toEqual([
      ['database-missing', 'CHOSEN'],
      ['database-without-owner', 'db_renamed'],
    ]);
    await ask(`alter database db_renamed rename to ${physicalName}`);
    await ask(`alter database ${physicalName} allow_connections false`);
    const fixed = await test.call(reconciliationRoutes.fix, { query: { kind: 'connections-off', subject: 'CHOSEN' } });
    expect(fixed).toMatchObject({ status: 200 });
    expect(await codes('CHOSEN')).toEqual([]);
  });

  it('is backed up and restored there: over itself, put back, and as a new database [§2.30]', async () => {
    const { id } = (await test.call(backupRoutes.create, query('AWAY HOME'))).result;
    await add('AWAY HOME', 'B');
    const before = await asProgram('AWAY HOME');
    const restored = await test.call(backupRoutes.restore, { query: { id, databaseName: 'AWAY HOME' } });
    expect(restored).toMatchObject({ status: 200 });
    await opened('AWAY HOME');
    expect(await codes('AWAY HOME')).toEqual(['A']);
    expect(await asProgram('AWAY HOME')).toEqual(before);
    const [kept] = (await test.call(parkedDatabaseRoutes.listParked)).result;
    expect(await test.call(parkedDatabaseRoutes.putBack, { query: { id: kept.id } })).toMatchObject({ status: 200 });
    await opened('AWAY HOME');
    expect(await codes('AWAY HOME')).toEqual(['A', 'B']);
    expect(await asProgram('AWAY HOME')).toEqual(before);
    const asNew = await test.call(backupRoutes.restore, { query: { id, databaseName: 'RESTORED AWAY' } });
    expect(asNew).toMatchObject({ status: 200 });
    expect(await serverOf('RESTORED AWAY')).toBe(serverId);
    expect(await codes('RESTORED AWAY')).toEqual(['A']);
  });

  it('has its backups proved there, where the disk, as far as it is known, has the room [§2.30]', async () => {
    const { id } = (await test.call(backupRoutes.create, query('AWAY HOME'))).result;
    await ask('create table public.apotheca_free_disk as select 200000000 as bytes');
    expect(await test.call(backupProofRoutes.prove, { query: { id } })).toMatchObject({
      status: 507,
      message: expect.stringMatching(
        /^The disk of the database server Second has 0\.2 GB free, and a proof of this backup of AWAY HOME may/,
      ),
    });
    await ask('drop table public.apotheca_free_disk');
    expect(await test.call(backupProofRoutes.prove, { query: { id } })).toMatchObject({
      status: 200,
      result: { proof: { result: 'proved' } },
    });
  });

  it('that was lost there is restored, also where the server is killed between the two commits [§2.30]', async () => {
    expect(await create('LOST AWAY', serverId)).toMatchObject({ status: 200 });
    await add('LOST AWAY', 'A');
    const before = await asProgram('LOST AWAY');
    const { id } = (await test.call(backupRoutes.create, query('LOST AWAY'))).result;
    const { physicalName } = await getDatabaseByName(test.context, 'LOST AWAY');
    await ask(`drop database ${physicalName} with (force)`);
    const wanted = { id, databaseName: 'LOST AWAY' };
    const { digest } = (await test.call(backupRoutes.planRestore, { query: wanted })).result;
    await killBetweenCommits('restore', 'LOST AWAY', physicalName, (headers) =>
      test.call(backupRoutes.restore, { query: { ...wanted, plan: digest }, headers }),
    );
    expect(await codes('LOST AWAY')).toEqual(['A']);
    expect(await asProgram('LOST AWAY')).toEqual(before);
    expect((await test.call(reconciliationRoutes.reconcile)).result).toMatchObject({ findings: [] });
  });

  it('that was lost there gets back what it replaced, also where the server is killed between the two commits [§2.30]', async () => {
    expect(await create('LOST TURN', serverId)).toMatchObject({ status: 200 });
    await add('LOST TURN', 'A');
    const before = await asProgram('LOST TURN');
    const { id } = (await test.call(backupRoutes.create, query('LOST TURN'))).result;
    await add('LOST TURN', 'B');
    const replaced = await test.call(backupRoutes.restore, { query: { id, databaseName: 'LOST TURN' } });
    expect(replaced).toMatchObject({ status: 200 });
    const { physicalName } = await getDatabaseByName(test.context, 'LOST TURN');
    await ask(`drop database ${physicalName} with (force)`);
    const parked = (await test.call(parkedDatabaseRoutes.listParked)).result.find(
      ({ databaseName }: { databaseName: string }) => databaseName === 'LOST TURN',
    );
    await killBetweenCommits('unpark', 'LOST TURN', physicalName, (headers) =>
      test.call(parkedDatabaseRoutes.putBack, { query: { id: parked.id }, headers }),
    );
    expect(await codes('LOST TURN')).toEqual(['A', 'B']);
    expect(await asProgram('LOST TURN')).toEqual(before);
    expect((await test.call(reconciliationRoutes.reconcile)).result).toMatchObject({ findings: [] });
  });

  it('is cloned, renamed, anonymized, purged and synced there [§2.30]', async () => {
    const clone = { copyFrom: 'AWAY HOME', databaseName: 'CLONED AWAY' };
    expect(await test.call(databaseRoutes.copy, { query: clone })).toMatchObject({ status: 200 });
    expect(await serverOf('CLONED AWAY')).toBe(serverId);
    expect(await codes('CLONED AWAY')).toEqual(await codes('AWAY HOME'));
    expect(await test.call(anonymizationRoutes.anonymize, query('CLONED AWAY'))).toMatchObject({ status: 200 });
    const purged = await test.call(purgeRoutes.purge, { ...query('CLONED AWAY'), body: ['locations'] });
    expect(purged).toMatchObject({ status: 200, result: { deletedTables: ['locations'] } });
    expect(await codes('CLONED AWAY')).toEqual([]);
    const synced = await test.call(permissionRoutes.sync, { query: { tenantId: await tenantId('AWAY HOME') } });
    expect(synced).toMatchObject({ status: 200 });
  });

  it('is closed to its programs there when it is deactivated [§2.30]', async () => {
    const id = await tenantId('AWAY HOME');
    expect(await test.call(tenantRoutes.deactivate, { query: { id } })).toMatchObject({ status: 200 });
    await expect
      .poll(async () => (await asProgram('AWAY HOME').catch((error: Error) => error)) instanceof Error)
      .toBe(true);
    expect(await test.call(tenantRoutes.activate, { query: { id } })).toMatchObject({ status: 200 });
    await expect
      .poll(async () => (await asProgram('AWAY HOME').catch(() => undefined))?.role)
      .toEqual(expect.any(String));
  });

  it('is duplicated there, and deleted with its database and roles [§2.30]', async () => {
    const twin = { isCreateTenant: 'true', copyFrom: 'AWAY HOME', tenantCode: 'TWIN AWAY', databaseName: 'TWIN AWAY' };
    expect(await test.call(databaseRoutes.copy, { query: twin })).toMatchObject({ status: 200 });
    const { serverId: place, physicalName } = await getDatabaseByName(test.context, 'TWIN AWAY');
    expect(place).toBe(serverId);
    const settings = test.context.parkDays;
    test.context.parkDays = 0;
    const id = await tenantId('TWIN AWAY');
    expect(await test.call(tenantRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
    test.context.parkDays = settings;
    expect(await namesOnSecond()).not.toContain(physicalName);
    expect(await ask('select rolname from pg_roles where rolname = $1', [physicalName])).toEqual([]);
  });
});
