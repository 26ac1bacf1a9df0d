import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it } from 'vitest';
import { HOME_SERVER } from '../db/clusters.ts';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { ofKind, render } from '../testing/kubernetes.ts';
import { makeHomeAs } from '../testing/plain-administrator.ts';
import { useSecondServer } from '../testing/second-server.ts';

/** The version that the chart asks for; its programs are there for Linux on x64 only. */
const VERSION = 18;

const OWNER = { userName: 'apotheca', password: 'owner' };

describe.runIf(process.platform === 'linux' && process.arch === 'x64')("the chart's database", () => {
  const server = useSecondServer(VERSION);
  const asSuperuser = (statement: string, database = 'postgres') =>
    withClient(withDatabaseName(server.url, database), async (client) => (await client.query(statement)).rows);

  const test = useTestApp({}, async () => {
    const [cluster] = ofKind(render(), 'Cluster');
    expect(cluster?.spec.imageName).toMatch(new RegExp(`:${VERSION}$`));
    const { owner, database, postInitApplicationSQL } = cluster?.spec.bootstrap.initdb ?? {};
    // As initdb leaves it; the tests' own servers are closed.
    await asSuperuser('grant connect, temporary on database postgres, template1 to public');
    // In CloudNativePG's order (ConfigureNewInstance in its pkg/management/postgres/initdb.go), and as its superuser.
    await asSuperuser(`create role ${owner} login`);
    await asSuperuser(`create database ${database} owner ${owner}`);
    for (const statement of postInitApplicationSQL) await asSuperuser(statement, database);
    // Later: that of the Secret.
    await asSuperuser(`alter role ${owner} password '${OWNER.password}'`);
    return makeHomeAs(server, OWNER, database);
  });

  const rotate = (id: string) =>
    test.call(credentialRoutes.rotate, { body: { id, access: 'write', overlapMinutes: 0 } });

  it('lets its owner do what Apotheca needs, and keep it [DECISIONS §13]', async () => {
    const { result: tenant } = await test.call(tenantRoutes.create, { body: tenantInput('CHARTED') });
    expect(await rotate(tenant.id)).toMatchObject({ status: 200 });
    const { result: checked } = await test.call(databaseServerRoutes.check, { body: { id: HOME_SERVER } });
    expect(checked.points).toEqual(
      expect.arrayContaining([expect.objectContaining({ point: 'rights', passed: true })]),
    );
    const [cluster] = ofKind(render(), 'Cluster');
    expect(cluster?.spec.managed?.roles ?? []).toEqual([]);
  });

  it('could not be used where the operator took its owner out of roles that it is not told of, until they are granted again [DECISIONS §13]', async () => {
    const { result: tenant } = await test.call(tenantRoutes.create, { body: tenantInput('MANAGED') });
    const owned = await asSuperuser(`
      select roleid::regrole::text as role from pg_auth_members
      where member = '${OWNER.userName}'::regrole and roleid <> 'pg_signal_backend'::regrole`);
    for (const { role } of owned) await asSuperuser(`revoke ${role} from ${OWNER.userName} cascade`);
    expect(await rotate(tenant.id)).toMatchObject({
      status: 409,
      message: expect.stringMatching(/^PostgreSQL does not allow this: /),
    });
    // As docs/operations.md says.
    for (const { role } of owned) await asSuperuser(`grant ${role} to ${OWNER.userName} with admin option`);
    expect(await rotate(tenant.id)).toMatchObject({ status: 200 });
  });
});
