import { purgeRoutes } from '@apotheca/contract/purges';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { holdAt, installStops } from '../testing/operation-stops.ts';
import { operationsEnded } from '../testing/operations.ts';
import { makePlainHome, PLAIN } from '../testing/plain-administrator.ts';
import { useSecondServer } from '../testing/second-server.ts';

const server = useSecondServer();
const test = useTestApp({}, () => makePlainHome(server));

const asSuperuser = async (statement: string) =>
  (await withClient(withDatabaseName(server.url, 'plain'), (client) => client.query(statement))).rows;
const setPassword = (password: string) => asSuperuser(`alter role ${PLAIN.userName} password '${password}'`);
/** The session that is held has the lock of its operation. */
const endOtherSessions = () =>
  asSuperuser(`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where usename = '${PLAIN.userName}' and pid not in (select pid from pg_locks where locktype = 'advisory')`);
const held = () =>
  asSuperuser(`
    select pid from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and usename = '${PLAIN.userName}'`);
const asked = async () => (await test.call(tenantRoutes.list)).status;

it('a home server that refuses the login is away: calls are a 503, and an operation waits until it is admitted again [§8]', async () => {
  expect(await test.call(tenantRoutes.create, { body: tenantInput('REFUSED') })).toMatchObject({ status: 200 });
  await installStops(test.databaseUrl);
  const purge = { query: { databaseName: 'REFUSED' }, body: ['locations'], headers: { prefer: 'respond-async' } };
  await holdAt(
    withDatabaseName(server.url, 'plain'),
    { kind: 'purge', point: 'running' },
    () => test.call(purgeRoutes.purge, purge),
    async () => {
      await setPassword('changed');
      await endOtherSessions();
      expect([await asked(), await asked(), await asked()]).toEqual([503, 503, 503]);
    },
  );
  // It goes on over the session that it has, and cannot get another one.
  await expect.poll(held).toEqual([]);
  await setPassword(PLAIN.password);
  await operationsEnded(test.databaseUrl);
  expect(await test.context.platform.selectFrom('operations').select(['kind', 'state']).execute()).toEqual([
    { kind: 'purge', state: 'succeeded' },
  ]);
  const message = expect.stringContaining('password authentication failed');
  expect(test.background).toContainEqual(expect.objectContaining({ message }));
});
