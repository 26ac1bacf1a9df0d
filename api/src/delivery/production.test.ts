import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVER, SERVER_FLAGS } from '../../../scripts/setup.mjs';
import { ADMINISTRATOR } from '../testing/administrator.ts';
import { tenantInput } from '../testing/builders.ts';
import { createEmptyDatabase } from '../testing/databases.ts';
import { callServer, signInToServer, startServer } from '../testing/server-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The account of the image. */
const ACCOUNT = 10_001;
/** What Debian's libraries and PostgreSQL's client programs take of the image, in MB, generously (decision 074). */
const BASE = 36;
const LARGEST_IMAGE = 250;
/** Only finds what hangs: the console and the server are built, and their packages copied. */
const START_LIMIT = 900_000;

let place: string;
let folder: string;
let data: string;
let files: string[];
/** What a build of the server is at work on. */
const draft = join(ROOT, `${SERVER}.${process.pid}`);

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'apotheca-production-'));
  folder = join(place, 'apotheca');
  data = join(place, 'data');
  await mkdir(data);
  if (process.getuid?.() === 0) await chown(data, ACCOUNT, ACCOUNT);
  await chmod(place, 0o755);
  await mkdir(dirname(draft), { recursive: true });
  await writeFile(draft, '');
  // Whoever runs it need not be who made it, under whatever umask.
  const command = ['-c', 'umask 077 && exec "$0" "$@"', process.execPath, 'scripts/production.mjs', folder];
  execFileSync('sh', command, { cwd: ROOT });
  files = await readdir(folder, { recursive: true });
}, START_LIMIT);
afterAll(() => Promise.all([place, draft].map((path) => rm(path, { recursive: true, force: true }))));

/** The packages of a production folder, by their names. */
const packages = () =>
  files
    .filter((path) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
    .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')).name as string);

/** Mounts the folder and the root read-only, for the processes that it starts only; $1 is the folder that can be written. */
const READ_ONLY = `mount --bind "$1" "$1" && mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && mount -o remount,bind,ro / && cd "$2" && shift 2 && exec "$@"`;

/** A command in which all is read-only but one folder, for an account without rights where the tests run as root. */
function confined(writable: string, command: string[]): [string, ...string[]] {
  const isRoot = process.getuid?.() === 0;
  const account = [
    '--reuid',
    ACCOUNT,
    '--regid',
    ACCOUNT,
    '--clear-groups',
    '--bounding-set',
    '-all',
    '--no-new-privs',
  ];
  const without = isRoot ? ['setpriv', ...account.map(String)] : [];
  const mounts = isRoot ? ['--mount'] : ['--map-root-user', '--mount'];
  return ['unshare', ...mounts, 'sh', '-c', READ_ONLY, 'sh', writable, folder, ...without, ...command];
}

describe('a production folder', () => {
  it.each([
    { args: [], says: 'Usage: npm run production -- FOLDER [--embedded-postgres]' },
    { args: ['one', 'two'], says: 'Usage: npm run production -- FOLDER [--embedded-postgres]' },
    { args: ['one', '--embedded'], says: 'Usage: npm run production -- FOLDER [--embedded-postgres]' },
    { args: ['LICENSE'], says: `${join(ROOT, 'LICENSE')} is no folder.` },
    { args: ['docs'], says: `${join(ROOT, 'docs')} is not empty.` },
  ])('is not made by $args, and that is told in one line [DECISIONS §13]', ({ args, says }) => {
    const made = spawnSync(process.execPath, ['scripts/production.mjs', ...args], { cwd: ROOT, encoding: 'utf8' });
    expect([made.status, made.stdout, made.stderr]).toEqual([1, '', `${says}\n`]);
  });

  it('has the server in one file, without what other builds are at work on or have left [DECISIONS §13]', () => {
    expect(files.filter((path) => path.startsWith('api/dist/'))).toEqual([SERVER]);
  });

  it('has neither tests, nor what builds or tests, nor PostgreSQL, unless it is wanted [DECISIONS §13]', () => {
    expect(files).toEqual(expect.arrayContaining([SERVER, 'console/dist/index.html', 'bin/node']));
    const unshipped = /\.test\.tsx?$|^api\/src\/(testing|delivery)\/|\.made-of$/;
    expect(files.filter((path) => unshipped.test(path))).toEqual([]);
    const names = packages();
    expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp', '@node-rs/argon2']));
    const unwanted = /^(vite|vitest|typescript|sass|react|@biomejs\/.*|@playwright\/test|@embedded-postgres\/.*)$/;
    expect(names.filter((name) => unwanted.test(name))).toEqual([]);
  });

  it(
    'with PostgreSQL has no link that leads out of it, so it can be copied to another machine [DECISIONS §13]',
    async () => {
      const whole = join(await realpath(place), 'whole');
      execFileSync(process.execPath, ['scripts/production.mjs', whole, '--embedded-postgres'], { cwd: ROOT });
      const entries = await readdir(whole, { recursive: true, withFileTypes: true });
      const links = entries
        .filter((entry) => entry.isSymbolicLink())
        .map(({ parentPath, name }) => join(parentPath, name));
      expect(links.map((path) => basename(path))).toContain('libpq.so.5');
      const targets = await Promise.all(links.map((path) => realpath(path)));
      expect(targets.filter((path) => !path.startsWith(`${whole}/`))).toEqual([]);
    },
    START_LIMIT,
  );

  it('names every package that it has in its bill of materials, with version and licence, and no other [DECISIONS §13]', () => {
    const bill = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application' } } });
    const named: { name: string; purl: string; licenses?: unknown[] }[] = bill.components;
    const identified = named.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@[^@]+$/, '$1'));
    expect(new Set(identified)).toEqual(new Set(packages()));
    expect(named.filter(({ licenses }) => !licenses).map(({ name }) => name)).toEqual(['contract']);
  });

  it('leaves room in an image of 250 MB [DECISIONS §13]', async () => {
    const sizes = await Promise.all(files.map((path) => stat(join(folder, path)).catch(() => undefined)));
    const size = sizes.reduce((sum, each) => sum + (each?.isFile() ? each.size : 0), 0) / 1e6;
    expect(size).toBeGreaterThan(100);
    expect(size + BASE).toBeLessThan(LARGEST_IMAGE);
  });

  it('signs in, creates a tenant and backs it up as an account without rights that can write its data folder only [DECISIONS §13]', async () => {
    const database = await createEmptyDatabase();
    const server = await startServer(
      {
        DATABASE_URL: database.url,
        APOTHECA_DATA_DIR: data,
        APOTHECA_ADMIN_USERNAME: ADMINISTRATOR.userName,
        APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
        NODE_COMPILE_CACHE: '',
      },
      confined(data, ['bin/node', ...SERVER_FLAGS, SERVER]),
    );
    const { url } = server;
    const touch = (path: string) => {
      const [program, ...args] = confined(data, ['touch', path]);
      return spawnSync(program, args, { encoding: 'utf8' }).stderr;
    };
    expect([touch('bin/other'), touch('/usr/other')]).toEqual([
      expect.stringContaining('Read-only'),
      expect.stringContaining('Read-only'),
    ]);
    expect(touch(join(data, 'other'))).toBe('');
    const token = await signInToServer(url);
    await callServer(url, tenantRoutes.create, { token, body: tenantInput('BOXED') });
    const backup = await callServer(url, backupRoutes.create, { token, query: { databaseName: 'BOXED' } });
    expect(backup).toMatchObject({ status: 200, success: true });
    expect((await readdir(join(data, 'backups'))).filter((name) => name.endsWith('.dump'))).toHaveLength(1);
    const console = await fetch(url, { headers: { accept: 'text/html' } });
    expect(await console.text()).toContain('<div id="root">');
    const { port } = new URL(url);
    const check = () =>
      spawnSync(join(folder, 'bin/node'), ['api/src/health-check.ts'], { cwd: folder, env: { PORT: port } }).status;
    // On a busy machine the answer may take longer than it waits.
    await expect.poll(check).toBe(0);
    expect(await server.terminate()).toBe(0);
    expect(check()).toBe(1);
    await database.drop();
  });
});
