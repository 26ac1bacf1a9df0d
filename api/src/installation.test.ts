import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { readConfig, StartError } from './config.ts';
import { allowConnections } from './db/cluster/database-sessions.ts';
import { unfinishedMark } from './db/cluster/ownership-mark.ts';
import { HOME_SERVER } from './db/clusters.ts';
import { newestTenantSchemaVersion } from './db/migrate.ts';
import { getDatabaseByName } from './features/databases/databases.service.ts';
import { openInstallation } from './installation.ts';
import { keepSecrets } from './secrets.ts';
import { TEST_SECRET, useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { createEmptyDatabase, withClient } from './testing/databases.ts';
import { addServer, useSecondServer } from './testing/second-server.ts';
import { withDataDir } from './testing/server-process.ts';

const test = useTestApp();
const second = useSecondServer();
const NEWEST = newestTenantSchemaVersion();
const OTHER_SECRET = 'another secret that is long enough, too';

/** Waits until a database has the newest schema. */
const upgraded = (name: string) =>
  withClient(test.databaseUrl, async (client) => {
    const found = 'select from databases where name = $1 and schema_version = $2';
    while (!(await client.query(found, [name, NEWEST])).rowCount) await client.query('select pg_sleep(0.05)');
  });

it('a database that cannot be settled does not keep others from their upgrades [DECISIONS §7]', async () => {
  const { platform } = test.context;
  for (const code of ['STUCK', 'OLD']) await test.call(tenantRoutes.create, { body: tenantInput(code) });
  const { physicalName } = await getDatabaseByName(test.context, 'STUCK');
  // PostgreSQL refuses to drop a template.
  const makeTemplate = (isTemplate: boolean) =>
    withClient(test.databaseUrl, (client) => client.query(`alter database ${physicalName} is_template ${isTemplate}`));
  await makeTemplate(true);
  await platform.updateTable('databases').set({ state: 'deleting' }).where('name', '=', 'STUCK').execute();
  await platform
    .updateTable('databases')
    .set({ schemaVersion: NEWEST - 1 })
    .where('name', '=', 'OLD')
    .execute();
  const errors: unknown[] = [];
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir, APOTHECA_SECRET: TEST_SECRET };
    const installation = await openInstallation(readConfig(environment));
    await installation.startBackgroundWork((error) => errors.push(error));
    await upgraded('OLD').finally(installation.close);
  });
  await makeTemplate(false);
  expect(errors).toContainEqual(expect.objectContaining({ message: '1 databases could not be settled' }));
});

it('notes what there is at the end of the day, from its start on [§2.5]', async () => {
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir, APOTHECA_SECRET: TEST_SECRET };
    const installation = await openInstallation(readConfig(environment));
    await test.context.platform.deleteFrom('growthDays').execute();
    await installation.startBackgroundWork(() => {});
    const noted = () => test.context.platform.selectFrom('growthDays').select('day').execute();
    await expect.poll(noted).toHaveLength(1);
    await installation.close();
  });
});

describe('an APOTHECA_ADMIN_PASSWORD that is shorter than new passwords must be', () => {
  const startOn = (databaseUrl: string) =>
    withDataDir((dataDir) =>
      openInstallation(
        readConfig({
          DATABASE_URL: databaseUrl,
          APOTHECA_DATA_DIR: dataDir,
          APOTHECA_SECRET: TEST_SECRET,
          APOTHECA_ADMIN_PASSWORD: 'eleven-char',
        }),
      ).then(({ close }) => close()),
    );

  it('stops the first start, which would use it [DECISIONS §13]', async () => {
    const { url, drop } = await createEmptyDatabase();
    await expect(startOn(url)).rejects.toThrow(new StartError('APOTHECA_ADMIN_PASSWORD must have 12 to 30 characters'));
    const { rows } = await withClient(url, (client) => client.query('select from users'));
    expect(rows).toEqual([]);
    await drop();
  });

  it('does not stop a later one, which does not [DECISIONS §13]', async () => {
    await startOn(test.databaseUrl);
  });
});

describe('a start on a trail that was written with another secret', () => {
  const start = (dataDir: string, settings: Record<string, string> = {}) =>
    openInstallation(readConfig({ DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir, ...settings }));
  const startAndStop = (dataDir: string, settings?: Record<string, string>) =>
    start(dataDir, settings).then(({ close }) => close());
  const listMarks = () =>
    test.context.platform.selectFrom('installationMarks').select('name').orderBy('name').execute();

  it('is refused where nobody has chosen the secret, before anything is written [DECISIONS §12]', async () => {
    const { platform } = test.context;
    const marks = await listMarks();
    // A start writes this one anew, among what it writes first.
    await platform.deleteFrom('installationMarks').where('name', 'like', 'timezones %').execute();
    await withDataDir(async (dataDir) => {
      await expect(startAndStop(dataDir)).rejects.toThrow(
        new StartError(
          'the audit trail was written with another secret than this one: set APOTHECA_SECRET to that, or APOTHECA_DATA_DIR to the folder whose secrets.json has it',
        ),
      );
      const left = platform.selectFrom('installationMarks').select('name').where('name', 'like', 'timezones %');
      expect(await left.execute()).toEqual([]);
      await startAndStop(dataDir, { APOTHECA_SECRET: TEST_SECRET });
    });
    expect(await listMarks()).toEqual(marks);
  });

  it('is refused where APOTHECA_SECRET is another one, and the data folder has the right one, as after a recovery [DECISIONS §12]', async () => {
    const entries = () => test.context.platform.selectFrom('auditEntries').select('id').execute();
    const before = await entries();
    await withDataDir(async (dataDir) => {
      await keepSecrets(dataDir, { secret: TEST_SECRET, adminPassword: 'unused', postgresPassword: 'unused' });
      await expect(startAndStop(dataDir, { APOTHECA_SECRET: OTHER_SECRET })).rejects.toThrow(
        new StartError(
          'the audit trail was written with another secret than this one: secrets.json has it, so unset APOTHECA_SECRET, or set it to that',
        ),
      );
      expect(await entries()).toEqual(before);
      await startAndStop(dataDir);
    });
  });

  it.each(['all', 'web'])(
    'goes on where APOTHECA_SECRET is another one, and says so once, as %s [DECISIONS §12]',
    async (role) => {
      const errors: unknown[] = [];
      await withDataDir(async (dataDir) => {
        // One of its own, as a verification under it may append that it failed.
        const settings = { APOTHECA_SECRET: `${OTHER_SECRET}: ${role}`, APOTHECA_ROLE: role };
        const { startBackgroundWork, close } = await start(dataDir, settings);
        await startBackgroundWork((error) => errors.push(error)).finally(close);
      });
      const line = 'the audit trail was written with another secret than this one: its verification fails from now on';
      expect(errors.filter((error) => (error as Error).message === line)).toHaveLength(1);
    },
  );
});

describe('a database server that refuses', () => {
  beforeAll(async () => {
    await addServer(test, second);
    await test.call(tenantRoutes.create, { body: { ...tenantInput('NEAR'), databaseServerId: HOME_SERVER } });
    await second.refuse();
  });
  const ask = (statement: string) =>
    withClient(test.databaseUrl, async (client) => (await client.query(statement)).rows);

  it.each([
    // It counts as away.
    ['the password', { APOTHECA_SECRET: TEST_SECRET }, []],
    [
      'as its password was saved under another APOTHECA_SECRET',
      { APOTHECA_SECRET: OTHER_SECRET },
      [
        'the audit trail was written with another secret than this one: its verification fails from now on',
        expect.stringMatching(/^The database server Second is left out: The password/),
      ],
    ],
  ])('%s does not stop the start, nor what is settled elsewhere [§2.30]', async (_, secret, told) => {
    const { physicalName } = await getDatabaseByName(test.context, 'NEAR');
    await allowConnections(test.context.clusters.home.platform, physicalName, false);
    await ask('create database lost_at_start template template0');
    const mark = await unfinishedMark(test.context.clusters.home.platform);
    await ask(`comment on database lost_at_start is '${mark}'`);
    const errors: unknown[] = [];
    await withDataDir(async (dataDir) => {
      const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir, ...secret };
      const { startBackgroundWork, close } = await openInstallation(readConfig(environment));
      await startBackgroundWork((error) => errors.push(error)).finally(close);
    });
    expect([...new Set(errors.map((error) => (error instanceof Error ? error.message : error)))]).toEqual(told);
    const left = `select datname, datallowconn from pg_database where datname in ('lost_at_start', '${physicalName}')`;
    expect(await ask(left)).toEqual([{ datname: physicalName, datallowconn: true }]);
  });
});
