// Looks for pg_dump and pg_restore, which the tests of backups need, and for the server that those of fail-overs need. The client programs of
// the newest PostgreSQL, which Debian 12 does not have, are unpacked from Debian's packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canUnpack, isExecutable, unpackPackages } from './packages.mjs';
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

/** Whether there are pg_dump and pg_restore in PG_BIN_DIR, on the PATH or in Debian's folders. */
export const hasClientPrograms = () => isFound(PROGRAMS, folders());

/** Whether there is a server in Debian's folders, where Patroni is told to find it. */
export const hasServer = () => isFound(['postgres'], debianFolders());

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
