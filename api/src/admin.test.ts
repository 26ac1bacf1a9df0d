import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authRoutes } from '@apotheca/contract/auth';
import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { generateSync } from 'otplib/functional';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts';
import { LEAVE_LOCK } from './db/embedded/embedded-presence.ts';
import { insertAccount } from './testing/accounts.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { useTestApp } from './testing/app.ts';
import { runCommand } from './testing/commands.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { insertTotpAccount } from './testing/second-factors.ts';
import { callServer, signInToServer, startServer, withDataDir } from './testing/server-process.ts';

const test = useTestApp();
// The command has a clock of its own, for which the sessions of this test must be open too.
beforeAll(() => {
  test.clock.now = new Date();
});

const admin = (args: string[], input?: string) =>
  runCommand(test, 'admin.ts', { args, ...(input !== undefined && { input }) });

const statusOf = async (userName: string, password: string) => (await test.signIn(userName, password)).status;

const entriesOf = (entityId: string) =>
  test.context.platform.selectFrom('auditEntries').selectAll().where('entityId', '=', entityId);

describe('npm run admin -- reset-password', () => {
  it('sets a generated password, shows it once, and ends the user’s sessions [DECISIONS §13]', async () => {
    const { id, userName } = await insertAccount(test);
    const { accessToken } = (await test.signIn(userName)).result;
    const { code, output, errors } = await admin(['reset-password', userName.toUpperCase()]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const [, password = ''] =
      /has a new password, with the password (\S{20})\. Sessions ended: 1\.\n$/.exec(output) ?? [];
    expect(await statusOf(userName, password)).toBe(200);
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(401);
    expect((await test.call(authRoutes.me, { token: accessToken })).status).toBe(401);
    const change = await entriesOf(id).where('action', '=', 'users.edit').executeTakeFirstOrThrow();
    expect(change).toMatchObject({ actorId: null, address: 'command line', changes: { password: 'changed' } });
    expect(change.actorName).toMatch(/^command line \(.+\)$/);
    expect(JSON.stringify(change)).not.toContain(password);
  });

  it('takes the password from standard input, and ends the delay of wrong guesses [§4] [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    for (let guess = 0; guess < 6; guess += 1) await test.signIn(userName, 'wrong horse');
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(429);
    const { output } = await admin(['reset-password', userName, '--password-stdin'], 'a new one of mine\nmore\n');
    expect(output).toBe(`'${userName}' has a new password. Sessions ended: 0.\n`);
    expect(await statusOf(userName, 'a new one of mine')).toBe(200);
  });

  it('says where the password signs nobody in, as passwords are switched off [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    const providers = [{ id: 'clinic', name: 'Clinic', issuer: 'https://sso.clinic.test', clientId: 'console' }];
    const settings = {
      APOTHECA_OIDC_PROVIDERS: JSON.stringify(providers),
      APOTHECA_PUBLIC_URL: 'https://console.clinic.test',
      APOTHECA_LOCAL_SIGN_IN: 'emergency',
    };
    const run = (args: string[]) => runCommand(test, 'admin.ts', { args, settings, input: 'a new one of mine' });
    const off = "Passwords are off: APOTHECA_LOCAL_SIGN_IN leaves one only to 'emergency'.";
    expect(await run(['reset-password', userName, '--password-stdin'])).toEqual({
      code: 0,
      output: `'${userName}' has a new password. Sessions ended: 0. ${off}\n`,
      errors: '',
    });
    const rescue = await run(['create-admin', 'rescue', '--password-stdin']);
    expect(rescue.output).toBe(`'rescue' is an Administrator. ${off}\n`);
    const emergency = await run(['create-admin', 'Emergency', '--password-stdin']);
    expect(emergency.output).toBe("'Emergency' is an Administrator.\n");
  });

  it('refuses a password that is too short or too common, and changes nothing [§5] [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    const reset = (input: string) => admin(['reset-password', userName, '--password-stdin'], input);
    const tooShort = { code: 1, output: '', errors: 'Password: Must be 12 characters or more\n' };
    expect(await reset('eleven-char')).toEqual(tooShort);
    expect(await reset('Qwerty123456')).toMatchObject({ code: 1, errors: expect.stringContaining('most common') });
    expect(await statusOf(userName, ADMINISTRATOR.password)).toBe(200);
  });

  it('generates one that is as long as this installation asks [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    const { output } = await runCommand(test, 'admin.ts', {
      args: ['reset-password', userName],
      settings: { APOTHECA_PASSWORD_MIN: '30' },
    });
    const [, password = ''] = /with the password (\S{30})\. /.exec(output) ?? [];
    expect(await statusOf(userName, password)).toBe(200);
  });

  it('finds nobody by an empty name, whoever has no user name or no e-mail address [DECISIONS §13]', async () => {
    await insertAccount(test, { userName: '', email: 'without.name@clinic.test' });
    const hashes = () =>
      test.context.platform.selectFrom('users').select(['id', 'passwordHash']).orderBy('id').execute();
    const before = await hashes();
    expect(await admin(['reset-password', ''])).toEqual({ code: 1, output: '', errors: "There is no user ''.\n" });
    expect(await hashes()).toEqual(before);
  });

  it('leaves a deactivated user, unless told to activate them [DECISIONS §13]', async () => {
    const { id, userName } = await insertAccount(test);
    await test.context.platform.updateTable('users').set({ isActive: false }).where('id', '=', id).execute();
    const left = await admin(['reset-password', userName]);
    expect(left).toMatchObject({ code: 1, errors: expect.stringContaining('--activate') });
    await admin(['reset-password', userName, '--activate', '--password-stdin'], 'a new one of mine');
    expect(await statusOf(userName, 'a new one of mine')).toBe(200);
  });

  it('shows the generated password also where what comes after it fails [DECISIONS §13]', async () => {
    const { id, userName } = await insertAccount(test);
    const { platform, pool } = test.context;
    const activate = (isActive: boolean) =>
      platform.updateTable('users').set({ isActive }).where('id', '=', id).execute();
    await activate(false);
    await pool.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not today'; end $$;
      create trigger refuse before update on users for each row when (new.is_active and not old.is_active) execute function refuse()
    `);
    const { code, output, errors } = await admin(['reset-password', userName, '--activate']);
    await pool.query('drop function refuse cascade');
    expect([code, errors]).toEqual([1, expect.stringContaining('not today')]);
    const [, password = ''] = /with the password (\S{20})\. /.exec(output) ?? [];
    await activate(true);
    expect(await statusOf(userName, password)).toBe(200);
  });
});

describe('npm run admin -- reset-factors', () => {
  it('lets the only one who can sign in do so with the password alone [DECISIONS §13]', async () => {
    const user = await insertTotpAccount(test, { role: 'Administrator' });
    expect((await test.signIn(user.userName)).result).toHaveProperty('secondFactor');
    const { output } = await admin(['reset-factors', user.userName.toUpperCase()]);
    expect(output).toBe(`'${user.userName.toUpperCase()}' has no second factor. Sessions ended: 1.\n`);
    expect((await test.call(authRoutes.me, { token: user.token })).status).toBe(401);
    expect((await test.signIn(user.userName)).result).toHaveProperty('accessToken');
    const change = await entriesOf(user.id).where('action', '=', 'users.resetFactors').executeTakeFirstOrThrow();
    expect(change).toMatchObject({ actorId: null, address: 'command line', changes: { totp: true, passkeys: 0 } });
    const again = await admin(['reset-factors', user.userName]);
    expect(again).toEqual({ code: 1, output: '', errors: 'This user has no second factor.\n' });
  });
});

describe('npm run admin -- create-admin', () => {
  it('makes an Administrator who can sign in, though nobody else can [DECISIONS §13]', async () => {
    const { output } = await admin(['create-admin', 'rescuer']);
    const [, password = ''] = /^'rescuer' is an Administrator, with the password (\S{20})\.\n$/.exec(output) ?? [];
    const { status, result } = await test.signIn('rescuer', password);
    expect({ status, role: result.role }).toEqual({ status: 200, role: 'Administrator' });
    const { action, address } = await entriesOf(result.id).orderBy('id').executeTakeFirstOrThrow();
    expect({ action, address }).toEqual({ action: 'users.create', address: 'command line' });
    expect(await admin(['create-admin', 'Rescuer'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('taken'),
    });
  });

  it('makes several blanks in a name one, as a sign-in does, and takes none that cannot be seen [DECISIONS §13]', async () => {
    const { output } = await admin(['create-admin', ' Two  blanks ', '--password-stdin'], 'a new one of mine');
    expect(output).toBe("'Two blanks' is an Administrator.\n");
    expect(await statusOf('Two  blanks', 'a new one of mine')).toBe(200);
    for (const name of ['', '\u200b', 'x'.repeat(21)]) {
      expect(await admin(['create-admin', name])).toEqual({
        code: 1,
        output: '',
        errors: 'A user name has 1 to 20 printable characters.\n',
      });
    }
  });
});

describe('npm run admin -- unlock', () => {
  it('ends the delay of a name, known or not, and of an address [§4] [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    for (const name of [userName, 'nobody-of-that-name']) {
      for (let guess = 0; guess < 6; guess += 1) await test.signIn(name, 'wrong horse');
      expect(await statusOf(name, 'wrong horse')).toBe(429);
      expect((await admin(['unlock', name])).output).toBe(`'${name}' may sign in at once.\n`);
      expect(await statusOf(name, 'wrong horse')).toBe(401);
    }
    expect((await admin(['unlock', '127.0.0.1'])).output).toBe("'127.0.0.1' may sign in at once.\n");
    expect((await admin(['unlock', '127.0.0.1'])).output).toBe("No failed sign-ins of '127.0.0.1' are counted.\n");
    expect(await entriesOf('').orderBy('id', 'desc').executeTakeFirstOrThrow()).toMatchObject({
      action: 'auth.unlock',
      changes: { of: '127.0.0.1' },
    });
  });
});

describe('npm run admin -- list-sessions', () => {
  it('shows the open sessions of everybody, or of a user, and no token [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    expect((await admin(['list-sessions', userName])).output).toBe('There are no open sessions.\n');
    const { accessToken, refreshToken } = (await test.signIn(userName)).result;
    const { output } = await admin(['list-sessions', userName]);
    expect(output).toMatch(new RegExp(`^${userName} +console +127\\.0\\.0\\.1 +\\S.* to \\S+ +last used \\S+\\n$`));
    const everybody = (await admin(['list-sessions'])).output;
    expect(everybody.split('\n').length).toBeGreaterThan(2);
    expect(everybody).toContain(userName);
    expect(output).not.toContain(accessToken);
    expect(output).not.toContain(refreshToken);
  });

  it('gives a terminal no control characters, whatever a device calls itself [DECISIONS §13]', async () => {
    const { userName } = await insertAccount(test);
    await test.call(authRoutes.authenticate, {
      token: null,
      body: { username: userName, password: ADMINISTRATOR.password },
      headers: { 'user-agent': 'tool\u009b2J of mine' },
    });
    expect((await admin(['list-sessions', userName])).output).toContain(' tool\uFFFD2J of mine ');
  });
});

describe('a wrong command', () => {
  it.each(
    [
      [[]],
      [['constructor']],
      [['unlock', 'one', 'two']],
      [['list-sessions', '--all']],
      [['delete-everything']],
      [['reset-password']],
    ].filter((_, index) => IS_LONG_RUN || index < 3),
  )('%j shows how to use it, and ends with 1 [DECISIONS §13]', async (args) => {
    const { code, output, errors } = await admin(args);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    expect(errors).toMatch(/^npm run admin -- COMMAND\n/);
  });

  it('names a user who is not there [DECISIONS §13]', async () => {
    expect(await admin(['reset-password', 'nobody-of-that-name'])).toEqual({
      code: 1,
      output: '',
      errors: "There is no user 'nobody-of-that-name'.\n",
    });
  });
});

/** Sets an authenticator app up, and comes to nothing by the password alone. */
async function lockOut(url: string, password: string): Promise<void> {
  const token = await signInToServer(url, password);
  const begun = (await callServer(url, ownFactorRoutes.beginTotp, { token })).result;
  const body = { token: begun.token, code: generateSync({ secret: begun.secret }) };
  expect(await callServer(url, ownFactorRoutes.confirmTotp, { token, body })).toMatchObject({ status: 200 });
  expect(await signInToServer(url, password)).toBeUndefined();
}

describe('the command line', () => {
  it('works while the server runs on the embedded PostgreSQL, and while it is stopped [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const settings = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off', DATABASE_URL: '' };
      const reset = (password: string) =>
        runCommand(test, 'admin.ts', {
          args: ['reset-password', ADMINISTRATOR.userName, '--password-stdin'],
          settings: { ...settings, APOTHECA_SECRET: '' },
          input: password,
        });
      const resetFactors = () =>
        runCommand(test, 'admin.ts', {
          args: ['reset-factors', ADMINISTRATOR.userName],
          settings: { ...settings, APOTHECA_SECRET: '' },
        });
      const running = await startServer(settings);
      expect(await reset('while it was running')).toMatchObject({ code: 0 });
      expect(await signInToServer(running.url, 'while it was running')).toBeTruthy();
      await lockOut(running.url, 'while it was running');
      expect(await resetFactors()).toMatchObject({ code: 0 });
      expect(await signInToServer(running.url, 'while it was running')).toBeTruthy();
      await lockOut(running.url, 'while it was running');
      expect(await running.interrupt()).toBe(0);
      expect(await reset('while it was stopped')).toMatchObject({ code: 0 });
      expect(await resetFactors()).toMatchObject({ code: 0 });
      const again = await startServer(settings);
      expect(await signInToServer(again.url, 'while it was stopped')).toBeTruthy();
      expect(await again.interrupt()).toBe(0);
    });
  });

  it('shows a generated password also where the embedded PostgreSQL cannot be left [DECISIONS §13]', async () => {
    await withDataDir(async (dataDir) => {
      const settings = { APOTHECA_DATA_DIR: dataDir, APOTHECA_DEMO: 'off', DATABASE_URL: '' };
      const running = await startServer(settings);
      const { postgresPassword } = JSON.parse(await readFile(join(dataDir, 'secrets.json'), 'utf8'));
      const embedded = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), password: postgresPassword });
      const holder = new pg.Client(withDatabaseName(embedded.url, 'postgres'));
      await holder.connect();
      // Whoever leaves waits for this lock, and loses its session meanwhile.
      await holder.query('select pg_advisory_lock_shared($1)', [LEAVE_LOCK]);
      const end = runCommand(test, 'admin.ts', {
        args: ['reset-password', ADMINISTRATOR.userName],
        settings: { ...settings, APOTHECA_SECRET: '' },
      });
      const terminated = async () => {
        const text = `select pg_terminate_backend(pid) from pg_locks where objid = $1 and not granted`;
        return (await holder.query(text, [LEAVE_LOCK])).rowCount;
      };
      await expect.poll(terminated).toBe(1);
      const { code, output, errors } = await end;
      expect([code, errors]).toEqual([1, expect.stringContaining('terminating connection')]);
      const [, password = ''] = /with the password (\S{20})\. /.exec(output) ?? [];
      expect(await signInToServer(running.url, password)).toBeTruthy();
      await holder.end();
      await embedded.stop();
      expect(await running.interrupt()).toBe(0);
    });
  });
});
