// What the tests need of the system: its programs, and Debian's packages with them.
import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether packages of Debian can be had here: by root, on Debian. */
export const canUnpack = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs packages of Debian; does nothing without root's rights or on other systems. All at once: that takes a third of the time of one
 * after another. One that this release does not have keeps none of the others from being installed.
 */
export function installPackages(names) {
  if (!canUnpack()) return;
  console.log(`Installing ${names.join(', ')} …`);
  // Another program may be installing packages at this moment: its lock is waited for, in seconds.
  const apt = (stderr, ...args) =>
    spawnSync('apt-get', ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=600', ...args], {
      stdio: ['ignore', 'ignore', stderr],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  const install = (stderr, ...some) => apt(stderr, 'install', '--no-install-recommends', ...some);
  apt('inherit', 'update');
  if (names.length > 1 && install('ignore', ...names)) return;
  for (const name of names) install('inherit', name);
}

/** The version of a package that root would install on Debian, by lists that are fetched for that; empty if there is none. */
export function candidateOf(name) {
  spawnSync('apt-get', ['-qq', 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const { stdout } = spawnSync('apt-cache', ['show', '--no-all-versions', name], { encoding: 'utf8' });
  return /^Version: (.*)/m.exec(stdout ?? '')?.[1] ?? '';
}

export function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Unpacks packages of another release of Debian into a folder of their own, from where this machine has its own from; nothing is installed.
 * Where they cannot be had, there are no programs in the folder.
 * @param release of Debian, by its name
 * @param names the packages of the programs, and of all libraries that they load
 * @param programs names of programs to be put into `folder`, each with where its package has it
 */
export function unpackPackages(folder, release, names, programs) {
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(folder, path), { recursive: true });
  const [place] = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  }).split('\n');
  writeFileSync(join(folder, 'sources.list'), `deb ${place} ${release} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${join(folder, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(folder, 'lists')}`,
    `Dir::Cache=${join(folder, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...options, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  apt('update');
  apt('download', ...names.map((name) => `${name}/${release}`));
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    spawnSync('dpkg', ['--extract', file, 'root'], { cwd: folder, stdio: 'inherit' });
    rmSync(join(folder, file));
  }
  for (const path of ['lists', 'cache']) rmSync(join(folder, path), { recursive: true, force: true });
  // What this machine has its own packages from may not have that release, or cannot be reached: apt-get has said so.
  if (!existsSync(join(folder, 'root/usr/lib'))) return;
  for (const [name, packed] of Object.entries(programs)) writeLauncher(folder, name, packed);
}

/** A program that is run with the libraries beside it, as this machine's own may be too old for it. */
function writeLauncher(folder, name, packed) {
  const find = (place, test) => readdirSync(join(folder, place)).find(test) ?? '';
  const libraries = join(
    'root/usr/lib',
    find('root/usr/lib', (entry) => entry.endsWith('-linux-gnu')),
  );
  const loader = find(libraries, (entry) => entry.startsWith('ld-linux'));
  const path = `$here/${libraries}`;
  const text = `#!/bin/sh\nhere="$(dirname "$0")"\nexec "${path}/${loader}" --library-path "${path}" "$here/root/${packed}" "$@"\n`;
  writeFileSync(join(folder, name), text, { mode: 0o755 });
}
