import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { quoteIdentifier } from '../db/cluster/names.ts';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { createEmptyDatabase, withClient } from '../testing/databases.ts';
import { PATIENCE, readLogins, readUnits, runRecovery, startRecovery, withMachine } from '../testing/lost-machine.ts';

// Only finds what hangs.
vi.setConfig({ testTimeout: 900_000 });

it('recovers into a PostgreSQL of DATABASE_URL, and a second recovery meanwhile is refused, there and from elsewhere [DECISIONS §13]', async () => {
  await withMachine(async ({ installation, dataDir, key, store, makeTenant, backUp, backUpInstallation }, folder) => {
    for (const code of ['ONE', 'TWO']) await makeTenant(code);
    for (const code of ['ONE', 'TWO']) await backUp(code);
    await backUpInstallation();
    const secrets = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
    const logins = await readLogins(await installation.databaseUrl(), secrets);
    await installation.killPostgres();
    await rm(dataDir, { recursive: true });

    const target = await createEmptyDatabase();
    const environment = {
      ...store,
      DATABASE_URL: target.url,
      APOTHECA_DATA_DIR: join(folder, 'new'),
      APOTHECA_BACKUP_IDENTITY: key,
    };
    try {
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
      const { code, output } = await first.ended;
      expect(output).toContain('2 of 2 databases are back.');
      expect(code).toBe(0);
      for (const login of logins) expect(await readUnits(target.url, login)).toEqual([login.name]);
    } finally {
      await withClient(withDatabaseName(target.url, 'postgres'), async (client) => {
        for (const { physicalName, roleName } of logins) {
          await client.query(`drop database if exists ${quoteIdentifier(physicalName)} with (force)`);
          await client.query(`drop role if exists ${quoteIdentifier(roleName)}`);
        }
      });
      await target.drop();
    }
  });
});
