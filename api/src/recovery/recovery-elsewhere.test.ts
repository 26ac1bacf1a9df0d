import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { moveRoutes } from '@apotheca/contract/moves';
import { parkedDatabaseRoutes } from '@apotheca/contract/parked-databases';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it, vi } from 'vitest';
import { quoteIdentifier } from '../db/cluster/names.ts';
import { replicationName } from '../db/cluster/replication.ts';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { createEmptyDatabase, withClient } from '../testing/databases.ts';
import {
  type LosableMachine,
  PATIENCE,
  readLogins,
  readUnits,
  runRecovery,
  startRecovery,
  withMachine,
} from '../testing/lost-machine.ts';
import { type SecondServer, useSecondServer } from '../testing/second-server.ts';

const alive = useSecondServer();
const anew = useSecondServer();

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

/** Databases on the home server, on one that outlives the machine, and on one that is lost with it. All but those that are deleted have a backup. */
const AT_HOME = ['ONE', 'TWO'];
const ALIVE = ['DROPPED', 'LIVE', 'PARKED'];
const ANEW = ['SUNK'];
/** Moved from the home server to the one that outlives it, once the backup was made. */
const MOVED = 'MOVED';
/** On the one that outlives the machine: being made when the backup was made; deleted then, and put back after it. */
const MAKING = 'MAKING';
const PUT_BACK = 'PUTBACK';

async function fill(machine: LosableMachine): Promise<void> {
  const { call, makeTenant, backUp } = machine;
  for (const code of [...AT_HOME, MOVED]) await makeTenant(code);
  const second = await addTo(machine, alive, 'Alive');
  for (const code of [...ALIVE, MAKING, PUT_BACK]) await makeTenant(code, second);
  const third = await addTo(machine, anew, 'Anew');
  for (const code of ANEW) await makeTenant(code, third);
  const { result: tenants } = await call(tenantRoutes.list);
  for (const wanted of ['PARKED', PUT_BACK]) {
    const { id } = tenants.find(({ code }: { code: string }) => code === wanted);
    expect(await call(tenantRoutes.delete, { query: { id } })).toMatchObject({ success: true });
  }
  for (const code of [...AT_HOME, MOVED, 'DROPPED', 'LIVE', ...ANEW]) await backUp(code);
  await backUpWhileMaking(machine);
  await changeAfterwards(machine, second.id);
}

async function addTo({ call }: LosableMachine, server: SecondServer, name: string) {
  const { message, result } = await call(databaseServerRoutes.create, { body: server.form({ name }) });
  if (!result) throw new Error(message);
  return { id: result.id, url: server.url };
}

/** Backs the installation up at a moment at which a call is making {@link MAKING}. */
async function backUpWhileMaking({ installation, backUpInstallation }: LosableMachine): Promise<void> {
  await withClient(await installation.databaseUrl(), async (client) => {
    const setState = (state: string) =>
      client.query('update databases set state = $1 where name = $2', [state, MAKING]);
    // As that call: else the server would undo what seems to be left of a crash.
    await client.query(
      "select pg_advisory_lock(hashtextextended('database:' || id, 0)) from databases where name = $1",
      [MAKING],
    );
    await setState('creating');
    await backUpInstallation();
    await setState('ready');
  });
}

/** What is done between the last backup of the control database and the loss. @param target where what moves goes to */
async function changeAfterwards({ call }: LosableMachine, target: string): Promise<void> {
  const { result: parked } = await call(parkedDatabaseRoutes.listParked);
  const { id } = parked.find(({ databaseName }: { databaseName: string }) => databaseName === PUT_BACK);
  expect(await call(parkedDatabaseRoutes.putBack, { query: { id } })).toMatchObject({ success: true });
  const { result: tenants } = await call(tenantRoutes.list);
  const moved = tenants.find(({ code }: { code: string }) => code === MOVED);
  const body = { id: moved.id, databaseServerId: target };
  expect(await call(moveRoutes.move, { body })).toMatchObject({ success: true });
}

/** Makes a server as one that was set up a moment ago. */
async function empty(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows: databases } = await client.query(
      "select datname as name from pg_database where not datistemplate and datname not in ('postgres', 'apotheca') or datname like 'apotheca\\_%'",
    );
    for (const { name } of databases) await client.query(`alter database ${quoteIdentifier(name)} is_template false`);
    for (const { name } of databases) await client.query(`drop database ${quoteIdentifier(name)} with (force)`);
    const { rows: roles } = await client.query(
      "select rolname as name from pg_roles where rolname not like 'pg\\_%' and rolname <> 'postgres'",
    );
    for (const { name } of roles) await client.query(`drop role ${quoteIdentifier(name)}`);
  });
}

const listTenantDatabases = (url: string): Promise<number> =>
  withClient(url, (client) => client.query("select from pg_database where datname like 'db\\_%'")).then(
    ({ rowCount }) => rowCount ?? 0,
  );

it('recovers into a PostgreSQL of DATABASE_URL and leaves alone what other servers still have; a second recovery meanwhile is refused, there and from elsewhere [DECISIONS §13]', async () => {
  await withMachine(async (machine, folder) => {
    const { installation, dataDir, key, store } = machine;
    await fill(machine);
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const logins = await readLogins(await installation.databaseUrl(), secrets);
    const ofNames = (names: string[]) => logins.filter(({ name }) => names.includes(name));
    const [live, dropped, moved] = ['LIVE', 'DROPPED', MOVED].flatMap((name) => ofNames([name]));
    if (!live || !dropped || !moved) throw new Error('They are not there.');
    for (const { physicalName } of [live, moved])
      await withClient(withDatabaseName(alive.url, physicalName), (client) =>
        client.query("insert into public.units (name, abbreviation) values ('Some', 's')"),
      );
    await installation.killPostgres();
    await rm(dataDir, { recursive: true });
    await withClient(alive.url, (client) =>
      client.query(`drop database ${quoteIdentifier(dropped.physicalName)} with (force)`),
    );
    await empty(anew.url);

    const target = await createEmptyDatabase();
    const environment = {
      ...store,
      DATABASE_URL: target.url,
      APOTHECA_DATA_DIR: join(folder, 'new'),
      APOTHECA_BACKUP_IDENTITY: key,
    };
    try {
      await alive.refuse();
      // So it does not end before the others are refused: the restore there takes hundreds of answers.
      anew.link.set({ delay: 200 });
      const first = startRecovery(environment);
      await vi.waitFor(() => expect(first.output()).toMatch('Control database: as of'), PATIENCE);
      const refusals = [
        { settings: {}, why: 'Another recovery is under way' },
        { settings: { APOTHECA_DATA_DIR: join(folder, 'other') }, why: 'has something in it already' },
      ];
      for (const { settings, why } of refusals) {
        const second = await runRecovery({ ...environment, ...settings });
        expect(second).toMatchObject({ code: 1, output: expect.stringContaining(why) });
      }
      anew.link.set('pass');
      const partial = await first.ended;
      expect(partial.output).toContain('4 of 6 databases are back.');
      expect(partial.output.split('\n').filter((line) => line.startsWith('PROBLEM '))).toEqual([
        'PROBLEM The database server Alive cannot be asked, so nothing there is restored or forgotten: password authentication failed for user "postgres"',
      ]);
      expect(partial.output).not.toMatch(/MISSING|are in no backup/);
      expect(partial.code).toBe(2);
      await alive.admit();
      const { code, output } = await runRecovery(environment);
      expect(output).toContain('7 of 7 databases are back.');
      expect(output.split('\n').filter((line) => /: (restored|is) /.test(line))).toEqual([
        'MOVED: is on Alive, where it was moved after the backup',
        'PUTBACK: is in use, so it is no longer parked',
        expect.stringMatching(/^DROPPED: restored from /),
      ]);
      const [making] = ofNames([MAKING]);
      expect(output.split('\n').filter((line) => /^(UNKNOWN|PROBLEM|MISSING) /.test(line))).toEqual([
        `UNKNOWN ${making?.physicalName}: the control database's backup does not know it. It is there: Reconcile registers it as a clone`,
      ]);
      expect(code).toBe(2);
      expect(await readUnits(alive.url, moved)).toEqual(['MOVED', 'Some']);
      for (const login of ofNames([MAKING, PUT_BACK])) expect(await readUnits(alive.url, login)).toEqual([login.name]);
      for (const login of ofNames(AT_HOME)) expect(await readUnits(target.url, login)).toEqual([login.name]);
      for (const login of ofNames(ANEW)) expect(await readUnits(anew.url, login)).toEqual([login.name]);
      expect(await readUnits(alive.url, dropped)).toEqual(['DROPPED']);
      expect(await readUnits(alive.url, live)).toEqual(['LIVE', 'Some']);
      // No rows of before beside them, and the parked ones are still known.
      expect(await listTenantDatabases(alive.url)).toBe([...ALIVE, MAKING, MOVED, PUT_BACK].length);
      const { rows } = await withClient(target.url, (client) => client.query('select name from parked_databases'));
      expect(rows).toEqual([{ name: 'PARKED' }]);
    } finally {
      await withClient(withDatabaseName(target.url, 'postgres'), async (client) => {
        for (const { physicalName, roleName } of ofNames(AT_HOME)) {
          await client.query(`drop database if exists ${quoteIdentifier(physicalName)} with (force)`);
          await client.query(`drop role if exists ${quoteIdentifier(roleName)}`);
        }
      });
      await target.drop();
    }
  });
});

it('leaves alone what was being made at the backup on a server that answers from the beginning [DECISIONS §13]', async () => {
  await empty(anew.url);
  await withMachine(async (machine, folder) => {
    const { installation, dataDir, key, store, makeTenant } = machine;
    await makeTenant(MAKING, await addTo(machine, anew, 'Anew'));
    await backUpWhileMaking(machine);
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const [making] = await readLogins(await installation.databaseUrl(), secrets);
    if (!making) throw new Error('It is not there.');
    await installation.killPostgres();
    await rm(dataDir, { recursive: true });
    const { output } = await runRecovery({
      ...store,
      APOTHECA_DATA_DIR: join(folder, 'new'),
      APOTHECA_BACKUP_IDENTITY: key,
    });
    expect(output).toContain(`UNKNOWN ${making.physicalName}: `);
    expect(await readUnits(anew.url, making)).toEqual([MAKING]);
  });
});

it('forgets what is parked on a server that was away once that says that it is lost, and frees at once what was moved there [DECISIONS §13]', async () => {
  for (const { url } of [alive, anew]) await empty(url);
  await withMachine(async (machine, folder) => {
    const { call, installation, dataDir, key, store, makeTenant, backUpInstallation } = machine;
    const away = await addTo(machine, alive, 'Alive');
    for (const code of ['PARKED', 'KEPT']) await makeTenant(code, away);
    await makeTenant(MOVED, await addTo(machine, anew, 'Anew'));
    const { result: tenants } = await call(tenantRoutes.list);
    const { id } = tenants.find(({ code }: { code: string }) => code === 'PARKED');
    expect(await call(tenantRoutes.delete, { query: { id } })).toMatchObject({ success: true });
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const logins = await readLogins(await installation.databaseUrl(), secrets);
    const source = withDatabaseName(anew.url, logins.find(({ name }) => name === MOVED)?.physicalName ?? '');
    const copy = randomUUID();
    await withClient(source, (client) => client.query(`create publication ${replicationName(copy)} for all tables`));
    await withClient(await installation.databaseUrl(), async (client) => {
      // As the operation that moves it: else the server would undo what seems to be left of a crash.
      await client.query("select pg_advisory_lock(hashtextextended('database:' || $1, 0))", [copy]);
      await client.query(
        `insert into databases (id, name, physical_name, role_name, role_password, state, copied_from, server_id, schema_version, created_at)
         select $1, 'copy', 'db_copy', 'db_copy', '', 'creating', id, $2, schema_version, now() from databases where name = $3`,
        [copy, away.id, MOVED],
      );
      await backUpInstallation();
    });
    await installation.killPostgres();
    await rm(dataDir, { recursive: true });
    await empty(alive.url);
    const target = await createEmptyDatabase();
    const rows = (text: string, url = target.url) =>
      withClient(url, (client) => client.query(text)).then((found) => found.rows);
    const environment = {
      ...store,
      DATABASE_URL: target.url,
      APOTHECA_DATA_DIR: join(folder, 'new'),
      APOTHECA_BACKUP_IDENTITY: key,
    };
    await alive.refuse();
    const first = await runRecovery(environment).finally(() => alive.admit());
    expect(first.output).toContain('PROBLEM The database server Alive cannot be asked');
    expect(await rows('select name from parked_databases')).toEqual([{ name: 'PARKED' }]);
    expect(await rows("select name from databases where state = 'creating'")).toEqual([]);
    expect(await rows('select pubname from pg_publication', source)).toEqual([]);
    for (const again of [await runRecovery(environment), await runRecovery(environment)]) {
      expect(again.output).toContain('Parked databases are in no backup, and gone: PARKED\n');
      expect(again.output).toMatch(/^MISSING KEPT: /m);
    }
    expect(await rows('select name from parked_databases')).toEqual([]);
    await target.drop();
  });
});
