import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { authRoutes } from '@apotheca/contract/auth';
import { describe, expect, it } from 'vitest';
import { insertAccount } from './testing/accounts.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { useApiKeys } from './testing/api-keys.ts';
import { useTestApp } from './testing/app.ts';
import { useCommandLine } from './testing/command-line.ts';
import { codeOf, insertTotpAccount } from './testing/second-factors.ts';

const test = useTestApp();
const keys = useApiKeys(test);
const line = useCommandLine(test);
const { userName, password } = ADMINISTRATOR;

const signIn = () => line.run(['sign-in', '--username', userName], { input: `${password}\n` });
const kept = async () => JSON.parse(await readFile(line.sessionFile, 'utf8'));

describe('a sign-in with a second factor', () => {
  it('takes the code as an app shows it, in two halves [DECISIONS §13]', async () => {
    const account = await insertTotpAccount(test);
    const code = codeOf(test, account.secret);
    const terminal = line.onTerminal('sign-in', '--username', account.userName);
    await terminal.asked(`Signing in to ${line.url}.`);
    await terminal.answer('Password: ', password);
    await terminal.answer('Code of the authenticator app', ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(await terminal.end).toMatchObject({ code: 0, out: expect.stringContaining(`as ${account.userName}.`) });
  });

  it('says that there is none yet where the role needs one, and asks for no code [DECISIONS §13]', async () => {
    const account = await insertAccount(test, { role: 'Operator' });
    const { platform } = test.context;
    await platform.updateTable('roles').set({ requiresSecondFactor: true }).where('name', '=', 'Operator').execute();
    const input = `${password}\n`;
    expect(await line.run(['sign-in', '--username', account.userName], { input })).toEqual({
      code: 1,
      out: '',
      errors: 'This account has to set up a second factor first: sign in to the console once.\n',
    });
  });
});

describe('the kept session', () => {
  it('ends by a sign-out, also where an API key is set [§7.1]', async () => {
    await signIn();
    const { accessToken: token } = (await kept()).session;
    const { key } = await keys.issued((await keys.person()).token);

    expect(await line.run(['sign-out'], { env: { APOTHECA_API_KEY: key } })).toMatchObject({
      code: 0,
      out: 'Signed out.\n',
    });
    await expect(stat(line.sessionFile)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await test.call(authRoutes.me, { token })).toMatchObject({ status: 401, title: 'Session ended' });
    expect(await line.run(['sign-out'], { env: { APOTHECA_API_KEY: key } })).toEqual({
      code: 3,
      out: '',
      errors: 'Nobody is signed in.\n',
    });
  });

  it('leaves its server when it has ended, to which the next sign-in goes until a sign-out, and no key [§7.1]', async () => {
    const unset = { APOTHECA_URL: '' };
    const again = (...args: string[]) =>
      line.run([...args, 'sign-in', '--username', userName], { input: `${password}\n`, env: unset });
    expect(await again('--url', line.url)).toMatchObject({ code: 0 });
    const { refreshToken } = (await kept()).session;
    await test.call(authRoutes.logout, { body: { refreshToken }, token: null });
    expect(await line.run(['whoami'], { env: unset })).toMatchObject({ code: 3 });

    const { key } = await keys.issued((await keys.person()).token, { scopes: ['tenants.read'] });
    const asProgram = await line.run(['whoami'], { env: { ...unset, APOTHECA_API_KEY: key } });
    expect(asProgram.code).not.toBe(0);
    expect(await line.run(['whoami'], { env: unset })).toMatchObject({
      code: 3,
      errors: expect.stringMatching(/^Sign in first/),
    });
    expect(await again()).toMatchObject({ code: 0, out: `Signed in to ${line.url} as ${userName}.\n` });

    await test.call(authRoutes.logout, { body: { refreshToken: (await kept()).session.refreshToken }, token: null });
    expect(await line.run(['whoami'], { env: unset })).toMatchObject({ code: 3 });
    expect(await kept()).toEqual({ url: line.url });
    expect(await line.run(['sign-out'], { env: unset })).toMatchObject({ code: 3, errors: 'Nobody is signed in.\n' });
    await expect(stat(line.sessionFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is of the same server, whether its address is given with a slash at its end or without [§7.1]', async () => {
    await signIn();
    expect(await line.run(['--url', `${line.url}/`, 'whoami'])).toMatchObject({ code: 0 });
    await line.run(['--url', `${line.url}/`, 'sign-in', '--username', userName], { input: `${password}\n` });
    expect(await line.run(['whoami'])).toMatchObject({ code: 0 });
  });

  it.each(['', '{"url":"http', '{}'])(
    'counts as none where its file has only %j, until somebody signs in [§7.1]',
    async (text) => {
      await signIn();
      await writeFile(line.sessionFile, text);
      const errors = 'Sign in first: apotheca sign-in, or set APOTHECA_API_KEY.\n';
      expect(await line.run(['whoami'])).toEqual({ code: 3, out: '', errors });
      expect(await line.run(['sign-out'])).toEqual({ code: 3, out: '', errors: 'Nobody is signed in.\n' });
      expect(await signIn()).toMatchObject({ code: 0 });
    },
  );
});

describe('a session that two commands use at once', () => {
  const ID = '0b8f6d52-0000-4000-8000-000000000000';
  const QUESTION = `Type ${ID} to go on: `;
  const replays = () =>
    test.context.platform.selectFrom('auditEntries').select('id').where('action', '=', 'auth.replay').execute();

  it('is kept and forgotten under the lock under which another one refreshes it [§7.1]', async () => {
    const lock = `${line.sessionFile}.lock`;
    /** Of a refresh whose process is gone: whoever comes under the lock removes it. */
    const leaveLock = async () => {
      await writeFile(lock, 'gone');
      const longAgo = Date.now() / 1_000 - 3_600;
      await utimes(lock, longAgo, longAgo);
    };
    const isLocked = () => readFile(lock).then(Boolean, () => false);
    await signIn();
    await leaveLock();
    await signIn();
    expect(await isLocked()).toBe(false);
    await leaveLock();
    expect(await line.run(['sign-out'])).toMatchObject({ code: 0 });
    expect(await isLocked()).toBe(false);
  });

  it('goes on with what the other has refreshed while the first waited for an answer [§7.1]', async () => {
    await signIn();
    const waiting = line.onTerminal('backups', 'delete', ID);
    await waiting.asked(QUESTION);
    test.clock.advance(16 * 60);
    expect(await line.run(['whoami'])).toMatchObject({ code: 0 });
    // A pair that was replaced longer ago counts as stolen.
    test.clock.advance(31);
    await waiting.answer(QUESTION, ID);
    await waiting.answer('Your password', password);
    expect(await waiting.end).toMatchObject({ code: 1, out: expect.stringContaining('There is no such backup.') });
    expect(await replays()).toEqual([]);
    expect(await line.run(['whoami'])).toMatchObject({ code: 0 });
  });

  it('stays kept where another one has ended [§7.1]', async () => {
    await signIn();
    const { refreshToken } = (await kept()).session;
    const waiting = line.onTerminal('backups', 'delete', ID);
    await waiting.asked(QUESTION);
    await signIn();
    const newer = await kept();
    await test.call(authRoutes.logout, { body: { refreshToken }, token: null });
    await waiting.answer(QUESTION, ID);
    expect(await waiting.end).toMatchObject({ code: 3 });
    expect(await kept()).toEqual(newer);
  });
});
