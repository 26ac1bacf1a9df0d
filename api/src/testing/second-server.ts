import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { afterAll, beforeAll } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import type { TestApp } from './app.ts';
import { choosePort } from './chosen-port.ts';
import { withClient } from './databases.ts';
import { killPostgres } from './killable-installation.ts';
import { testPrograms } from './postgres-version.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

const PASSWORD = 'second';
/** What it is while the server refuses who has that one. */
const OTHER_PASSWORD = 'changed';

/** A second PostgreSQL, reached over a link that can be broken. */
export interface SecondServer {
  /** The superuser's connection string to the database `postgres`, past the link. */
  url: string;
  /** The link that its record names. */
  link: TcpProxy;
  stop(): Promise<void>;
  /** SIGKILL for all its processes. */
  kill(): Promise<void>;
  /** Starts it again, where it was. */
  start(): Promise<void>;
  /** Lets nobody in by the password of its record, and ends the sessions that are over the link. */
  refuse(): Promise<void>;
  /** Takes that back. */
  admit(): Promise<void>;
  /** The form of its record. */
  form(fields?: object): Record<string, unknown>;
}

/** Starts a PostgreSQL of its own before a file's tests, and throws it away after them. @param version absent: that of the other one */
export function useSecondServer(version?: number): SecondServer {
  const second = {} as SecondServer & { folder: string };
  beforeAll(async () => {
    second.folder = await mkdtemp(join(tmpdir(), 'apotheca-second-'));
    Object.assign(second, await startSecond(second.folder, version));
  });
  afterAll(async () => {
    await second.link.close();
    await second.stop();
    await rm(second.folder, { recursive: true, force: true });
  });
  return second;
}

async function startSecond(folder: string, version: number | undefined) {
  const programs = await testPrograms(version);
  const port = await choosePort();
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      programs,
      dataDir: join(folder, 'postgres'),
      password: PASSWORD,
      port,
      settings: { fsync: 'off', full_page_writes: 'off', max_connections: '200' },
    });
  let running: EmbeddedPostgres | undefined = await start();
  const { url } = running;
  const link = await openTcpProxy(url);
  const setPassword = (from: string, to: string) => {
    const address = new URL(withDatabaseName(url, 'postgres'));
    address.password = from;
    return withClient(address.href, (client) => client.query(`alter role postgres password '${to}'`));
  };
  return {
    url: withDatabaseName(url, 'postgres'),
    link,
    async stop() {
      await running?.stop();
      running = undefined;
    },
    async kill() {
      await killPostgres(join(folder, 'postgres'));
      running = undefined;
    },
    async start() {
      running ??= await start();
    },
    async refuse() {
      await setPassword(PASSWORD, OTHER_PASSWORD);
      link.set('reset');
      link.set('pass');
    },
    async admit() {
      await setPassword(OTHER_PASSWORD, PASSWORD);
    },
    form: (fields: object = {}) => ({
      name: 'Second',
      host: '127.0.0.1',
      port: Number(new URL(link.url).port),
      userName: 'postgres',
      password: PASSWORD,
      region: 'eu-west',
      capacity: 1_000,
      ...fields,
    }),
  };
}

/** Takes the second server into use. @returns the id of its record */
export async function addServer(test: TestApp, second: SecondServer, fields: object = {}): Promise<string> {
  const { status, message, result } = await test.call(databaseServerRoutes.create, { body: second.form(fields) });
  if (status !== 200) throw new Error(message);
  return result.id;
}
