// Makes sure that there are pg_dump and pg_restore, which the tests of backups need, and the server that those of fail-overs need; installs
// Debian's packages as root. The client programs of the newest PostgreSQL, which Debian 12 does not have, are unpacked beside.
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
  if (isFound(PROGRAMS, folders())) return;
  installPackage('postgresql-client', 'the PostgreSQL client programs');
  if (!isFound(PROGRAMS, folders())) {
    fail(
      'The tests need pg_dump and pg_restore: install the package postgresql-client, or set PG_BIN_DIR to their folder.',
    );
  }
}

/** Looks in Debian's folders, where Patroni is told to find it; as root it installs Debian's package. */
export function ensurePostgresServer() {
  if (isFound(['postgres'], debianFolders())) return;
  installPackage('postgresql', 'PostgreSQL');
  if (!isFound(['postgres'], debianFolders()))
    fail('The tests need a PostgreSQL of Debian: install the package postgresql.');
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

/** @param programs that must stand in one folder @param folders to look in */
const isFound = (programs, folders) =>
  folders.some((folder) => programs.every((name) => isExecutable(join(folder, name))));

const folders = () =>
  process.env.PG_BIN_DIR
    ? [process.env.PG_BIN_DIR]
    : [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...debianFolders()];

const debianFolders = () =>
  (existsSync(DEBIAN) ? readdirSync(DEBIAN) : []).map((version) => join(DEBIAN, version, 'bin'));

const isNewest = (program) =>
  new RegExp(` ${NEWEST}(\\.|\\D)`).test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '');
