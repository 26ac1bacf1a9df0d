// `node scripts/programs.mjs`: makes sure that there are the programs which tests need; as root it installs Debian's packages. A process of its
// own, as `npm test` runs it beside `npm ci` and its first checks: neither needs what the other installs.
import { delimiter, join } from 'node:path';
import { CHROMIUM_PACKAGES, findChromium } from './chromium.mjs';
import { canUnpack, installPackages, isExecutable } from './packages.mjs';
import { findPgBouncer, PRODUCT } from './pgbouncer.mjs';
import { hasClientPrograms, hasServer } from './postgres.mjs';

const isOnPath = (name) => () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => isExecutable(join(folder, name)));

/** @typedef {[product: string, package: string, isThere: () => boolean]} Program */
/** @type {Program[]} */
const NEEDED = [
  ['pg_dump and pg_restore, on the PATH or in PG_BIN_DIR', 'postgresql-client', hasClientPrograms],
  ["Debian's PostgreSQL", 'postgresql', hasServer],
  ['pgBackRest', 'pgbackrest', isOnPath('pgbackrest')],
  ['age', 'age', isOnPath('age')],
  ['Prometheus', 'prometheus', isOnPath('prometheus')],
  ['systemd', 'systemd', isOnPath('systemd-analyze')],
  ['Patroni', 'patroni', isOnPath('patroni')],
  ['etcd', 'etcd-server', isOnPath('etcd')],
  ['HAProxy', 'haproxy', isOnPath('haproxy')],
];

/** What whoever needs it can get in yet another way, as root, once npm's packages are there. @type {Program[]} */
const NEEDED_LATER = [
  [PRODUCT, 'pgbouncer', () => findPgBouncer() !== undefined],
  ['Chromium, on the PATH or named by APOTHECA_CHROMIUM', CHROMIUM_PACKAGES[1], () => findChromium() !== undefined],
];

const missing = (programs) => programs.filter(([, , isThere]) => !isThere());
const packages = missing(NEEDED).map(([, name]) => name);
if (!findChromium()) packages.push(CHROMIUM_PACKAGES[0]);
if (packages.length > 0) installPackages(packages);
// All of them, so that nobody learns of the next one only once this one is there.
for (const [product, name] of missing(canUnpack() ? NEEDED : [...NEEDED, ...NEEDED_LATER])) {
  console.error(`The tests need ${product}: install the package ${name}.`);
  process.exitCode = 1;
}
