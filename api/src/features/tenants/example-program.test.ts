import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { serviceAccountRoutes } from '@apotheca/contract/service-accounts';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Apotheca } from '../../../../examples/reorder-levels/apotheca.ts';
import { TenantDatabase } from '../../../../examples/reorder-levels/tenant-database.ts';
import { insertSampleRows } from '../../demo/sample-rows.ts';
import { roleIdOf } from '../../testing/accounts.ts';
import { useApiKeys } from '../../testing/api-keys.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { withClient } from '../../testing/databases.ts';
import { menuInput, permissionInput } from '../../testing/permissions.ts';
import { usePresent } from '../../testing/present.ts';
import { openTcpProxy } from '../../testing/tcp-proxy.ts';
import { queryTenant } from '../../testing/tenant-query.ts';

/** The program in examples/reorder-levels, in a process of its own, against a real server. */
const SERVER = fileURLToPath(new URL('../../../../examples/reorder-levels/server.ts', import.meta.url));
const SCOPES = ['tenants.read', 'databases.connect', 'menus.read', 'permissions.read'];
const CHANGE = 'reorderLevels.change';

const test = useTestApp();
const { call, token } = usePresent(test);
const keys = useApiKeys(test);

let apothecaUrl = '';
let url = '';
let tenantId = '';
let program: ChildProcess | undefined;

beforeAll(async () => {
  apothecaUrl = await test.app.listen({ port: 0, host: '127.0.0.1' });
  tenantId = (await call(tenantRoutes.create, { body: tenantInput('SHELF') })).id;
  const write = await call(credentialRoutes.reveal, { query: { id: tenantId, access: 'write' } });
  await withClient(write.connectionString, (client) => insertSampleRows(client, { patients: 2, seed: 3 }));
  const account = { userName: 'reorder-levels', roleId: await roleIdOf(test, 'Administrator') };
  const { id: userId } = await call(serviceAccountRoutes.create, { body: account });
  const { key } = await keys.issued(token(), { userId, scopes: SCOPES });
  url = await start(key);
});
afterAll(() => stop(program));

/** Starts the program. @returns the address that it prints */
async function start(key: string): Promise<string> {
  program = spawn(process.execPath, [SERVER], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      APOTHECA_URL: apothecaUrl,
      APOTHECA_API_KEY: key,
      TENANT_CODE: 'SHELF',
      ROLE_NAME: 'Operator',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(program.stdout as NodeJS.ReadableStream, 'data');
  return String(line).trim();
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function get(): Promise<{ status: number; html: string }> {
  const response = await fetch(url);
  return { status: response.status, html: await response.text() };
}

/** Sends the form of a row. */
async function save(id: string, minimum: string, headers: Record<string, string> = {}): Promise<number> {
  const body = new URLSearchParams({ id, minimum });
  return (await fetch(url, { method: 'POST', body, headers, redirect: 'manual' })).status;
}

const setPermission = (isActive: boolean) =>
  call(tenantPermissionRoutes.set, { query: { tenantId, identifier: CHANGE, isActive: String(isActive) } });
const firstLevel = async () =>
  (
    await queryTenant(
      test,
      'SHELF',
      'select id::text, minimum_quantity::float from inventory_reorder_levels order by id',
    )
  )[0];

it('its login is followed to another host, as after a fail-over [DECISIONS §13]', async () => {
  const { connectionString, ...login } = await call(credentialRoutes.reveal, {
    query: { id: tenantId, access: 'write' },
  });
  const [former, next] = [await openTcpProxy(connectionString), await openTcpProxy(connectionString)];
  let now = former;
  const lookUp = async () => ({
    ...login,
    port: Number(new URL(now.url).port),
    availability: 'open',
    passwordReference: 'the same',
  });
  const database = new TenantDatabase({ get: lookUp } as unknown as Apotheca, 'SHELF');
  const ask = () => database.query('select 1 as one').catch(() => []);
  expect(await ask()).toEqual([{ one: 1 }]);
  await former.close();
  now = next;
  await expect.poll(ask).toEqual([{ one: 1 }]);
  await database.close();
  await next.close();
});

describe('the example of a program of a tenant', () => {
  it('connects by the look-up and shows the rows of its tenant, but no menu and no field yet [DECISIONS §13]', async () => {
    const { status, html } = await get();
    expect(status).toBe(200);
    const [row] = await queryTenant(
      test,
      'SHELF',
      'select p.name from inventory_reorder_levels r join products p on p.id = r.product_id limit 1',
    );
    expect(html).toContain(row.name);
    expect(html).not.toContain('<form');
    expect(html).not.toContain('Stock room');
    expect(await save('1', '5')).toBe(403);
  });

  it('shows the menus of its role that the tenant has, and changes what a synced permission allows [DECISIONS §13]', async () => {
    const roleIds = [await roleIdOf(test, 'Operator')];
    const menu = { route: '/reorder-levels', identifier: 'reorderLevels', roleIds };
    await call(permissionRoutes.create, { body: menuInput('Stock room', menu) });
    await call(permissionRoutes.create, { body: permissionInput('Change <levels>', { identifier: CHANGE, roleIds }) });
    // The role has the menu, the tenant has it after the sync.
    expect((await get()).html).not.toContain('Stock room');
    await call(permissionRoutes.sync, { query: { tenantId } });
    const { html } = await get();
    expect(html).toContain('<a href="/reorder-levels">Stock room</a>');
    expect(html).toContain('<form');

    const { id } = await firstLevel();
    expect(await save(id, '99999999.999')).toBe(303);
    expect(await save(id, '17.5')).toBe(303);
    expect(await firstLevel()).toEqual({ id, minimum_quantity: 17.5 });
    expect(await save(id, '-1')).toBe(400);
    expect(await save(id, '999999999')).toBe(400);
    expect(await save('0', '1')).toBe(404);
    expect(await save(id, '1', { 'sec-fetch-site': 'cross-site' })).toBe(403);

    await setPermission(false);
    expect((await get()).html).not.toContain('<form');
    expect(await save(id, '3')).toBe(403);
    await setPermission(true);
    expect(await firstLevel()).toEqual({ id, minimum_quantity: 17.5 });
  });

  it('goes on when its login is replaced without an overlap [DECISIONS §13]', async () => {
    for (let round = 0; round < 3; round += 1) {
      await call(credentialRoutes.rotate, { body: { id: tenantId, access: 'write', overlapMinutes: 0 } });
      // A connection may be ended under a statement; the next one has the new login.
      await expect.poll(async () => (await get()).status).toBe(200);
      expect((await get()).status).toBe(200);
    }
  });

  it('says that a tenant is suspended, and works again when it is activated [DECISIONS §13]', async () => {
    await call(tenantRoutes.deactivate, { query: { id: tenantId } });
    await expect.poll(get).toMatchObject({ status: 403, html: expect.stringContaining('This clinic is suspended') });
    await call(tenantRoutes.activate, { query: { id: tenantId } });
    await expect.poll(get).toMatchObject({ status: 200, html: expect.stringContaining('<form') });
  });

  it('goes on with what it knows while Apotheca is away [DECISIONS §13]', async () => {
    await expect.poll(async () => (await get()).status).toBe(200);
    await test.app.close();
    expect((await get()).status).toBe(200);
    expect(await save((await firstLevel()).id, '9')).toBe(303);
  });

  it('ends with the name of a setting that is missing', async () => {
    const child = spawn(process.execPath, [SERVER], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [chunk] = await once(child.stderr, 'data');
    expect(String(chunk)).toBe('APOTHECA_URL is missing: see README.md\n');
  });
});
