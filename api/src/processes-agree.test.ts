import { authRoutes } from '@apotheca/contract/auth';
import { backupRoutes } from '@apotheca/contract/backups';
import { operationRoutes } from '@apotheca/contract/operations';
import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { type User, userRoutes } from '@apotheca/contract/users';
import { describe, expect, it } from 'vitest';
import { withDatabaseName } from './db/connections/connection-string.ts';
import { editedUser, tenantInput, userInput } from './testing/builders.ts';
import { withClient } from './testing/databases.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { callServer, signInToServer } from './testing/server-process.ts';
import { withServers } from './testing/servers.ts';

interface Pair {
  /** Answers callers only, so that the other one runs all operations. */
  web: string;
  other: string;
  /** The administrator's. */
  token: string;
  databaseUrl: string;
}

/** Makes a call whose headers count, in what is sent or in the answer. */
async function callWithHeaders(url: string, route: ContractRoute, headers: Record<string, string>, body?: unknown) {
  const response = await fetch(url + BASE_PATHS[route.base] + route.path, {
    method: route.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, etag: String(response.headers.get('etag')), text: await response.text() };
}

async function expectSharedLists({ web, other, token }: Pair): Promise<void> {
  const authorization = `Bearer ${token}`;
  const first = await callWithHeaders(web, tenantRoutes.list, { authorization });
  const again = (url: string) =>
    callWithHeaders(url, tenantRoutes.list, { authorization, 'if-none-match': first.etag });
  expect([(await again(web)).status, (await again(other)).status]).toEqual([304, 304]);
  expect(await callServer(other, tenantRoutes.create, { token, body: tenantInput('LISTED') })).toMatchObject({
    status: 200,
  });
  const changed = await again(web);
  expect([changed.status, changed.text.includes('LISTED')]).toEqual([200, true]);
  // Sizes may be measured between two answers: then they are asked again.
  const etags = async () => {
    const [before, beside, after] = [await again(web), await again(other), await again(web)];
    return before.etag === after.etag && { web: after.etag, other: beside.etag };
  };
  let found = await etags();
  while (!found) found = await etags();
  expect(found.other).toBe(found.web);
}

/** How often one process writes before another one reads. */
const ROUNDS = IS_LONG_RUN ? 1_000 : 30;
const WRITERS = IS_LONG_RUN ? 20 : 4;

/** A reader of the users who keeps what it was sent, as browsers do. */
function makeReader({ web, token }: Pair): () => Promise<User[]> {
  let users: User[] = [];
  let etag = '';
  return async () => {
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': etag };
    const answer = await callWithHeaders(web, userRoutes.list, headers);
    if (answer.status === 304) return users;
    expect(answer.status).toBe(200);
    etag = answer.etag;
    users = JSON.parse(answer.text).result;
    return users;
  };
}

/** A list of one process is as the last write of the other one has left it: after each write, and while many write and read at once. */
async function expectNothingStale(pair: Pair, { id: roleId }: Role): Promise<void> {
  const { web, other, token } = pair;
  const names = Array.from({ length: WRITERS }, (_, writer) => `writer${writer}`);
  for (const name of names) {
    const body = userInput(name, roleId, { title: '0' });
    expect(await callServer(web, userRoutes.create, { token, body })).toMatchObject({ status: 200 });
  }
  const read = makeReader(pair);
  const ids = new Map((await read()).map(({ userName, id }) => [userName, id]));
  const roundOf = (users: User[], name: string) => Number(users.find(({ userName }) => userName === name)?.title);
  const write = async (name: string, round: number) => {
    const body = { ...editedUser(name, roleId), id: ids.get(name), title: String(round) };
    expect(await callServer(other, userRoutes.edit, { token, body })).toMatchObject({ status: 200 });
  };
  const [first = ''] = names;
  for (let round = 1; round <= ROUNDS; round += 1) {
    await write(first, round);
    expect(roundOf(await read(), first)).toBe(round);
  }
  const written = new Map(names.map((name) => [name, name === first ? ROUNDS : 0]));
  let isWriting = true;
  const readers = names.map(async () => {
    const readOwn = makeReader(pair);
    while (isWriting) {
      const least = [...written];
      const users = await readOwn();
      for (const [name, round] of least) expect(roundOf(users, name)).toBeGreaterThanOrEqual(round);
    }
  });
  const writers = names.map(async (name) => {
    const from = written.get(name) ?? 0;
    for (let round = from + 1; round <= from + 25; round += 1) {
      await write(name, round);
      written.set(name, round);
    }
  });
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(readers);
}

async function expectOneEdit({ web, other, token }: Pair): Promise<void> {
  const tenants: Tenant[] = (await callServer(web, tenantRoutes.list, { token })).result;
  const { id, version } = tenants.find(({ code }) => code === 'LISTED') ?? {};
  const edit = (url: string, city: string) =>
    callServer(url, tenantRoutes.edit, { token, body: { ...tenantInput('LISTED'), id, version, city } });
  const answers = await Promise.all([edit(web, 'Aspen'), edit(other, 'Seattle')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
}

async function expectOneCreation({ web, other, token }: Pair, role: Role): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
  const body = userInput('keyed', role.id);
  const first = await callWithHeaders(web, userRoutes.create, headers, body);
  const repeated = await callWithHeaders(other, userRoutes.create, headers, body);
  expect([first.status, repeated]).toEqual([200, expect.objectContaining({ status: 200, text: first.text })]);
}

/** Guesses at both processes add up, and the delay of one holds for the other, whose right password comes too late. */
async function expectSharedLockOut({ web, other, databaseUrl }: Pair): Promise<void> {
  const guess = async (url: string, password: string) =>
    (await callServer(url, authRoutes.authenticate, { body: { username: 'locked', password } })).status;
  const wrong = [await guess(web, 'wrong horse'), await guess(other, 'wrong horse'), await guess(web, 'wrong horse')];
  expect(wrong).toEqual([401, 401, 401]);
  // So many that the delay is 15 minutes: the first one, of a second, may be over on a busy machine.
  const counted = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `with before as (select subject, attempts from sign_in_attempts where starts_with(subject collate "C", 'account:'))
       update sign_in_attempts a set attempts = 10000 from before
       where a.subject = before.subject and before.attempts = $1 returning a.subject`,
      [wrong.length],
    );
    return rows.length;
  });
  expect(counted).toBe(1);
  expect(await guess(web, 'wrong horse')).toBe(401);
  expect([await guess(web, 'correct horse'), await guess(other, 'correct horse')]).toEqual([429, 429]);
}

async function expectSharedRights({ web, other, token }: Pair, role: Role): Promise<void> {
  const body = { username: 'reader', password: 'correct horse' };
  const { accessToken, refreshToken } = (await callServer(web, authRoutes.authenticate, { body })).result;
  const statuses = async () => {
    const answers = [web, other].map((url) => callServer(url, tenantRoutes.list, { token: accessToken }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  const allow = (url: string, permissionIds: string[]) =>
    callServer(url, roleRoutes.editPermissions, { token, body: { roleId: role.id, permissionIds } });
  expect(await statuses()).toEqual([200, 200]);
  expect(await allow(other, [])).toMatchObject({ status: 200 });
  expect(await statuses()).toEqual([403, 403]);
  expect(await allow(web, role.permissionIds)).toMatchObject({ status: 200 });
  expect(await statuses()).toEqual([200, 200]);
  expect(await callServer(other, authRoutes.logout, { body: { refreshToken } })).toMatchObject({ status: 200 });
  expect(await statuses()).toEqual([401, 401]);
}

/** A backup that waits for a locked table in one process stops there when the other is told to cancel it. */
async function expectSharedCancelling({ web, other, token, databaseUrl }: Pair): Promise<void> {
  const query = { databaseName: 'LISTED' };
  const state = async (id: string) =>
    (await callServer(other, operationRoutes.get, { token, query: { id } })).result.state;
  const physicalName = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query('select physical_name from databases where name = $1', [query.databaseName]);
    return String(rows[0]?.physical_name);
  });
  await withClient(withDatabaseName(databaseUrl, physicalName), async (client) => {
    await client.query('begin; lock table public.trlogs in access exclusive mode');
    const { result } = await callServer(web, backupRoutes.create, { token, query, respondAsync: true });
    const id = String(result.operationId);
    await expect.poll(() => state(id)).toBe('running');
    expect(await callServer(web, operationRoutes.cancel, { token, query: { id } })).toMatchObject({ status: 200 });
    await expect.poll(() => state(id)).toBe('cancelled');
    await client.query('rollback');
  });
}

describe('two server processes on one database', () => {
  it('agree at once on lists, versions, repeated calls, lock-outs, permissions, sessions and cancelled operations [DECISIONS §13]', async () => {
    await withServers(1, { APOTHECA_ROLE: 'web' }, async (servers, start, { databaseUrl }) => {
      servers.push(await start('0', { APOTHECA_ROLE: 'all' }));
      const [web = '', other = ''] = servers.map(({ url }) => url);
      const pair = { web, other, token: await signInToServer(web), databaseUrl };
      const roles: Role[] = (await callServer(web, roleRoutes.list, { token: pair.token })).result;
      const viewer = roles.find(({ roleName }) => roleName === 'Viewer');
      if (!viewer) throw new Error('There is no Viewer.');
      for (const name of ['reader', 'locked'])
        await callServer(web, userRoutes.create, { token: pair.token, body: userInput(name, viewer.id) });

      await expectSharedLists(pair);
      await expectNothingStale(pair, viewer);
      await expectOneEdit(pair);
      await expectOneCreation(pair, viewer);
      await expectSharedRights(pair, viewer);
      await expectSharedCancelling(pair);
      await expectSharedLockOut(pair);
    });
  });
});
