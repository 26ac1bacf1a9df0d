// Makes sure that there is a PgBouncer which the tests can use; installs Debian's package as root. Debian 12 has one that is too old: that of
// Debian 13 is then unpacked with its libraries into a folder of its own, and nothing is installed.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { candidateOf, canUnpack, installPackages, unpackPackages } from './packages.mjs';
import { fail, root } from './setup.mjs';

/** The first version that asks another database than the client's for logins (auth_dbname). */
const OLDEST = [1, 19];
export const PRODUCT = `PgBouncer ${OLDEST.join('.')} or newer`;
const FOLDER = join(root, 'node_modules/.cache/pgbouncer');
/** The package, and what its program loads. */
const PACKAGES = [
  ...['pgbouncer', 'libc6', 'libssl3t64', 'libevent-2.1-7t64', 'libcares2', 'libpam0g', 'libsystemd0', 'libaudit1'],
  ...['libcap-ng0', 'libzstd1', 'zlib1g', 'libcap2', 'libldap2'],
];

/** The program: that of the PATH, if it is new enough, else the one in a folder of its own; undefined if there is neither. */
export const findPgBouncer = () => ['pgbouncer', join(FOLDER, 'pgbouncer')].find(isNewEnough);

/** The program, else Debian's when run as root. */
export function ensurePgBouncer() {
  const found = findPgBouncer();
  if (found) return found;
  if (canUnpack() && isNew(candidateOf('pgbouncer'))) installPackages(['pgbouncer']);
  if (canUnpack() && !findPgBouncer()) {
    console.log('Unpacking PgBouncer …');
    unpackPackages(FOLDER, 'trixie', PACKAGES, { pgbouncer: 'usr/sbin/pgbouncer' });
  }
  return findPgBouncer() ?? fail(`The tests need ${PRODUCT}: install the package pgbouncer.`);
}

function isNewEnough(program) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return isNew(/^PgBouncer (.*)/.exec(stdout ?? '')?.[1] ?? '');
}

function isNew(version) {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  return major !== undefined && (Number(major) - OLDEST[0] || Number(minor) - OLDEST[1]) >= 0;
}
