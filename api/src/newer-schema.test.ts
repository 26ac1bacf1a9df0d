import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { isVersionBelow } from './db/platform-migrations.ts';
import { tenantInput } from './testing/builders.ts';
import { createPlatformDatabase, withClient } from './testing/databases.ts';
import { callServer, runServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';

/** What a newer version may have done: it only adds (decision 074). */
const EXPANSION = `
  insert into kysely_migration (name, timestamp) values ('900000-colours', now()::text);
  create table colours (id uuid primary key);
  alter table tenants add column colour uuid references colours, add column shade text not null default 'light';
  alter table users add column colour text`;

describe('a control database that a newer version has migrated', () => {
  it('serves this version, which leaves its schema as it is: the way back from an upgrade [DECISIONS §13]', async () => {
    const database = await createPlatformDatabase();
    await withClient(database.url, (client) => client.query(EXPANSION));
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const server = await startServer({ DATABASE_URL: database.url, APOTHECA_DATA_DIR });
      const token = await signInToServer(server.url);
      expect(await callServer(server.url, tenantRoutes.create, { token, body: tenantInput('BACK') })).toMatchObject({
        success: true,
      });
      expect((await callServer(server.url, tenantRoutes.list, { token })).result).toMatchObject([{ code: 'BACK' }]);
      expect(await server.terminate()).toBe(0);
    });
    const { rows } = await withClient(database.url, (client) =>
      client.query('select name from kysely_migration order by name desc limit 1'),
    );
    expect(rows).toEqual([{ name: '900000-colours' }]);
    await database.drop();
  });

  it('is refused in one line once it serves this version no longer, and stays as it is [DECISIONS §13]', async () => {
    const database = await createPlatformDatabase();
    await withClient(database.url, (client) =>
      client.query(`${EXPANSION}; update schema_floor set oldest_version = '99.0.0'`),
    );
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const { code, output } = await runServer({ PORT: '0', DATABASE_URL: database.url, APOTHECA_DATA_DIR });
      expect(code).toBe(1);
      expect(output.trim()).toMatch(
        /^Apotheca cannot start: DATABASE_URL \(.*\) cannot be used: it is of a newer version \(900000-colours\); this is [\d.]+, and it serves 99\.0\.0 and newer$/,
      );
    });
    await database.drop();
  });

  it('is refused in one line where it lacks a migration of this version, and stays as it is [DECISIONS §13]', async () => {
    const database = await createPlatformDatabase();
    const lack = "delete from kysely_migration where name like '000080%'";
    await withClient(database.url, (client) => client.query(`${EXPANSION}; ${lack}`));
    await withDataDir(async (APOTHECA_DATA_DIR) => {
      const { code, output } = await runServer({ PORT: '0', DATABASE_URL: database.url, APOTHECA_DATA_DIR });
      expect(code).toBe(1);
      expect(output.trim()).toMatch(
        /cannot be used: it has 900000-colours of another version, and lacks 000080-due-copies of this one, [\d.]+$/,
      );
    });
    await database.drop();
  });

  it.each([
    ['0.9.0', '0.10.0', true],
    ['0.10.0', '0.9.0', false],
    ['1.2.3', '1.2.3', false],
    ['1.2.3', '2.0.0', true],
  ])('%s is older than %s: %s [DECISIONS §13]', (version, floor, isOlder) => {
    expect(isVersionBelow(version, floor)).toBe(isOlder);
  });
});
