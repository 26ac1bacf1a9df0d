// Makes sure that there is a PgBouncer which the tests can use. Debian 12 has one that is too old: as root, that of Debian 13 is then unpacked with
// its libraries into a folder of its own, and nothing is installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './packages.mjs';
import { fail, root } from './setup.mjs';

/** The first version that asks another database than the client's for logins (auth_dbname). */
const OLDEST = [1, 19];
const FOLDER = join(root, 'node_modules/.cache/pgbouncer');
/** The package, and what its program loads. */
const PACKAGES = [
  ...['pgbouncer', 'libc6', 'libssl3t64', 'libevent-2.1-7t64', 'libcares2', 'libpam0g', 'libsystemd0', 'libaudit1'],
  ...['libcap-ng0', 'libzstd1', 'zlib1g', 'libcap2', 'libldap2'],
];

/** The program: that of the PATH, if it is new enough, else the one in a folder of its own. */
export function ensurePgBouncer() {
  const own = join(FOLDER, 'pgbouncer');
  if (isNewEnough('pgbouncer')) return 'pgbouncer';
  if (isNewEnough(own)) return own;
  installPackage('pgbouncer', 'PgBouncer');
  if (isNewEnough('pgbouncer')) return 'pgbouncer';
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) unpack(own);
  return isNewEnough(own)
    ? own
    : fail(`The tests need PgBouncer ${OLDEST.join('.')} or newer: install the package pgbouncer.`);
}

function isNewEnough(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  return major !== undefined && (Number(major) - OLDEST[0] || Number(minor) - OLDEST[1]) >= 0;
}

/** Takes the packages from where this machine has its own from. */
function unpack(program) {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const folder of ['lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(FOLDER, folder), { recursive: true });
  const [place] = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'], {
    encoding: 'utf8',
  }).split('\n');
  writeFileSync(join(FOLDER, 'sources.list'), `deb ${place} trixie main\n`);
  const options = [
    `Dir::Etc::sourcelist=${join(FOLDER, 'sources.list')}`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${join(FOLDER, 'lists')}`,
    `Dir::Cache=${join(FOLDER, 'cache')}`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const apt = (...args) =>
    spawnSync('apt-get', ['-qq', ...options, ...args], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  console.log('Unpacking PgBouncer …');
  apt('update');
  apt('download', ...PACKAGES.map((name) => `${name}/trixie`));
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.deb'))) {
    spawnSync('dpkg', ['--extract', file, 'root'], { cwd: FOLDER, stdio: 'inherit' });
    rmSync(join(FOLDER, file));
  }
  for (const folder of ['lists', 'cache']) rmSync(join(FOLDER, folder), { recursive: true, force: true });
  const [libraries = ''] = readdirSync(join(FOLDER, 'root/usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const [loader = ''] = readdirSync(join(FOLDER, 'root/usr/lib', libraries)).filter((name) =>
    name.startsWith('ld-linux'),
  );
  const path = `$here/root/usr/lib/${libraries}`;
  const text = `#!/bin/sh\nhere="$(dirname "$0")"\nexec "${path}/${loader}" --library-path "${path}" "$here/root/usr/sbin/pgbouncer" "$@"\n`;
  writeFileSync(program, text, { mode: 0o755 });
}
