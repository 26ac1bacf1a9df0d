// Makes sure that pg_dump and pg_restore are there, which the tests of backups need, and installs Debian's where it may.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fail } from './setup.mjs';

const DEBIAN = '/usr/lib/postgresql';

/** Looks in PG_BIN_DIR, on the PATH and in Debian's folders; as root it installs Debian's package. */
export function ensurePostgresClient() {
  if (isFound()) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing the PostgreSQL client programs …');
    const apt = (...args) =>
      spawnSync('apt-get', ['-qq', '-y', ...args], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update');
    apt('install', '--no-install-recommends', 'postgresql-client');
  }
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

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
