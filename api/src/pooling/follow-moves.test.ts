import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { moveRoutes } from '@apotheca/contract/moves';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOME_SERVER } from '../db/clusters.ts';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { migratePlatform } from '../db/platform-migrations.ts';
import { TEST_SECRET, useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { type RunningPgBouncer, startPgBouncer } from '../testing/pgbouncer.ts';
import { addServer, useSecondServer } from '../testing/second-server.ts';
import { NODE_COMPILE_CACHE } from '../testing/server-process.ts';
import { openTcpProxy } from '../testing/tcp-proxy.ts';
import { type DatabaseElsewhere, listElsewhere } from './databases-elsewhere.repository.ts';
import { writeDatabases } from './pgbouncer-files.ts';

/** A program that tries again. Each failed login keeps PgBouncer from trying its server for a second. */
const RETRY = { interval: 100 };

const test = useTestApp();
const second = useSecondServer();
let pooler: RunningPgBouncer;
let follower: Follower;
let secondId: string;

interface Follower {
  /** What it has said, and how it ended. */
  said(): string;
  stop(): Promise<void>;
}

/** `npm run pgbouncer -- FOLDER --follow`, once it has written its files. */
async function follow(folder: string, port: number, databaseUrl = test.databaseUrl): Promise<Follower> {
  const command = fileURLToPath(new URL('../pgbouncer.ts', import.meta.url));
  const child = spawn(process.execPath, [command, folder, '--port', String(port), '--follow'], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE,
      DATABASE_URL: databaseUrl,
      APOTHECA_SECRET: TEST_SECRET,
      APOTHECA_DATA_DIR: folder,
    },
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    said += `It ended: ${code ?? signal}`;
  });
  await new Promise<void>((fulfil, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (said.includes('Start it with')) fulfil();
    });
    void ended.then(() => reject(new Error(said)));
  });
  return {
    said: () => said,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

beforeAll(async () => {
  // Closes the control database, as each start does; a copy of it is open.
  await migratePlatform(test.databaseUrl);
  secondId = await addServer(test, second);
  pooler = await startPgBouncer(async (folder, port) => {
    follower = await follow(folder, port);
  });
});
afterAll(async () => {
  await follower.stop();
  await pooler.stop();
});

const call = async (route: ContractRoute, options: object) => {
  const { status, message, result } = await test.call(route, options);
  expect(status, message).toBe(200);
  return result;
};
const create = async (code: string, databaseServerId: string): Promise<string> =>
  (await call(tenantRoutes.create, { body: { ...tenantInput(code), databaseServerId } })).id;
const move = (id: string, databaseServerId: string) => call(moveRoutes.move, { body: { id, databaseServerId } });
const reveal = async (id: string): Promise<string> =>
  (await call(credentialRoutes.reveal, { query: { id, access: 'write' } })).connectionString;
const portOf = (url: string): number => Number(new URL(url).port);
/** The port of the server to which PgBouncer leads a program, or why it is not let in, beside what the follower says. */
const ledTo = (url: string): Promise<number | string> => {
  const pooled = new URL(url);
  pooled.port = String(pooler.port);
  return withClient(
    pooled.href,
    async (client) => (await client.query('select inet_server_port() as port')).rows[0].port,
  ).catch((error: Error) => `${error.message}; ${follower.said()}`);
};

it('leads a program to the server that its tenant has moved to, and back, by one connection string [DECISIONS §13]', async () => {
  const id = await create('FOLLOWED', HOME_SERVER);
  const [home, other] = [portOf(test.databaseUrl), portOf(second.url)];
  // As the program got it before: moving changes neither role, password nor name.
  const url = await reveal(id);
  expect(await ledTo(url)).toBe(home);
  await move(id, secondId);
  await expect.poll(() => ledTo(url), RETRY).toBe(other);
  await move(id, HOME_SERVER);
  await expect.poll(() => ledTo(url), RETRY).toBe(home);
  expect(pooler.log()).not.toContain('dropping database');
});

it('leads to tenants that are made on another server, also after it was not there itself [DECISIONS §13]', async () => {
  const other = portOf(second.url);
  const before = await reveal(await create('MADE THERE', secondId));
  await expect.poll(() => ledTo(before), RETRY).toBe(other);
  await follower.stop();
  const meanwhile = await reveal(await create('MADE MEANWHILE', secondId));
  const [folder] = (await pooler.files()).match(/(?<=auth_file = ).*(?=\/userlist\.txt)/) ?? [];
  follower = await follow(String(folder), pooler.port);
  await expect.poll(() => ledTo(meanwhile), RETRY).toBe(other);
  expect(await ledTo(before)).toBe(other);
  await expect.poll(() => follower.said(), RETRY).toContain('PgBouncer follows.');
});

it('says when the control database is silent, and follows again once it answers [DECISIONS §13]', async () => {
  const link = await openTcpProxy(test.databaseUrl);
  const following: Follower[] = [];
  const other = await startPgBouncer(async (folder, port) => following.push(await follow(folder, port, link.url)));
  const said = () => following[0]?.said() ?? '';
  const follows = () => said().split('PgBouncer follows.').length - 1;
  await expect.poll(follows, RETRY).toBe(1);
  link.set('silent');
  await expect.poll(said, RETRY).toContain('PgBouncer does not follow: ');
  link.set('pass');
  await expect.poll(follows, RETRY).toBe(2);
  await following[0]?.stop();
  await other.stop();
  await link.close();
});

it('asks for the certificate of a server once, however many databases that has [DECISIONS §13]', () =>
  withClient(test.databaseUrl, async (client) => {
    const length = 20_000;
    await client.query('begin');
    await client.query('update database_servers set ca_certificate = repeat($1, $2) where id = $3', [
      'x',
      length,
      secondId,
    ]);
    const { stream } = client.connection as unknown as { stream: Socket };
    const before = stream.bytesRead;
    const elsewhere = await listElsewhere(client);
    expect(elsewhere.length).toBeGreaterThan(1);
    for (const { caCertificate } of elsewhere) expect(caCertificate).toHaveLength(length);
    expect(stream.bytesRead - before).toBeLessThan(1.5 * length);
    await client.query('rollback');
  }));

/** Writes databases of other servers into a folder, beside a control database that is reached with some TLS. */
async function withFiles(
  work: (write: (query: string, elsewhere: DatabaseElsewhere[]) => Promise<Written>) => unknown,
) {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-pgbouncer-'));
  try {
    await work(async (query, elsewhere) => {
      const databaseUrl = `${withDatabaseName(test.databaseUrl, 'control')}?${query}`;
      const place = { folder, listen: '127.0.0.1', port: 1, databaseUrl, roleName: 'asker', tenantConnections: 1 };
      const { isChanged, leftOut } = await writeDatabases(place, elsewhere);
      const databases = await readFile(join(folder, 'databases.ini'), 'utf8');
      const ways = databases.match(/^\w+ = host=\S+ port=\d+/gm) ?? [];
      return { folder, isChanged, leftOut, ways, ca: await readFile(join(folder, 'ca.pem'), 'utf8') };
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
interface Written {
  folder: string;
  isChanged: boolean;
  leftOut: string[];
  ways: string[];
  ca: string;
}
const onServer = (tls: DatabaseElsewhere['tls']): DatabaseElsewhere => ({
  physicalName: `db_${tls.replace('-', '_')}`,
  server: `Server ${tls}`,
  host: '192.0.2.1',
  port: 1,
  tls,
  caCertificate: tls === 'verify-full' ? 'CERTIFICATE' : '',
});

it('leaves out databases of servers whose TLS is stricter than that of DATABASE_URL, and names the servers [DECISIONS §13]', () =>
  withFiles(async (write) => {
    const elsewhere = (['disable', 'require', 'verify-full'] as const).map(onServer);
    const way = (name: string) => `${name} = host=192.0.2.1 port=1`;
    const { folder, ...first } = await write('sslmode=prefer', elsewhere);
    expect(first).toEqual({
      isChanged: true,
      leftOut: ['Server require', 'Server verify-full'],
      ways: [way('db_disable')],
      ca: '',
    });
    const root = join(folder, 'root.pem');
    await writeFile(root, 'ROOT\n');
    expect(await write(`sslmode=verify-full&sslrootcert=${root}`, elsewhere)).toEqual({
      folder,
      isChanged: true,
      leftOut: [],
      ways: [way('db_disable'), way('db_require'), way('db_verify_full')],
      ca: 'ROOT\nCERTIFICATE\n',
    });
  }));

it('a database that lives nowhere else any more leads home, rather than being taken out [DECISIONS §13]', () =>
  withFiles(async (write) => {
    const home = `host=127.0.0.1 port=${portOf(test.databaseUrl)}`;
    const two = [onServer('disable'), onServer('require')];
    await write('sslmode=require', two);
    const { isChanged, ways } = await write('sslmode=require', two.slice(1));
    expect({ isChanged, ways }).toEqual({
      isChanged: true,
      ways: [`db_disable = ${home}`, 'db_require = host=192.0.2.1 port=1'],
    });
    expect(await write('sslmode=require', two.slice(1))).toMatchObject({ isChanged: false, ways });
  }));
