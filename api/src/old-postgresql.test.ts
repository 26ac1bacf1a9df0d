import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { describe, expect, it } from 'vitest';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { useTestApp } from './testing/app.ts';
import { withClient } from './testing/databases.ts';
import { useSecondServer } from './testing/second-server.ts';
import { runServer, withDataDir } from './testing/server-process.ts';

/** The newest version that is not supported; its programs are there for Linux on x64 only. */
const OLD = 14;

describe.runIf(process.platform === 'linux' && process.arch === 'x64')(`PostgreSQL ${OLD}`, () => {
  const test = useTestApp();
  const old = useSecondServer(OLD);
  const databases = async () => {
    const { rows } = await withClient(old.url, (client) => client.query('select datname as name from pg_database'));
    return rows.map(({ name }) => name).toSorted();
  };
  const EMPTY = ['postgres', 'template0', 'template1'];

  it('is refused as a database server with the version at the field, and nothing is made there [§2.30]', async () => {
    expect(await test.call(databaseServerRoutes.create, { body: old.form() })).toMatchObject({
      status: 409,
      errors: {
        host: [
          expect.stringMatching(
            new RegExp(`^The server is too old: PostgreSQL ${OLD}\\.\\d+; 15 or newer is needed\\.$`),
          ),
        ],
      },
    });
    expect((await test.call(databaseServerRoutes.list)).result).toHaveLength(1);
    expect(await databases()).toEqual(EMPTY);
  });

  it('stops the start that names it with one line, and nothing is made there [DECISIONS §2]', async () => {
    const refused = (name: string) =>
      withDataDir((APOTHECA_DATA_DIR) =>
        runServer({ APOTHECA_DATA_DIR, PORT: '0', DATABASE_URL: withDatabaseName(old.url, name) }),
      );
    const line = new RegExp(
      `^Apotheca cannot start: DATABASE_URL \\(127\\.0\\.0\\.1:\\d+\\) cannot be used: it is PostgreSQL ${OLD}\\.\\d+; Apotheca needs PostgreSQL 15 or newer\\n$`,
    );
    // Of a database that is there, and of one that would be made.
    for (const name of ['postgres', 'apotheca'])
      expect(await refused(name)).toEqual({ code: 1, output: expect.stringMatching(line) });
    expect(await databases()).toEqual(EMPTY);
    const { rowCount } = await withClient(old.url, (client) =>
      client.query("select from pg_tables where schemaname = 'public'"),
    );
    expect(rowCount).toBe(0);
  });
});
