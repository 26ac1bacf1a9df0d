import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../actor.ts';
import { withDatabaseName } from '../../db/connections/connection-string.ts';
import { newestTenantSchemaVersion } from '../../db/migrate.ts';
import { startOperation } from '../../operations/operations.service.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { OLD_SCHEMA, TO_OLD_SCHEMA } from '../../testing/old-schema.ts';
import { operationsEnded } from '../../testing/operations.ts';
import { startUpgrades } from './database-upkeep.ts';
import { getDatabaseByName } from './databases.service.ts';
import { upgradeOperation } from './upgrade.operation.ts';

const test = useTestApp();
const NEWEST = newestTenantSchemaVersion();
const CODES = ['UP1', 'UP2', 'UP3', 'UP4', 'UP5', 'UP6'];
const BROKEN = 'UP3';

const inDatabase = async (name: string, text: string) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  return withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(text));
};
const list = async (): Promise<Database[]> => (await test.call(databaseRoutes.list)).result;
const versions = async () =>
  Object.fromEntries(
    (await list()).map(({ databaseName, schemaVersion, isOutdated }) => [databaseName, { schemaVersion, isOutdated }]),
  );
const newest = async () => (await test.call(operationRoutes.list)).result[0];
const upgrade = async (since = new Date(0)) => {
  const queued = await startUpgrades(test.context, since);
  await operationsEnded(test.databaseUrl);
  return queued;
};

/** Gives a database the old schema. */
async function downgrade(name: string): Promise<void> {
  await inDatabase(name, TO_OLD_SCHEMA);
  await test.context.platform
    .updateTable('databases')
    .set({ schemaVersion: OLD_SCHEMA })
    .where('name', '=', name)
    .execute();
}

beforeAll(async () => {
  for (const code of CODES) {
    await test.call(tenantRoutes.create, { body: tenantInput(code) });
    await inDatabase(code, `insert into locations (code, name, kind) values ('${code}', 'Kept', 'clinic')`);
    await downgrade(code);
  }
  // The migration creates this schema too, so it fails.
  await inDatabase(BROKEN, 'create schema apotheca_purged');
});

describe('an upgrade of all databases', () => {
  it('upgrades each to the newest version; one that fails keeps its old version, and its operation tells why [DECISIONS §7]', async () => {
    expect(await upgrade()).toBe(CODES.length);
    const expected = CODES.map((code) =>
      code === BROKEN
        ? [code, { schemaVersion: OLD_SCHEMA, isOutdated: true }]
        : [code, { schemaVersion: NEWEST, isOutdated: false }],
    );
    expect(await versions()).toEqual(Object.fromEntries(expected));
    const { result: operations } = await test.call(operationRoutes.list);
    const failed = operations.filter(({ state }: { state: string }) => state === 'failed');
    expect(failed).toMatchObject([
      { kind: 'upgrade', databaseName: BROKEN, message: 'schema "apotheca_purged" already exists.' },
    ]);
    const { rows } = await inDatabase(BROKEN, 'select max(version) as version from apotheca.schema_version');
    expect(rows).toEqual([{ version: OLD_SCHEMA }]);
  });

  it('leaves rows as they were [DECISIONS §7]', async () => {
    for (const code of CODES) {
      expect((await inDatabase(code, 'select code from locations')).rows).toEqual([{ code }]);
    }
  });

  it('tries a failed upgrade again when it is asked to [DECISIONS §8]', async () => {
    const [failed] = (await test.call(operationRoutes.list)).result.filter(
      ({ state }: { state: string }) => state === 'failed',
    );
    await inDatabase(BROKEN, 'drop schema apotheca_purged');
    expect(await test.call(operationRoutes.retry, { query: { id: failed.id } })).toMatchObject({ status: 200 });
    await operationsEnded(test.databaseUrl);
    expect((await versions())[BROKEN]).toEqual({ schemaVersion: NEWEST, isOutdated: false });
    expect(await startUpgrades(test.context, new Date(0))).toBe(0);
  });
});

describe('an upgrade that an older server has made while it was replaced', () => {
  it('is made again, as it left the schema as it was [DECISIONS §7]', async () => {
    const since = new Date(0);
    await downgrade('UP2');
    expect(await upgrade(since)).toBe(1);
    // To the older server that is the newest version.
    await downgrade('UP2');
    expect(await upgrade(since)).toBe(1);
    expect((await versions()).UP2).toEqual({ schemaVersion: NEWEST, isOutdated: false });
  });
});

describe('an upgrade that an older server takes', () => {
  const entries = async () =>
    test.context.platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('action', '=', 'databases.upgrade')
      .execute();
  const take = async (name: string) => {
    const { id: databaseId } = await getDatabaseByName(test.context, name);
    // So that it is the newest one.
    test.clock.advance(1);
    await startOperation(test.context, SERVER_ACTOR, upgradeOperation, { databaseId });
    await operationsEnded(test.databaseUrl);
  };

  it('is told as no upgrade where there is nothing to do [DECISIONS §7]', async () => {
    const before = await entries();
    await take('UP4');
    expect(await newest()).toMatchObject({ databaseName: 'UP4', state: 'succeeded' });
    expect(await entries()).toEqual(before);
  });

  it('leaves the version that a newer one has brought the database to [DECISIONS §7]', async () => {
    await inDatabase('UP4', "insert into apotheca.schema_version (version, name) values (99, 'later')");
    await take('UP4');
    expect((await versions()).UP4).toEqual({ schemaVersion: 99, isOutdated: false });
    expect((await entries()).at(-1)).toEqual({ changes: { schemaVersion: [NEWEST, 99] } });
  });
});

describe('an upgrade that waits', () => {
  /** Makes a database outdated, as for a server with newer code. @returns the start of this server */
  const startWith = async (outdated: string) => {
    await downgrade(outdated);
    test.clock.advance(1);
    return test.clock.now;
  };

  it('for a lock gives up after seconds, and is tried again after ten minutes [DECISIONS §7]', async () => {
    const since = await startWith('UP1');
    const { physicalName } = await getDatabaseByName(test.context, 'UP1');
    await withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
      // A lock that conflicts with ALTER TABLE.
      await client.query('begin; lock table athena_ndc_whitelists in share mode');
      expect(await upgrade(since)).toBe(1);
    });
    expect(await newest()).toMatchObject({
      kind: 'upgrade',
      databaseName: 'UP1',
      state: 'failed',
      message: expect.stringMatching(/^UP1 is in use by another session: its schema stays on its old version\./),
    });
    test.clock.advance(599);
    expect(await upgrade(since)).toBe(0);
    test.clock.advance(2);
    expect(await upgrade(since)).toBe(1);
    expect((await versions()).UP1).toEqual({ schemaVersion: NEWEST, isOutdated: false });
  });

  it('is tried again at once where a clock that was ahead dated the one that failed [DECISIONS §8]', async () => {
    const since = await startWith('UP6');
    await inDatabase('UP6', 'create schema apotheca_purged');
    expect(await upgrade(since)).toBe(1);
    expect(await newest()).toMatchObject({ databaseName: 'UP6', state: 'failed' });
    expect(await upgrade(since)).toBe(0);
    await inDatabase('UP6', 'drop schema apotheca_purged');
    const { id } = await newest();
    const createdAt = new Date(test.clock.now.getTime() + 365 * 86_400_000);
    await test.context.platform.updateTable('operations').set({ createdAt }).where('id', '=', id).execute();
    expect(await upgrade(since)).toBe(1);
    expect((await versions()).UP6).toEqual({ schemaVersion: NEWEST, isOutdated: false });
    await test.context.platform.deleteFrom('operations').where('id', '=', id).execute();
  });

  it('can be cancelled, and is then not tried again by itself [DECISIONS §8]', async () => {
    const since = await startWith('UP2');
    await inDatabase(
      'UP2',
      `create function apotheca.wait() returns trigger language plpgsql
         as 'begin perform pg_sleep(3600); return new; end';
       create trigger wait before insert on apotheca.schema_version for each row execute function apotheca.wait()`,
    );
    expect(await startUpgrades(test.context, since)).toBe(1);
    await isWaiting('UP2');
    const { id } = await newest();
    expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
    await operationsEnded(test.databaseUrl);
    expect(await newest()).toMatchObject({ kind: 'upgrade', databaseName: 'UP2', state: 'cancelled' });
    expect((await versions()).UP2).toEqual({ schemaVersion: OLD_SCHEMA, isOutdated: true });
    test.clock.advance(601);
    expect(await startUpgrades(test.context, since)).toBe(0);
  });
});

/** Waits until a session of a database runs pg_sleep. */
async function isWaiting(name: string): Promise<void> {
  const { physicalName } = await getDatabaseByName(test.context, name);
  await withClient(test.databaseUrl, async (client) => {
    const sleeping = "select from pg_stat_activity where datname = $1 and wait_event = 'PgSleep'";
    while ((await client.query(sleeping, [physicalName])).rowCount === 0) await client.query('select pg_sleep(0.05)');
  });
}
