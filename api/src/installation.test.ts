import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { readConfig, StartError } from './config.ts';
import { newestTenantSchemaVersion } from './db/migrate.ts';
import { getDatabaseByName } from './features/databases/databases.service.ts';
import { openInstallation } from './installation.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { createEmptyDatabase, withClient } from './testing/databases.ts';
import { withDataDir } from './testing/server-process.ts';

const test = useTestApp();
const NEWEST = newestTenantSchemaVersion();

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
    const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir };
    const installation = await openInstallation(readConfig(environment));
    await installation.startBackgroundWork((error) => errors.push(error));
    await upgraded('OLD').finally(installation.close);
  });
  await makeTemplate(false);
  // The verification of the audit trail, which has another secret, may fail before.
  expect(errors).toContainEqual(expect.objectContaining({ message: '1 databases could not be settled' }));
});

it('notes what there is at the end of the day, from its start on [§2.5]', async () => {
  await withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_DATA_DIR: dataDir };
    const installation = await openInstallation(readConfig(environment));
    await test.context.platform.deleteFrom('growthDays').execute();
    await installation.startBackgroundWork(() => {});
    const noted = () => test.context.platform.selectFrom('growthDays').select('day').execute();
    await expect.poll(noted, { timeout: 60_000 }).toHaveLength(1);
    await installation.close();
  });
});

describe('an APOTHECA_ADMIN_PASSWORD that is shorter than new passwords must be', () => {
  const startOn = (databaseUrl: string) =>
    withDataDir((dataDir) =>
      openInstallation(
        readConfig({ DATABASE_URL: databaseUrl, APOTHECA_DATA_DIR: dataDir, APOTHECA_ADMIN_PASSWORD: 'eleven-char' }),
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
