// Makes sure that there are pg_dump and pg_restore, which the tests of backups need, and the server that those of fail-overs need; installs
// Debian's packages as root.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail } from './setup.mjs';

const DEBIAN = '/usr/lib/postgresql';

/** Looks in PG_BIN_DIR, on the PATH and in Debian's folders; as root it installs Debian's package. */
export function ensurePostgresClient() {
  const programs = ['pg_dump', 'pg_restore'];
  if (isFound(programs, folders())) return;
  installPackage('postgresql-client', 'the PostgreSQL client programs');
  if (!isFound(programs, folders())) {
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

/** @param programs that must stand in one folder @param folders to look in */
const isFound = (programs, folders) =>
  folders.some((folder) => programs.every((name) => isExecutable(join(folder, name))));

const folders = () =>
  process.env.PG_BIN_DIR
    ? [process.env.PG_BIN_DIR]
    : [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), ...debianFolders()];

const debianFolders = () =>
  (existsSync(DEBIAN) ? readdirSync(DEBIAN) : []).map((version) => join(DEBIAN, version, 'bin'));
