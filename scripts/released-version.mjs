// A step of `npm run release`: what has the version of package.json gets it, and what is released is noted.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedNode, root } from './setup.mjs';

const { version, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param change of a file's text */
function edit(path, change) {
  const file = join(root, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** A workspace, and which of the others it needs: all have one version. */
const withVersion = (description) => {
  description.version = version;
  for (const kind of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(description[kind] ?? {}))
      if (name.startsWith('@apotheca/')) description[kind][name] = version;
  return description;
};
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

for (const workspace of workspaces) edit(`${workspace}/package.json`, (text) => json(withVersion(JSON.parse(text))));
edit('package-lock.json', (text) => {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const workspace of ['', ...workspaces]) withVersion(lock.packages[workspace]);
  return json(lock);
});
for (const chart of globSync('charts/*/Chart.yaml', { cwd: root }))
  edit(chart, (text) => text.replace(/^((?:appV|v)ersion: ).*$/gm, `$1${version}`));
edit('docs/api-changelog.md', (text) => text.replace(/^## Unreleased$/m, `## ${version}`));

// Without an address of the repository the heading would link to nowhere.
edit('CHANGELOG.md', (text) => text.replace(/^## \[([\d.]+)\]\([^)]*\)/gm, '## $1'));

const run = (script) => execFileSync(pinnedNode(), [join(root, script)], { cwd: root, stdio: 'inherit' });
run('scripts/release-api.mjs');
run('scripts/release-schema.mjs');
