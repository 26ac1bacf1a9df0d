import { sql } from 'kysely';
import { afterAll, expect, inject, it } from 'vitest';
import { openConnections } from './connections.ts';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { openPostgresMonitor } from './db/connections/postgres-monitor.ts';
import { isDatabaseAway } from './db/errors/postgres-errors.ts';
import { refusalOf } from './db/errors/postgres-refusals.ts';
import { deriveKeys } from './secrets.ts';
import { TEST_SECRET } from './testing/app.ts';
import { createEmptyDatabase, type TestDatabase, withClient } from './testing/databases.ts';

const made: TestDatabase[] = [];
afterAll(() => Promise.all(made.map(({ drop }) => drop())));

const onServer = (statement: string) =>
  withClient(withDatabaseName(inject('postgresUrl'), 'postgres'), (client) => client.query(statement));
async function makeDatabase() {
  const database = await createEmptyDatabase();
  made.push(database);
  return { ...database, name: new URL(database.url).pathname.slice(1) };
}

async function closed(): Promise<string> {
  const { url, name } = await makeDatabase();
  await onServer(`alter database ${name} with allow_connections false`);
  return url;
}

async function notConnectable(): Promise<string> {
  const { url, name } = await makeDatabase();
  await onServer(`revoke connect on database ${name} from public; create role ${name} login password 'x'`);
  return Object.assign(new URL(url), { username: name, password: 'x' }).href;
}

it.each([
  ['is gone', '3D000', async () => withDatabaseName(inject('postgresUrl'), 'gone')],
  ['takes no connections', '55000', closed],
  ['may not be connected to', '42501', notConnectable],
  [
    'refuses the login',
    '28P01',
    async () => Object.assign(new URL(inject('postgresUrl')), { password: 'another' }).href,
  ],
])('a control database that %s is away, for calls and for operations [§8]', async (_, code, find) => {
  const url = await find();
  const monitor = openPostgresMonitor(url);
  const options = { keys: deriveKeys(TEST_SECRET), tenantTemplate: '', onError: () => {} };
  const { pool, platform, utility, clusters } = openConnections(url, 20, monitor, options);
  const asked = [pool.query('select'), sql`select`.execute(platform), sql`select`.execute(utility)];
  for (const answer of await Promise.allSettled(asked)) {
    const { reason } = answer as PromiseRejectedResult;
    expect(reason.cause ?? reason).toMatchObject({ code });
    expect(isDatabaseAway(reason)).toBe(true);
    expect(refusalOf(reason)).toMatchObject({ code: 'database-away' });
  }
  await clusters.close();
  await Promise.all([platform.destroy(), utility.destroy(), monitor.close()]);
  if (code === '42501') await onServer(`drop role ${new URL(url).username}`);
});
