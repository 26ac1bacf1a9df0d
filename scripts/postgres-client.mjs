// Makes sure that there are pg_dump and pg_restore, which the tests of backups need; installs Debian's package as root. Those of the newest
// PostgreSQL, which Debian 12 does not have, are unpacked beside.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canUnpack, installPackage, isExecutable, unpackPackages } from './packages.mjs';
import { fail, root } from './setup.mjs';

const DEBIAN = '/usr/lib/postgresql';
/** The newest version that the tests run on. */
const NEWEST = 18;
const PROGRAMS = ['pg_dump', 'pg_restore'];
const OWN = join(root, `node_modules/.cache/postgresql-client-${NEWEST}`);
/** The package, and what its programs load. */
const PACKAGES = [
  ...[`postgresql-client-${NEWEST}`, 'libpq5', 'libc6', 'libssl3t64', 'zlib1g', 'liblz4-1', 'libzstd1', 'libxxhash0'],
  ...['libgssapi-krb5-2', 'libkrb5-3', 'libk5crypto3', 'libkrb5support0', 'libcom-err2', 'libkeyutils1', 'libldap2'],
  'libsasl2-2',
];

/** Looks in PG_BIN_DIR, on the PATH and in Debian's folders; as root it installs Debian's package. */
export function ensurePostgresClient() {
  if (isFound()) return;
  installPackage('postgresql-client', 'the PostgreSQL client programs');
  if (!isFound()) {
    fail(
      'The tests need pg_dump and pg_restore: install the package postgresql-client, or set PG_BIN_DIR to their folder.',
    );
  }
}

const isFound = () => folders().some((folder) => PROGRAMS.every((name) => isExecutable(join(folder, name))));

function folders() {
  if (process.env.PG_BIN_DIR) return [process.env.PG_BIN_DIR];
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
}

/** The folder of the newest PostgreSQL's programs: that of Debian, if there is one, else one of its own. */
export function ensureNewestPostgresClient() {
  const places = [join(DEBIAN, String(NEWEST), 'bin'), OWN];
  const find = () => places.find((folder) => PROGRAMS.every((name) => isNewest(join(folder, name))));
  if (!find() && canUnpack()) {
    console.log(`Unpacking the client programs of PostgreSQL ${NEWEST} …`);
    const packed = PROGRAMS.map((name) => [name, `usr/lib/postgresql/${NEWEST}/bin/${name}`]);
    unpackPackages(OWN, 'forky', PACKAGES, Object.fromEntries(packed));
  }
  return (
    find() ?? fail(`These tests need the client programs of PostgreSQL ${NEWEST}: install postgresql-client-${NEWEST}.`)
  );
}

const isNewest = (program) =>
  new RegExp(` ${NEWEST}(\\.|\\D)`).test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '');
