import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Apotheca, ApothecaError, type Input, type Operation, type Session } from '@apotheca/client';
import { faqRoutes } from '@apotheca/contract/faqs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ADMINISTRATOR } from './testing/administrator.ts';
import { useTestApp } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { withClient } from './testing/databases.ts';
import { withServers } from './testing/servers.ts';
import { openTcpProxy } from './testing/tcp-proxy.ts';

const { userName, password } = ADMINISTRATOR;
/** All that the walk needs. */
const SCOPES: Input<'apiKeys.create'>['body']['scopes'] = [
  'tenants.read',
  'tenants.write',
  'tenants.delete',
  'databases.read',
  'databases.write',
  'databases.restore',
  'databases.connect',
];
const run = promisify(execFile);
const CLIENT = fileURLToPath(new URL('../../packages/client', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const TSC_OPTIONS = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];

/** A program's client, with an API key of a new service account that may do everything. */
async function asProgram(url: string): Promise<Apotheca> {
  const person = new Apotheca({ url });
  await person.signIn(userName, password);
  const { result: options } = await person.call('users.options');
  const roleId = options.roles.find(({ roleName }) => roleName === 'Administrator')?.id ?? '';
  const service = await person.call('serviceAccounts.create', { body: { userName: 'import', roleId } });
  const { result: issued } = await person.call('apiKeys.create', {
    body: { userId: service.result.id, name: 'Walk', scopes: SCOPES },
  });
  return new Apotheca({ url, key: issued.key });
}

const query = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query(text)).rows as Record<string, unknown>[]);

describe('the generated client, alone', () => {
  it('walks create, credentials, backup, restore, suspend, delete on a real server [§7]', async () => {
    await withServers(1, {}, async ([server]) => {
      const apotheca = await asProgram(server?.url ?? '');
      const { result: tenant } = await apotheca.call('tenants.create', { body: tenantInput('WALK') });

      const { result: login } = await apotheca.call('credentials.reveal', {
        query: { id: tenant.id, access: 'write' },
      });
      await query(login.connectionString, "insert into locations (code, name, kind) values ('A', 'Ward A', 'clinic')");

      const states: string[] = [];
      const onProgress = ({ state }: Operation) => states.push(state);
      const { result: backup } = await apotheca.call(
        'backups.create',
        { query: { databaseName: 'WALK' } },
        { onProgress },
      );
      expect(states.at(-1)).toBe('succeeded');
      const archive = await apotheca.download('backups.download', { query: { id: backup.id } });
      expect(archive).toMatchObject({ name: expect.stringMatching(/^WALK/), sizeBytes: backup.sizeBytes });
      const bytes = await buffer(archive.content);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(backup.sha256);
      const uploaded = await apotheca.call('backups.upload', {
        query: { databaseName: 'ELSEWHERE', sha256: backup.sha256 },
        body: new Blob([bytes]).stream(),
      });
      expect(uploaded.result).toMatchObject({ origin: 'uploaded', sha256: backup.sha256 });

      await query(login.connectionString, "update locations set name = 'changed' where code = 'A'");
      const target = { id: backup.id, databaseName: 'WALK' };
      const { result: plan } = await apotheca.call('backups.planRestore', { query: target });
      expect(plan.replaces).toBe(true);
      await apotheca.call('backups.restore', { query: { ...target, plan: plan.digest } });
      expect(await query(login.connectionString, "select name from locations where code = 'A'")).toEqual([
        { name: 'Ward A' },
      ]);

      await apotheca.call('tenants.deactivate', { query: { id: tenant.id } });
      await expect(query(login.connectionString, 'select 1')).rejects.toThrow(/not permitted to log in/);
      await apotheca.call('tenants.activate', { query: { id: tenant.id } });
      expect(await query(login.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);

      const operationId = await apotheca.start('tenants.delete', { query: { id: tenant.id } });
      await apotheca.wait(operationId);
      expect((await apotheca.call('tenants.list')).result).toEqual([]);
      await expect(query(login.connectionString, 'select 1')).rejects.toThrow();
    });
  });
});

describe('the client', () => {
  const test = useTestApp();
  const listen = async () => (test.app.server.listening ? test.app.listeningOrigin : test.app.listen({ port: 0 }));

  it('throws what the server says of a refused call, and of an operation that fails [§7]', async () => {
    const apotheca = new Apotheca({ url: await listen() });
    await expect(apotheca.call('tenants.list')).rejects.toMatchObject({ status: 401, title: 'Not signed in' });
    await apotheca.signIn(userName, password);
    const missing = apotheca.call('tenants.create', { body: { ...tenantInput('X'), email: '' } });
    await expect(missing).rejects.toMatchObject({ status: 400, errors: { email: ['Email is required'] } });
    const error = { code: 'damaged-archive', result: { tables: ['patients'] } };
    const { rows } = await sql<{ id: string }>`
      insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes,
        message, error, created_at, finished_at)
      values (gen_random_uuid(), 'restore', gen_random_uuid(), 'X', '{}', 'ada', '::1', 'failed', '{Restore}', 0,
        'A block is damaged.', ${JSON.stringify(error)}, now(), now())
      returning id`.execute(test.context.platform);
    const failure: unknown = await apotheca.wait(rows[0]?.id ?? '').catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(ApothecaError);
    expect(failure).toMatchObject({ status: 400, message: 'A block is damaged.', result: { tables: ['patients'] } });
  });

  it('makes one thing where the answer is lost, as it comes again with the same key [§7]', async () => {
    const proxy = await openTcpProxy(await listen());
    const apotheca = new Apotheca({ url: proxy.url });
    await apotheca.signIn(userName, password);
    const made = async () => (await test.call(faqRoutes.list)).result.map(({ id }: { id: string }) => id);
    const lost = proxy.swallowAfter('"code":"ONCE"');
    const call = apotheca.call('faqs.create', { body: { name: 'Once', code: 'ONCE' } });
    await lost;
    await expect.poll(made).toHaveLength(1);
    proxy.heal();
    const { result } = await call;
    expect(await made()).toEqual([result.id]);
    await proxy.close();
  });

  it('refreshes an old session once for all calls that need it, and tells its owner [§7.1]', async () => {
    const sessions: (Session | undefined)[] = [];
    const apotheca = new Apotheca({ url: await listen(), onSession: (session) => void sessions.push(session) });
    expect(await apotheca.signIn(userName, password)).toMatchObject({ username: userName });
    test.clock.advance(16 * 60);
    const calls = Array.from({ length: 10 }, () => apotheca.call('auth.me'));
    expect((await Promise.all(calls)).map(({ result }) => result.username)).toEqual(Array(10).fill(userName));
    expect(sessions).toHaveLength(2);

    const restored = new Apotheca({ url: await listen(), session: sessions[1] as Session });
    expect((await restored.call('auth.me')).result.username).toBe(userName);
    await restored.signOut();
    await expect(restored.call('auth.me')).rejects.toMatchObject({ status: 401 });
    await expect(apotheca.call('auth.me')).rejects.toMatchObject({ status: 401, title: 'Session ended' });
    expect(sessions.at(-1)).toBeUndefined();
  });

  it('shares a session with another program, which may have refreshed it meanwhile [§7.1]', async () => {
    let kept: Session | undefined;
    const url = await listen();
    const onSession = (session: Session | undefined) => {
      kept = session;
    };
    const person = new Apotheca({ url, onSession });
    await person.signIn(userName, password);
    const program = () => new Apotheca({ url, session: kept, onSession, refreshAlone: (refresh) => refresh(kept) });
    const [one, other] = [program(), program()];
    for (const each of [one, other, one, other]) {
      test.clock.advance(16 * 60);
      expect((await each.call('auth.me')).result.username).toBe(userName);
    }
    const replays = test.context.platform.selectFrom('auditEntries').select('id').where('action', '=', 'auth.replay');
    expect(await replays.execute()).toEqual([]);
  });

  it('refreshes an old session before it sends a stream, which goes once only [§7.1]', async () => {
    const apotheca = new Apotheca({ url: await listen() });
    await apotheca.signIn(userName, password);
    test.clock.advance(16 * 60);
    const body = new Blob(['no archive']).stream();
    const upload = apotheca.call('backups.upload', { query: { databaseName: 'SENT' }, body });
    // The server has read it, and says what is wrong with it.
    await expect(upload).rejects.toMatchObject({ status: 400 });
  });
});

it('refuses an address that is none [§7]', () => {
  expect(() => new Apotheca({ url: 'nonsense' })).toThrow(TypeError);
});

describe('the package of the client', () => {
  it('is installed from its tarball in an empty folder, where a small program type-checks and runs [§7]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'apotheca-client-'));
    try {
      const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
        cwd: CLIENT,
      });
      const [{ filename, files }] = JSON.parse(stdout);
      const paths: string[] = files.map(({ path }: { path: string }) => path);
      expect(paths).toEqual(expect.arrayContaining(['README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json']));
      expect(paths.filter((path) => !/^(dist\/|README\.md$|package\.json$)/.test(path))).toEqual([]);
      await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
      await run('npm', ['install', '--offline', '--ignore-scripts', join(folder, filename)], { cwd: folder });
      await writeFile(join(folder, 'program.ts'), PROGRAM);
      await run(process.execPath, [TSC, ...TSC_OPTIONS, join(folder, 'program.ts')], { cwd: folder });
      expect((await run(process.execPath, ['program.js'], { cwd: folder })).stdout).toBe('TypeError\n');

      await writeFile(join(folder, 'program.ts'), PROGRAM.replace("copyFrom: 'ACME'", 'copyFrom: 7'));
      const wrong = run(process.execPath, [TSC, ...TSC_OPTIONS, join(folder, 'program.ts')], { cwd: folder });
      await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining("'number' is not assignable") });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

const PROGRAM = `
  import { Apotheca } from '@apotheca/client';
  const apotheca = new Apotheca({ url: 'http://127.0.0.1:9', key: 'apk_', retries: 0 });
  try {
    const { result } = await apotheca.call('databases.copy', { query: { copyFrom: 'ACME', databaseName: 'COPY' } });
    const name: string = result.databaseName;
    console.log(name);
  } catch (error) {
    console.log((error as Error).name);
  }
`;
