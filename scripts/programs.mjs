// `node scripts/programs.mjs`: makes sure that there are the programs which tests need; as root it installs Debian's packages. A process of its
// own, as `npm test` runs it beside `npm ci` and its first checks: neither needs what the other installs.
import { delimiter, join } from 'node:path';
import { CHROMIUM_PACKAGES, findChromium } from './chromium.mjs';
import { installPackages, isExecutable } from './packages.mjs';
import { hasClientPrograms, hasServer } from './postgres.mjs';
import { fail } from './setup.mjs';

const isOnPath = (name) => () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter(Boolean)
    .some((folder) => isExecutable(join(folder, name)));

/** @type {[product: string, package: string, isThere: () => boolean][]} */
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

const missing = () => NEEDED.filter(([, , isThere]) => !isThere());
const packages = missing().map(([, name]) => name);
// Whoever runs the browser tests asks for it once more, and tries its other package then.
if (!findChromium()) packages.push(CHROMIUM_PACKAGES[0]);
if (packages.length > 0) installPackages(packages);
for (const [product, name] of missing()) fail(`The tests need ${product}: install the package ${name}.`);
