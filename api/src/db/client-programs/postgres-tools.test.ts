import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { findPostgresTools } from './postgres-tools.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-tools-'));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

/** Programs that print a version, in a new folder. */
async function programs(version: string, names = ['pg_dump', 'pg_restore']): Promise<string> {
  const home = await mkdtemp(join(folder, 'bin-'));
  await chmod(home, 0o755);
  for (const name of names) {
    const path = join(home, name);
    await writeFile(path, `#!/bin/sh\necho '${name} (PostgreSQL) ${version}'\n`);
    await chmod(path, 0o755);
  }
  return home;
}

/** Programs of that version as Debian has them on the PATH: each is pg_wrapper(1), which runs the newest of Debian's folders. */
async function wrappers(version: string): Promise<string> {
  const [home, wrapper] = [await programs(version, []), join(await programs(version, ['pg_wrapper']), 'pg_wrapper')];
  for (const name of ['pg_dump', 'pg_restore']) await symlink(wrapper, join(home, name));
  return home;
}

describe('pg_dump and pg_restore', () => {
  it('are those of PG_BIN_DIR when it is set, and no others [DECISIONS §2]', async () => {
    const home = await programs('17.2');
    expect(await findPostgresTools(home, 17)).toEqual({
      loading: { flags: ['--exit-on-error'] },
      pgDump: join(home, 'pg_dump'),
      pgRestore: join(home, 'pg_restore'),
    });
    await expect(findPostgresTools(join(folder, 'nowhere'), 15)).rejects.toMatchObject({
      code: 'tools-missing',
      message: expect.stringContaining(`There are none in PG_BIN_DIR (${join(folder, 'nowhere')}).`),
    });
  });

  it('are the newest on the PATH, which read what any of them has written: both, and not older than the server [DECISIONS §2]', async () => {
    const [half, old, fit] = [await programs('100.1', ['pg_dump']), await programs('98.9'), await programs('99beta1')];
    vi.stubEnv('PATH', `${half}:${old}:${fit}:${await programs('99.1')}:${process.env.PATH}`);
    for (const server of [15, 99]) expect(dirname((await findPostgresTools(undefined, server)).pgDump)).toBe(fit);
    await expect(findPostgresTools(undefined, 100)).rejects.toMatchObject({ code: 'tools-missing' });
  });

  it("are not Debian's wrappers around the programs of its folders, unless PG_BIN_DIR says so [DECISIONS §2]", async () => {
    const [wrapped, own] = [await wrappers('99.1'), await programs('99.1')];
    vi.stubEnv('PATH', `${wrapped}:${own}:${process.env.PATH}`);
    expect(dirname((await findPostgresTools(undefined, 99)).pgDump)).toBe(own);
    expect(dirname((await findPostgresTools(wrapped, 99)).pgDump)).toBe(wrapped);
  });
});

it('are not reported as missing when no file can be opened [§8]', async () => {
  const script = `
    const { openSync } = await import('node:fs');
    const { findPostgresTools } = await import(${JSON.stringify(new URL('./postgres-tools.ts', import.meta.url).href)});
    try {
      for (;;) openSync('/dev/null', 'r');
    } catch {}
    const failure = await findPostgresTools(${JSON.stringify(await programs('99.1'))}, 15).catch((error) => error);
    console.log(failure.code);`;
  const fewFiles = 'ulimit -n 200 && exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await run('sh', ['-c', fewFiles, process.execPath, script]);
  expect(stdout.trim()).toBe('EMFILE');
});

describe.runIf(process.getuid?.() === 0)('where the server is root', () => {
  it('programs that its unprivileged account cannot reach are skipped, and the refusal says so [DECISIONS §2]', async () => {
    const home = await programs('17.2');
    await chmod(home, 0o700);
    await expect(findPostgresTools(home, 15)).rejects.toMatchObject({
      code: 'tools-missing',
      message: expect.stringMatching(/ Those in .* cannot be reached by the account under which they run /),
    });
  });
});

describe('without them', () => {
  const test = useTestApp();

  it('backups and restores are a 503 that says what to install, and leave nothing [DECISIONS §8]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('TOOLLESS') });
    const { id } = (await test.call(backupRoutes.create, { query: { databaseName: 'TOOLLESS' } })).result;
    const token = (await test.signIn()).result.accessToken;
    const context = { ...test.context, findTools: () => findPostgresTools(join(folder, 'nowhere'), 15) };
    const app = await buildApp(context, { logLevel: 'silent' });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
    const calls = [
      { url: '/api/managedatabase/backupdatabase?databaseName=TOOLLESS' },
      { url: `/api/managedatabase/restoredatabase?id=${id}&databaseName=NEW` },
      { url: '/api/managedatabase/uploadbackup?databaseName=NEW', payload: 'PGDMP' },
    ];
    for (const call of calls) {
      const { authorization, ...type } = headers;
      const answer = await app.inject({
        method: 'POST',
        ...call,
        headers: { authorization, ...('payload' in call && type) },
      });
      expect(answer.json()).toMatchObject({
        status: 503,
        message: expect.stringMatching(/install the PostgreSQL client programs \(Debian: postgresql-client\)/),
      });
    }
    await app.close();
    const states = await test.context.platform.selectFrom('backups').select(['id', 'state']).execute();
    expect(states).toEqual([{ id, state: 'ready' }]);
    expect(await test.context.platform.selectFrom('databases').select('name').execute()).toEqual([
      { name: 'TOOLLESS' },
    ]);
  });
});
