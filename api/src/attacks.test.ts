import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { isEnded, type Operation, operationRoutes } from '@apotheca/contract/operations';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrateTenantDatabase } from './db/migrate.ts';
import { insertSampleRows } from './demo/sample-rows.ts';
import type { Answer } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { createEmptyDatabase, createPlatformDatabase, type TestDatabase, withClient } from './testing/databases.ts';
import { askWithoutReading } from './testing/deaf-readers.ts';
import { dumpToPipe, isRowsOf, withRows, withSql, withTexts } from './testing/hostile-archives.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { patiently } from './testing/patiently.ts';
import { callServer, type ServerProcess, signInToServer, startServer } from './testing/server-process.ts';
import { type ServerWatch, watchServer } from './testing/server-watch.ts';

const MEBIBYTE = 1024 * 1024;
const ROUNDS = Array.from({ length: IS_LONG_RUN ? 10 : 1 }, (_, index) => index + 1);
/** The database of the tenant who attacks; the other tenants go on working. */
const HOSTILE = 'HOSTILE';
const PEACEFUL = 'PEACEFUL';
const CONNECTIONS = 20;
/** How many rows have a picture, and of how many letters. */
const PICTURES = 40;
const PICTURE = 2_000_000;
/** Only finds what hangs: the archives are made first, one of them of hundreds of thousands of rows. */
const START_LIMIT = 900_000;

let database: TestDatabase;
let dataDir: string;
let server: ServerProcess;
let watch: ServerWatch;
let token: string;
/** Connection string of the hostile tenant's own role. */
let hostileUrl: string;
let archive: Buffer;
/** The same archive with many more schema versions than there can be. */
let oftenUpgraded: Buffer;

beforeAll(async () => {
  database = await createPlatformDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'apotheca-attacks-'));
  server = await startServer({
    DATABASE_URL: database.url,
    APOTHECA_DATA_DIR: dataDir,
    APOTHECA_ADOPTION_HOSTS: '127.0.0.1',
  });
  token = await signInToServer(server.url);
  for (const code of [HOSTILE, PEACEFUL]) {
    const created = await patiently(() => call(tenantRoutes.create, { body: tenantInput(code) }));
    expect(created).toMatchObject({ status: 200 });
  }
  hostileUrl = await takeOver(HOSTILE);
  const source = await createEmptyDatabase();
  await migrateTenantDatabase(source.url);
  await withClient(source.url, (client) => insertSampleRows(client, { patients: 3, seed: 2 }));
  archive = await dumpToPipe(source.url);
  const versions = "select n, '' from generate_series(10000, 800000) n";
  await withClient(source.url, (client) =>
    client.query(`insert into apotheca.schema_version (version, name) ${versions}`),
  );
  oftenUpgraded = await dumpToPipe(source.url);
  await source.drop();
  watch = await watchServer(server);
}, START_LIMIT);
afterAll(async () => {
  watch.leave();
  await server.kill();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const call = (route: ContractRoute, options: { query?: Record<string, string>; body?: unknown } = {}) =>
  callServer(server.url, route, { token, ...options });

const details = (databaseName: string) => call(databaseRoutes.details, { query: { databaseName } });
const restore = (id: string, databaseName: string) => call(backupRoutes.restore, { query: { id, databaseName } });
const operations = async (): Promise<Operation[]> => (await patiently(() => call(operationRoutes.list))).result;

/** Shows that other tenants can go on working during an attack. */
async function workElsewhere(): Promise<void> {
  for (let round = 0; round < 10; round += 1) expect(await details(PEACEFUL)).toMatchObject({ status: 200 });
}

/** Gives a database's role a new password. @returns its connection string */
async function takeOver(name: string): Promise<string> {
  const url = new URL(database.url);
  url.password = 'taken';
  await withClient(database.url, async (client) => {
    const { rows } = await client.query('select physical_name, role_name from databases where name = $1', [name]);
    url.pathname = rows[0].physical_name;
    url.username = rows[0].role_name;
    await client.query(`alter role ${rows[0].role_name} password '${url.password}'`);
  });
  return url.href;
}

/** Opens connections of the hostile tenant, more than it is allowed. */
async function withHostileClients(asked: number, work: (clients: pg.Client[]) => Promise<void>): Promise<void> {
  const open = async () => {
    const client = new pg.Client({ connectionString: hostileUrl });
    await client.connect();
    return client;
  };
  const opened = await Promise.allSettled(Array.from({ length: asked }, open));
  const clients = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

async function upload(payload: Buffer): Promise<Answer> {
  const path = BASE_PATHS.api + backupRoutes.upload.path;
  const response = await fetch(`${server.url}${path}?databaseName=ELSEWHERE`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(payload),
  });
  return (await response.json()) as Answer;
}

/** Runs an attack, and compares what the server took meanwhile with the limits. */
async function withinLimits(attack: () => Promise<void>): Promise<void> {
  await watch.look();
  await attack();
  const { failures, answers, slowest, slowdown, memory } = await watch.look();
  expect(failures).toEqual([]);
  expect(answers).toBeGreaterThan(0);
  // Divided by how much slower this machine is at the moment, as other work on it is no fault of the server's.
  expect(slowest / slowdown).toBeLessThan(2_000);
  expect(memory / MEBIBYTE).toBeLessThan(400);
}

/** Has a database many rejected rows with a picture. */
async function rejectPictures(name: string): Promise<void> {
  const url = new URL(database.url);
  await withClient(database.url, async (client) => {
    const { rows } = await client.query('select physical_name from databases where name = $1', [name]);
    url.pathname = rows[0].physical_name;
  });
  await withClient(url.href, (client) =>
    client.query(`
      insert into apotheca_adopted.rejected_rows (table_name, source_name, line, kind, reason, row)
      select table_name, source_name, line, kind, reason, to_json(repeat('x', ${PICTURE}))
      from apotheca_adopted.rejected_rows, generate_series(1, ${2 * PICTURES})`),
  );
}

/** Downloads the rejected rows of a database. @returns how many bytes they are */
async function sizeOfRejected(databaseName: string): Promise<number> {
  const path = BASE_PATHS.api + adoptionRoutes.downloadRejected.path;
  const response = await fetch(`${server.url}${path}?${new URLSearchParams({ databaseName })}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes;
}

const doing = (statement: string) => withSql(archive, `do $$ begin ${statement} end $$`);
const OPENING = '\nCOPY apotheca.schema_version (version, a) FROM stdin;\n';
const TALKS =
  /^This archive cannot be restored\. It was ended because it said more than 4 MiB of errors and warnings\.$/;
const LISTS = /^This archive lists more than a database of this platform has\.$/;

const ARCHIVES: [string, () => Buffer, RegExp][] = [
  ['long warnings without an end', () => doing("loop raise warning '%', repeat('w', 1000000); end loop;"), TALKS],
  ['short warnings without an end', () => doing("loop raise warning 'w'; end loop;"), TALKS],
  ['a warning of 100 MB', () => doing("raise warning '%', repeat('w', 100000000);"), TALKS],
  ['an error of 100 MB', () => doing("raise '%', repeat(' failed: ', 11000000);"), TALKS],
  // PostgreSQL sends all of it; the server passes 2 KB on.
  ['an error of 1.3 MB', () => doing("raise '%', repeat('connection to server ', 65000);"), /^.{700,2200}$/],
  [
    'beginnings without an end',
    () => withTexts(archive, isRowsOf('schema_version'), () => [['copy', OPENING.repeat(18_000)]]),
    LISTS,
  ],
  ['versions by the hundred thousand', () => oftenUpgraded, LISTS],
  ['a row of 100 MB', () => withRows(archive, Buffer.alloc(100_000_000, 'x')), TALKS],
  [
    'rows that unpack to 256 MB',
    () => withRows(archive, Buffer.alloc(256_000_000, '\n')),
    /invalid input syntax for type bigint: "…"$/,
  ],
];

describe.each(ROUNDS)('the server stays under 400 MB, and /readyz under 2 s, in round %i', () => {
  it('while a tenant takes every connection and lock that it can [§7]', async () => {
    await withinLimits(() =>
      withHostileClients(10 * CONNECTIONS, async (clients) => {
        expect(clients).toHaveLength(CONNECTIONS);
        const locks = 'do $$ begin for key in 1 .. 400000 loop perform pg_advisory_lock(key); end loop; end $$';
        const refusals = clients.map((client) => client.query(locks).catch((error: pg.DatabaseError) => error.code));
        await workElsewhere();
        for (const refusal of await Promise.all(refusals)) expect(refusal).toBe('42501');
      }),
    );
  });

  it('while reads of a database hang [§7]', async () => {
    await withinLimits(() =>
      withHostileClients(1, async ([client]) => {
        await client?.query('begin; lock table public.patients in access exclusive mode');
        const reads = Array.from({ length: 60 }, () => details(HOSTILE));
        await workElsewhere();
        await client?.query('rollback');
        for (const { status } of await Promise.all(reads)) expect([200, 409, 503]).toContain(status);
      }),
    );
  });

  it('while 400 clients ask and read nothing [§7]', async () => {
    const port = Number(new URL(server.url).port);
    await withinLimits(async () => {
      const readers = await Promise.all(Array.from({ length: 400 }, () => askWithoutReading(port, '/metrics', 5)));
      await workElsewhere();
      for (const reader of readers) reader.destroy();
    });
  });

  it('while hostile archives are read and loaded [§2.13]', async () => {
    await withinLimits(async () => {
      const restoring = ARCHIVES.map(async ([what, make, refusal], index) => {
        const uploaded = await patiently(() => upload(make()));
        const isKept = uploaded.status === 200;
        const answer = isKept ? await patiently(() => restore(uploaded.result.id, `HOSTILE ${index}`)) : uploaded;
        expect(answer.message, what).toMatch(refusal);
      });
      await Promise.all([...restoring, workElsewhere()]);
    });
  });

  it('while a table of pictures is adopted, and those that were rejected are downloaded [§2.13]', async () => {
    const { url, drop } = await createEmptyDatabase();
    await withClient(url, (client) =>
      client.query(`
        create table locations (id int, code text, name text, kind text, picture text);
        insert into locations select i, i, 'Room', 'room', repeat('x', ${PICTURE}) from generate_series(1, ${PICTURES}) i;
        insert into locations values (0, 'A', 'Attic', 'attic')`),
    );
    const { hostname: host, port, pathname, username: user, password } = new URL(url);
    const body = { host, port: Number(port), database: pathname.slice(1), user, password, tls: 'disable' };
    await withinLimits(async () => {
      const { id, digest } = (await call(adoptionRoutes.inspectServer, { body })).result;
      const adopted = await call(adoptionRoutes.adopt, { body: { id, plan: digest, databaseName: 'PICTURES' } });
      expect(adopted).toMatchObject({ status: 200, result: { rows: PICTURES, rejected: 1 } });
      await rejectPictures('PICTURES');
      expect(await sizeOfRejected('PICTURES')).toBeGreaterThan(2 * PICTURES * PICTURE);
    });
    await drop();
  });

  it('while archives without an end are loaded; other operations go on [§2.13]', async () => {
    await withinLimits(async () => {
      const { result } = await patiently(() => upload(doing('loop end loop;')));
      const names = Array.from({ length: 4 }, (_, index) => `ENDLESS ${index}`);
      const restoring = names.map((name) => patiently(() => restore(result.id, name)));
      const isEndless = ({ databaseName, state }: Operation) => names.includes(databaseName) && !isEnded(state);
      const isLoading = ({ state, steps, step }: Operation) => state === 'running' && steps[step] === 'Loading';
      await expect.poll(async () => (await operations()).filter(isLoading).length).toBe(2);
      expect(await call(backupRoutes.create, { query: { databaseName: PEACEFUL } })).toMatchObject({ status: 200 });
      // One that is begun only after they are cancelled would never end.
      await expect.poll(async () => (await operations()).filter(isEndless).length).toBe(names.length);
      for (const { id } of (await operations()).filter(isEndless))
        await patiently(() => call(operationRoutes.cancel, { query: { id } }));
      for (const answer of await Promise.all(restoring)) {
        expect(answer.message).toBe('The operation was cancelled; nothing was changed.');
      }
    });
  });
});
