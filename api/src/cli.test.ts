import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { reasonOf } from '../../packages/cli/src/reason.ts';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { useApiKeys } from './testing/api-keys.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { useCommandLine } from './testing/command-line.ts';
import { startReceiver } from './testing/webhook-receiver.ts';

const test = useTestApp();
const keys = useApiKeys(test);
const line = useCommandLine(test);
const { userName, password } = ADMINISTRATOR;
let key = '';

beforeAll(async () => {
  const { token } = await keys.person();
  const scopes = [
    'tenants.read',
    'tenants.write',
    'tenants.delete',
    'databases.read',
    'databases.write',
    'databases.restore',
  ];
  ({ key } = await keys.issued(token, { scopes }));
});

const asProgram = (...args: string[]) => line.run(args, { env: { APOTHECA_API_KEY: key } });
const json = async (...args: string[]) => JSON.parse((await asProgram(...args, '--json')).out);

describe('a person at the command line', () => {
  it('signs in with the password from stdin, which stands nowhere; the session is theirs alone to read [§7.1]', async () => {
    const first = await line.run(['whoami']);
    expect(first).toEqual({ code: 3, out: '', errors: 'Sign in first: apotheca sign-in, or set APOTHECA_API_KEY.\n' });
    const wrong = await line.run(['sign-in', '--username', userName], { input: 'not the password\n' });
    expect(wrong).toEqual({ code: 3, out: '', errors: 'Username or password is incorrect.\n' });

    const signedIn = await line.run(['sign-in', '--username', userName], { input: `${password}\n` });
    expect(signedIn).toEqual({ code: 0, out: `Signed in to ${line.url} as ${userName}.\n`, errors: '' });
    const file = line.sessionFile;
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain(password);
    expect((await line.run(['whoami'])).out).toMatch(new RegExp(`^username +${userName}$`, 'm'));

    expect(await line.run(['sign-out'])).toMatchObject({ code: 0, out: 'Signed out.\n' });
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a program at the command line', () => {
  it('creates a tenant, sees it, closes and opens it, and deletes it once its code is given again [§7]', async () => {
    const { code: _, ...fields } = tenantInput('CLI');
    await writeFile(join(line.folder, 'tenant.json'), JSON.stringify(fields));
    const created = await asProgram('tenants', 'create', 'CLI', '--file', 'tenant.json');
    expect(created).toMatchObject({ code: 0, out: expect.stringMatching(/^Success!/), errors: '' });
    expect((await asProgram('tenants', 'list')).out).toMatch(
      /^CODE +CUSTOMER +DATABASE[\s\S]*^CLI +Clinic CLI +CLI +yes/m,
    );
    expect(await json('tenants', 'show', 'cli')).toMatchObject({ code: 'CLI', isActive: true });

    await asProgram('tenants', 'deactivate', 'CLI');
    expect(await json('tenants', 'show', 'CLI')).toMatchObject({ isActive: false });
    await asProgram('tenants', 'activate', 'CLI');

    const unsure = await asProgram('tenants', 'delete', 'CLI');
    expect(unsure).toMatchObject({ code: 2, errors: expect.stringContaining("Confirm it with --yes 'CLI'.") });
    expect(await asProgram('tenants', 'delete', 'CLI', '--yes', 'CLIP')).toMatchObject({ code: 2 });
    expect((await json('tenants', 'list')).length).toBe(1);
    expect(await asProgram('tenants', 'delete', 'CLI', '--yes', 'CLI')).toMatchObject({ code: 0 });
    expect(await json('tenants', 'list')).toEqual([]);
  });

  it('finds and deletes a tenant however the accents of its code are typed, here or by an older version [§5]', async () => {
    const { code: _, ...fields } = tenantInput('CAF\u00c9');
    await writeFile(join(line.folder, 'accents.json'), JSON.stringify(fields));
    expect(await asProgram('tenants', 'create', 'CAFE\u0301', '--file', 'accents.json')).toMatchObject({ code: 0 });
    expect(await asProgram('tenants', 'deactivate', 'CAFE\u0301')).toMatchObject({ code: 0 });
    await test.context.pool.query("update tenants set code = 'CAFE\u0301'");
    const remove = ['tenants', 'delete', 'CAF\u00c9', '--yes'] as const;
    expect(await asProgram(...remove, 'CAFE')).toMatchObject({ code: 2 });
    expect(await asProgram(...remove, 'CAF\u00c9')).toMatchObject({ code: 0 });
    expect(await json('tenants', 'list')).toEqual([]);
  });

  it.each([
    { named: {}, args: [], databaseName: 'NEW' },
    { named: { databaseName: 'OWN' }, args: [], databaseName: 'OWN' },
    { named: { databaseName: 'OWN' }, args: ['--database', 'OTHER'], databaseName: 'OTHER' },
  ])('names the database of a new tenant $databaseName, where its file has $named [§7]', async (each) => {
    const receiver = await startReceiver();
    receiver.answer = () => ({ status: 200, text: JSON.stringify({ status: 200, message: '', result: {} }) });
    await writeFile(join(line.folder, 'new.json'), `\u{FEFF}${JSON.stringify({ email: 'a@b.test', ...each.named })}`);
    const args = ['tenants', 'create', 'NEW', '--file', 'new.json', ...each.args];
    const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` };
    expect(await line.run(args, { env })).toMatchObject({ code: 0, errors: '' });
    const [call] = receiver.calls;
    expect(JSON.parse(call?.body ?? '')).toEqual({
      code: 'NEW',
      email: 'a@b.test',
      databaseName: each.databaseName,
    });
    await receiver.close();
  });

  it('backs up, waits with progress, downloads, uploads, restores and clones [§7]', async () => {
    await asProgram('tenants', 'create', 'SAVED', '--file', 'tenant.json', '--database', 'SAVED');
    const { operationId } = await json('backups', 'create', 'SAVED', '--no-wait');
    const waited = await asProgram('operations', 'wait', operationId, '--progress');
    expect(waited).toMatchObject({ code: 0, out: expect.stringContaining('SAVED') });
    const [backup] = await json('backups', 'list', 'SAVED');
    expect((await asProgram('operations', 'list')).out).toContain(operationId);

    expect(await asProgram('backups', 'download', backup.id, '--output', 'saved.archive')).toMatchObject({ code: 0 });
    const archive = await readFile(join(line.folder, 'saved.archive'));
    expect(createHash('sha256').update(archive).digest('hex')).toBe(backup.sha256);
    const again = await asProgram('backups', 'download', backup.id, '--output', 'saved.archive');
    expect(again).toMatchObject({ code: 1, errors: 'saved.archive is there already.\n' });
    expect(await asProgram('backups', 'upload', 'saved.archive', '--as', 'SENT')).toMatchObject({ code: 0 });

    const restored = await asProgram('backups', 'restore', backup.id, '--to', 'AGAIN', '--progress');
    expect(restored).toMatchObject({ code: 0, errors: expect.stringMatching(/\w/) });
    const over = await asProgram('backups', 'restore', backup.id, '--to', 'SAVED');
    expect(over).toMatchObject({ code: 2, errors: expect.stringContaining("--yes 'SAVED'") });
    expect(await asProgram('databases', 'clone', 'SAVED', 'COPY')).toMatchObject({ code: 0 });
    const told = async () => (await asProgram('backups', 'delete', backup.id)).errors;
    const deletion = (rest: string) =>
      new RegExp(`^The backup of SAVED of ${backup.createdOnUtc} \\(\\d+\\.\\d MB\\) will be deleted for good${rest}`);
    expect(await told()).toMatch(deletion(`\\. It cannot be brought back\\.\nConfirm it with --yes '${backup.id}'`));
    const copy = "insert into backup_copies (backup_id, store) values ($1, 'file:/away')";
    await test.context.pool.query(copy, [backup.id]);
    expect(await told()).toMatch(deletion(', with its copies in all stores\\.'));
    const names = (await json('databases', 'list')).map(({ databaseName }: { databaseName: string }) => databaseName);
    expect(names.toSorted()).toEqual(['AGAIN', 'COPY', 'SAVED']);
    const details = await asProgram('databases', 'show', 'COPY');
    expect(details.out).toMatch(/^databaseName +COPY$/m);
  });

  it('lists the newest 200 backups unless another number is asked for, and says how to go on; those of one database all [§7]', async () => {
    await asProgram('tenants', 'create', 'LISTED', '--file', 'tenant.json', '--database', 'LISTED');
    await test.context.pool.query(
      `insert into backups (id, database_id, database_name, origin, state, created_at)
       select gen_random_uuid(), d.id, d.name, 'made', 'ready', $1::timestamptz + n * interval '1 hour'
       from databases d, generate_series(1, 203) n where d.name = 'LISTED'`,
      [test.clock.now],
    );
    const ofOne = await asProgram('backups', 'list', 'LISTED', '--json');
    expect(ofOne).toMatchObject({ code: 0, errors: '' });
    const ids: string[] = JSON.parse(ofOne.out).map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(203);

    const newest = await asProgram('backups', 'list', '--json');
    expect(JSON.parse(newest.out).map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 200));
    const limited = (most: number, last?: string) =>
      `No more than ${most} are listed. Any others come with the same command and --before ${last}\n`;
    expect(newest.errors).toBe(limited(200, ids[199]));
    const next = await asProgram('backups', 'list', '--limit', '2', '--before', ids[199] ?? '');
    expect([...next.out.matchAll(/^[0-9a-f-]{36}/gm)].map(([id]) => id)).toEqual(ids.slice(200, 202));
    expect(next.errors).toBe(limited(2, ids[201]));
    const named = await asProgram('backups', 'list', 'LISTED', '--limit', '2');
    expect(named.errors).toBe(limited(2, ids[1]));
    expect(await asProgram('backups', 'list', 'LISTED', '--before', ids[201] ?? '')).toMatchObject({
      code: 0,
      errors: '',
    });
    const refused = await asProgram('backups', 'list', '--limit', '1001');
    expect(refused).toMatchObject({
      code: 1,
      out: '',
      errors: expect.stringContaining('limit should be a whole number'),
    });
  });

  it.each([
    ['one that knows the id', (asked: string, all: { id: string }[]) => all.filter(({ id }) => id === asked)],
    ['an older one, which lists all', (_: string, all: { id: string }[]) => all],
  ])('tells what is deleted with a backup, of which it asks the server alone: %s [§7]', async (_, answer) => {
    const backup = (name: string, n: number) => ({
      id: `0b8f6d52-0000-4000-8000-00000000000${n}`,
      databaseName: name,
      createdOnUtc: '2026-03-04T09:30:00.000Z',
      sizeBytes: 3_000_000,
      copies: [],
    });
    const all = [backup('OTHER', 1), backup('WANTED', 2)];
    const receiver = await startReceiver();
    receiver.answer = ({ path }) => {
      const id = new URL(path, 'http://any').searchParams.get('id') ?? '';
      return { status: 200, text: JSON.stringify({ status: 200, message: '', result: answer(id, all) }) };
    };
    const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` };
    const { errors } = await line.run(['backups', 'delete', all[1]?.id ?? ''], { env });
    expect(errors).toMatch(/^The backup of WANTED of 2026-03-04T09:30:00.000Z \(3\.0 MB\) will be deleted/);
    expect(receiver.calls.map(({ path }) => path)).toEqual([`/api/managedatabase/getbackups?id=${all[1]?.id}`]);
    await receiver.close();
  });

  it('is told in one way what is wrong: with the fields, as JSON, and by the exit code [§7]', async () => {
    const invalid = await asProgram('tenants', 'create', 'WRONG');
    expect(invalid).toMatchObject({ code: 1, out: '', errors: expect.stringContaining('email: Email is required\n') });
    const missing = await asProgram('databases', 'show', 'NOWHERE', '--json');
    expect([missing.code, JSON.parse(missing.errors)]).toEqual([
      1,
      { status: 404, title: 'Not found', message: "There is no database 'NOWHERE'.", errors: {} },
    ]);
    const noTenant = { code: 1, out: '', errors: 'There is no tenant NOBODY.\n' };
    expect(await asProgram('tenants', 'show', 'NOBODY')).toEqual(noTenant);
    expect(await asProgram('tenants', 'list', '--nonsense')).toMatchObject({ code: 2 });
    expect(await line.run(['tenants', 'list'], { env: { APOTHECA_API_KEY: 'apk_wrong' } })).toMatchObject({ code: 3 });
    const away = { APOTHECA_API_KEY: key, APOTHECA_URL: 'http://127.0.0.1:9' };
    expect(await line.run(['tenants', 'list'], { env: away })).toMatchObject({ code: 1, out: '' });
  });
});

describe('a server that is away', () => {
  it('is named with the reason, as JSON too [§7]', async () => {
    const { port, close } = await startReceiver();
    await close();
    const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${port}` };
    const message = `fetch failed: connect ECONNREFUSED 127.0.0.1:${port}`;
    expect(await line.run(['tenants', 'list'], { env })).toEqual({ code: 1, out: '', errors: `${message}\n` });
    const asJson = await line.run(['tenants', 'list', '--json'], { env });
    expect({ ...asJson, errors: JSON.parse(asJson.errors) }).toEqual({ code: 1, out: '', errors: { message } });
  });

  const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);
  it.each([
    {
      has: 'two addresses',
      cause: new AggregateError([refused('::1:9'), refused('127.0.0.1:9')], ''),
      says: 'fetch failed: connect ECONNREFUSED ::1:9, connect ECONNREFUSED 127.0.0.1:9',
    },
    {
      has: 'a reason without words',
      cause: Object.assign(new Error(''), { code: 'ECONNRESET' }),
      says: 'fetch failed: ECONNRESET',
    },
    { has: 'no reason', cause: undefined, says: 'fetch failed' },
  ])('is named with the reason, where it has $has [§7]', ({ cause, says }) => {
    expect(reasonOf(new TypeError('fetch failed', { cause }))).toBe(says);
  });
});

describe('a command that is used wrongly', () => {
  it.each([
    { args: ['backups', 'download'], says: "missing required argument 'id'" },
    { args: ['--nonsense', 'whoami'], says: "unknown option '--nonsense'" },
    {
      args: ['--url', 'console.example.com', 'whoami'],
      says: "'console.example.com' is no address such as https://console.example.com: mend --url or APOTHECA_URL.",
    },
    {
      args: ['--url', 'localhost:3000', 'sign-in'],
      says: "'localhost:3000' is no address such as https://console.example.com: mend --url or APOTHECA_URL.",
    },
    { args: ['tenants', 'create', 'A', '--file', 'none.json'], says: /^none\.json cannot be read: ENOENT/ },
    { args: ['tenants', 'create', 'A', '--file', 'list.json'], says: /^list\.json has no fields/ },
    { args: ['backups', 'upload', 'none.dump', '--as', 'A'], says: /^none\.dump cannot be read: ENOENT/ },
    { args: ['backups', 'upload', '.', '--as', 'A'], says: '. cannot be read: it is no file' },
  ])('says so, as JSON too, and ends with 2: $args [§7]', async ({ args, says }) => {
    const message = typeof says === 'string' ? says : expect.stringMatching(says);
    await writeFile(join(line.folder, 'list.json'), '[{ "email": "a@b.test" }]');
    const asJson = await asProgram(...args, '--json');
    expect({ ...asJson, errors: JSON.parse(asJson.errors) }).toEqual({ code: 2, out: '', errors: { message } });
    const { code, errors } = await asProgram(...args);
    expect([code, errors.replace(/^error: /, '').trim()]).toEqual([2, message]);
  });
});

describe('a wait that fails', () => {
  const ID = '0b8f6d52-0000-4000-8000-000000000000';
  const refusal = { status: 401, title: 'Key refused', message: 'This key has ended.', errors: {} };
  const failed = { id: ID, state: 'failed', message: 'The disk is full.', error: { status: 409, title: 'Conflict' } };

  /** What a backup says whose operation is looked at with this answer. */
  async function backUp(status: number, answer: object, ...args: string[]) {
    const receiver = await startReceiver();
    receiver.answer = ({ path }) =>
      path.startsWith('/api/operations')
        ? { status, text: JSON.stringify(answer) }
        : { status: 202, text: JSON.stringify({ status: 202, message: '', result: { operationId: ID } }) };
    const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` };
    const end = await line.run(['backups', 'create', 'ACME', ...args], { env });
    await receiver.close();
    return end;
  }

  it('names the operation, which goes on [§7]', async () => {
    const told = `This key has ended.\nThe operation goes on: apotheca operations wait ${ID}\n`;
    expect(await backUp(401, refusal)).toEqual({ code: 3, out: '', errors: told });
    const { code, errors } = await backUp(401, refusal, '--json');
    expect([code, JSON.parse(errors)]).toEqual([3, { ...refusal, operationId: ID }]);
    const ended = await backUp(200, { status: 200, message: '', result: failed });
    expect(ended).toEqual({ code: 1, out: '', errors: 'The disk is full.\n' });
  });
});

describe('what others have named', () => {
  const HOSTILE = 'x\u001b]0;y\u0007\u009b2J\r';
  const CONTROL = /[^\P{Cc}\n]/u;

  /** A server with these results one after the other, and the environment of its callers. */
  async function startHostile(...results: object[]) {
    const receiver = await startReceiver();
    const message = `First\n${HOSTILE}`;
    receiver.answer = () => ({ status: 200, text: JSON.stringify({ status: 200, message, result: results.shift() }) });
    return { receiver, env: { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` } };
  }

  const running = { state: 'running', message: '', steps: [HOSTILE], step: 0, percent: 1, error: null };
  const conflict = { status: 409, title: 'Conflict' };
  it.each([
    { how: 'a message', state: 'failed', message: `First\n${HOSTILE}`, error: conflict },
    { how: 'errors of fields', state: 'failed', error: { ...conflict, errors: { [HOSTILE]: [HOSTILE] } } },
    { how: 'a result', state: 'succeeded', message: `First\n${HOSTILE}`, result: HOSTILE },
  ])('gives a terminal no control characters, where an operation ends with $how [§7]', async ({ how: _, ...ended }) => {
    for (const options of [['--progress'], ['--json']]) {
      const { receiver, env } = await startHostile(running, { ...running, ...ended });
      const { out, errors } = await line.run(['operations', 'wait', 'an-id', ...options], { env });
      expect([out + errors, receiver.calls.length]).toEqual([expect.stringMatching(/x[\s\S]*0;y[\s\S]*2J/), 2]);
      expect(out + errors).not.toMatch(CONTROL);
      await receiver.close();
    }
  });

  it('has no control characters in a warning before something is destroyed, too [§7]', async () => {
    const { receiver, env } = await startHostile({ databaseName: HOSTILE, digest: 'a-digest' });
    const { code, errors } = await line.run(['databases', 'delete', 'ACME'], { env });
    expect([code, errors]).toEqual([2, "First\nx ]0;y  2J \nConfirm it with --yes 'x ]0;y  2J '.\n"]);
    await receiver.close();
  });
});

describe('a reader of its output', () => {
  it('may stop reading: the command ends well and says nothing [§7]', async () => {
    const receiver = await startReceiver();
    // More than a pipe holds.
    const result = Array.from({ length: 2_000 }, (_, index) => ({ code: `T${index}`, customerCode: 'x'.repeat(100) }));
    receiver.answer = () => ({ status: 200, text: JSON.stringify({ status: 200, message: '', result }) });
    const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` };
    expect(await line.inPipe(['tenants', 'list', '--json'], 'head -1', { env })).toEqual({
      code: 0,
      out: '[\n',
      errors: '',
    });
    await receiver.close();
  });

  it('may stop reading its progress: the command waits to the end and ends as it would have [§7]', async () => {
    for (const [state, code] of [
      ['succeeded', 0],
      ['failed', 1],
    ] as const) {
      const receiver = await startReceiver();
      const gone = join(line.folder, `gone-${state}`);
      const running = { state: 'running', message: '', steps: ['First', 'Second'], step: 0, percent: 1, error: null };
      const error = { status: 409, title: 'Conflict' };
      // What comes after the first step is told to nobody.
      const operations = [
        { ...running, step: 1 },
        { ...running, state, error: state === 'failed' ? error : null },
      ];
      receiver.answer = () => {
        const result = existsSync(gone) ? operations.shift() : running;
        return { status: 200, text: JSON.stringify({ status: 200, message: '', result }) };
      };
      const env = { APOTHECA_API_KEY: key, APOTHECA_URL: `http://127.0.0.1:${receiver.port}` };
      const args = ['operations', 'wait', 'an-id', '--progress'];
      const reader = `{ head -1; exec <&-; touch '${gone}'; }`;
      expect(await line.inPipe(args, reader, { env, withErrors: true })).toEqual({ code, out: 'First\n', errors: '' });
      expect(operations).toEqual([]);
      await receiver.close();
    }
  });
});

describe('completions', () => {
  it.each(['bash', 'zsh', 'fish'])('are printed for %s [§7]', async (shell) => {
    const { code, out } = await line.run(['completion', shell]);
    expect([code, out]).toEqual([0, expect.stringContaining('apotheca complete --')]);
  });

  it('know commands and options, and are a script that bash takes [§7]', async () => {
    const { out } = await line.run(['completion', 'bash']);
    await writeFile(join(line.folder, 'completion.bash'), out);
    await promisify(execFile)('bash', ['-n', join(line.folder, 'completion.bash')]);
    const commands = (await line.run(['complete', '--', 'tenants', ''])).out;
    for (const name of ['list', 'show', 'create', 'activate', 'deactivate', 'delete']) expect(commands).toContain(name);
    expect((await line.run(['complete', '--', 'tenants', 'create', '--'])).out).toContain('--time-zone');
  });
});
