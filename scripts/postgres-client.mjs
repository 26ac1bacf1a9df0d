// Makes sure that there are pg_dump and pg_restore, which the tests of backups need; installs Debian's package as root.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackage, isExecutable } from './packages.mjs';
import { fail } from './setup.mjs';

const DEBIAN = '/usr/lib/postgresql';

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

const isFound = () =>
  folders().some((folder) => ['pg_dump', 'pg_restore'].every((name) => isExecutable(join(folder, name))));

function folders() {
  if (process.env.PG_BIN_DIR) return [process.env.PG_BIN_DIR];
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  return [
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
  ];
}
