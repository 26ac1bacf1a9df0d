import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { writeNote } from './recovery/recovery-note.ts';
import { TEST_SECRET, useTestApp } from './testing/app.ts';
import { runCommand } from './testing/commands.ts';
import { createEmptyDatabase, createPlatformDatabase, withClient } from './testing/databases.ts';
import { signInToServer, startServer, withDataDir } from './testing/server-process.ts';

const test = useTestApp();

it.each(['admin.ts', 'verify-audit.ts'])(
  'while a recovery is unfinished %s opens nothing [DECISIONS §13]',
  async (program) => {
    const text = 'this installation is only half recovered: finish that first with npm run recover\n';
    await withDataDir(async (dataDir) => {
      const note = { object: 'installation-1', store: 'file:/mnt/copies', postgres: 'embedded' };
      await writeNote(dataDir, { ...note, isIncomplete: false });
      const settings = { APOTHECA_DATA_DIR: dataDir };
      const args = program === 'admin.ts' ? ['list-sessions'] : [];
      const { code, errors } = await runCommand(test, program, { args, settings });
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(text) });
      expect(await readdir(dataDir)).toEqual(['recovery.json']);
    });
  },
);

describe.each([
  { program: 'admin.ts', args: ['reset-password', 'admin'], begin: 'The installation cannot be opened' },
  { program: 'verify-audit.ts', args: [], begin: 'The audit trail cannot be read' },
])('where there is no installation, $program', ({ program, args, begin }) => {
  const run = (settings: Record<string, string>) => runCommand(test, program, { args, settings });

  it('says so of the data folder, and makes none [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const errors = `${begin}: there is no installation in the data folder ${dataDir}: set APOTHECA_DATA_DIR\n`;
      expect(await run({ DATABASE_URL: '', APOTHECA_DATA_DIR: dataDir })).toEqual({ code: 1, output: '', errors });
      expect(await readdir(dataDir)).toEqual([]);
    });
  });

  it('says so of the database, and makes none [DECISIONS §13]', async () => {
    const database = await createEmptyDatabase();
    const missing = withDatabaseName(database.url, 'apotheca_of_another_name');
    for (const url of [database.url, missing]) {
      const name = new URL(url).pathname.slice(1);
      const { code, output, errors } = await run({ DATABASE_URL: url });
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(new RegExp(`^${begin}: DATABASE_URL .* has no installation in its database ${name}\n$`));
    }
    const { rows } = await withClient(database.url, (client) =>
      client.query(`
        select relname as name from pg_class where relnamespace = 'public'::regnamespace
        union all select datname from pg_database where datname = 'apotheca_of_another_name'`),
    );
    expect(rows).toEqual([]);
    await database.drop();
  });

  it('makes no new secret, by which the trail would break [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const { code, errors } = await run({ APOTHECA_SECRET: '', APOTHECA_DATA_DIR: dataDir });
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining(`${begin}: Set APOTHECA_SECRET`) });
      expect(await readdir(dataDir)).toEqual([]);
    });
  });
});

it.each([
  ['that of secrets.json, which has never counted', ''],
  ['one that was mistyped', `${TEST_SECRET}!`],
])('with another secret than the server has, %s, a command changes nothing [DECISIONS §12]', async (_, secret) => {
  const database = await createPlatformDatabase();
  await withDataDir(async (dataDir) => {
    const settings = { DATABASE_URL: database.url, APOTHECA_DATA_DIR: dataDir, APOTHECA_SECRET: TEST_SECRET };
    const server = await startServer({ ...settings, APOTHECA_DEMO: 'off' });
    expect(await signInToServer(server.url)).toBeTruthy();
    expect(await server.interrupt()).toBe(0);
    const verify = () => runCommand(test, 'verify-audit.ts', { settings });
    const before = await verify();
    expect(before).toMatchObject({ code: 0, output: expect.stringMatching(/^[1-9]\d* audit entries, none altered/) });
    const args = ['reset-password', 'admin'];
    expect(await runCommand(test, 'admin.ts', { args, settings: { ...settings, APOTHECA_SECRET: secret } })).toEqual({
      code: 1,
      output: '',
      errors:
        'The installation cannot be opened: the audit trail was written with another secret than this one: set APOTHECA_SECRET to that, or APOTHECA_DATA_DIR to the folder whose secrets.json has it\n',
    });
    expect(await verify()).toEqual(before);
    expect(await runCommand(test, 'admin.ts', { args, settings })).toMatchObject({ code: 0 });
    expect(await verify()).toMatchObject({ code: 0 });
  });
  await database.drop();
});
