// `npm run release`: makes a release of what is committed. The version follows from the commits since the last tag (`feat` a minor one, a
// breaking change a major one, below 1.0.0 one place lower), unless `-- --release-as 1.2.3` says it. CHANGELOG.md gets its entry, every
// workspace, the chart and the changelog of the API the version, what was released of API and schema is noted; all that is one commit
// with a tag. Then the parts are made in `release/`, also where that was done before. Nothing is pushed. `-- --tag-only`
// leaves the parts out.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProductionFolder } from './production.mjs';
import { ensureInstalled, fail, pinnedNode, root } from './setup.mjs';

const args = process.argv.slice(2);
if (git('status', '--porcelain') !== '') fail('A release is made of what is committed: commit or remove what is not.');
ensureInstalled();

const own = args.filter((arg) => arg !== '--tag-only');
// A tagged version whose parts failed is not tagged once more.
if (own.length > 0 || !isTagged()) {
  const tool = join(root, 'node_modules/commit-and-tag-version/bin/cli.js');
  const { status } = spawnSync(pinnedNode(), [tool, '--silent', ...own], { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail('No release was made. `git status` says what was changed on the way.');
  // With --dry-run or --help it only says something.
  if (!isTagged()) process.exit();
}

const version = readVersion();
const folder = join(root, 'release');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(join(folder, 'notes.md'), notesOf(version));
if (!args.includes('--tag-only')) makeParts();
console.log(`v${version} is tagged; its parts are in ${folder}. To publish it: git push --follow-tags`);

function isTagged() {
  return git('tag', '--points-at', 'HEAD').split('\n').includes(`v${readVersion()}`);
}

function readVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** The entry of a version in CHANGELOG.md. */
function notesOf(version) {
  const entries = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const entry = entries.find((each) => each.startsWith(`## ${version} `));
  return entry ?? fail(`CHANGELOG.md has no entry of ${version}.`);
}

/** The archive for machines without containers, the bill of materials, the API's client and command line, and the chart. */
function makeParts() {
  const name = `apotheca-${version}-linux-${process.arch}`;
  const production = join(folder, name);
  makeProductionFolder(production);
  execFileSync('cp', [join(production, 'sbom.cdx.json'), join(root, 'packaging/apotheca.service'), folder]);
  const tar = (file, parent, what) =>
    execFileSync('tar', [
      '--create',
      '--gzip',
      '--owner=0',
      '--group=0',
      '--file',
      join(folder, file),
      '-C',
      parent,
      what,
    ]);
  tar(`${name}.tar.gz`, folder, name);
  tar(`apotheca-chart-${version}.tgz`, join(root, 'charts'), 'apotheca');
  rmSync(production, { recursive: true });
  const pack = ['pack', '--silent', '-w', 'packages/client', '-w', 'packages/cli', '--pack-destination', folder];
  execFileSync('npm', pack, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}
