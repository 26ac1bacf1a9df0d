import { withDatabaseName } from '../db/connections/connection-string.ts';
import { ensureDatabase, ensureTenantTemplate } from '../db/migrate.ts';
import { migrateQueue } from '../db/operation-queue.ts';
import { openPlatform } from '../db/platform.ts';
import { migratePlatform } from '../db/platform-migrations.ts';
import { seedPlatform } from '../seed.ts';
import { ADMINISTRATOR } from './administrator.ts';
import type { TestHome } from './app.ts';
import { withClient } from './databases.ts';
import type { SecondServer } from './second-server.ts';

/** An administrator who is no superuser, with no more rights than README.md says. */
export const PLAIN = { userName: 'plain_admin', password: 'plain' };

/** Makes that role, and as it what {@link makeHomeAs} makes. */
export async function makePlainHome(server: Pick<SecondServer, 'url'>): Promise<TestHome> {
  await makePlainRole(server);
  return makeHomeAs(server, PLAIN, 'plain');
}

/** @returns what its DATABASE_URL is, of a control database that is not there yet */
export async function makePlainRole(server: Pick<SecondServer, 'url'>): Promise<string> {
  await withClient(server.url, (client) =>
    client.query(`
      create role ${PLAIN.userName} login password '${PLAIN.password}' createdb createrole;
      grant pg_signal_backend to ${PLAIN.userName};
      grant connect on database postgres to ${PLAIN.userName}`),
  );
  return urlAs(server, PLAIN, 'plain');
}

function urlAs({ url }: Pick<SecondServer, 'url'>, { userName, password }: typeof PLAIN, databaseName: string): string {
  const address = new URL(withDatabaseName(url, databaseName));
  return Object.assign(address, { username: userName, password }).href;
}

/** Makes a control database, where it is not there, and a template, as a role's first start does. */
export async function makeHomeAs(
  server: Pick<SecondServer, 'url'>,
  role: typeof PLAIN,
  databaseName: string,
): Promise<TestHome> {
  const url = urlAs(server, role, databaseName);
  await ensureDatabase(url);
  await migratePlatform(url);
  await migrateQueue(url);
  const template = await ensureTenantTemplate(url);
  const { platform } = openPlatform({ url, maxConnections: 1 });
  await seedPlatform(platform, { ...ADMINISTRATOR, password: () => ADMINISTRATOR.password });
  await platform.destroy();
  // It goes with its server.
  return { database: { url, drop: async () => {} }, template };
}
