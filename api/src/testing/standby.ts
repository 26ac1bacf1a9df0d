import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { execute, findAccount } from '../db/embedded/cluster-account.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { choosePort } from './chosen-port.ts';
import { withClient } from './databases.ts';

const PASSWORD = 'pair';

/** One of two PostgreSQL servers. */
interface PairMember {
  /** The folder of its cluster. */
  dataDir: string;
  port: number;
  /** The superuser's connection string to the database `postgres`. */
  url: string;
  start(): Promise<void>;
  /** Ends it at once, as a crash does. */
  crash(): Promise<void>;
}

/** A primary and its standby. What is acknowledged is on both. */
export interface PostgresPair {
  primary: PairMember;
  standby: PairMember;
  /** The connection string of both, for a database. @param order which host stands first */
  urlOf(database: string, order: readonly PairMember[]): string;
  /** Makes the standby a primary, which waits for no standby of its own. */
  promote(): Promise<void>;
}

/** Starts a primary with a synchronous standby before a file's tests, and throws both away after them. */
export function usePostgresPair(): PostgresPair {
  const pair = {} as PostgresPair & { close?(): Promise<void> };
  beforeAll(async () => {
    Object.assign(pair, await startPair());
  });
  afterAll(() => pair.close?.());
  return pair;
}

async function startPair(): Promise<PostgresPair & { close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-pair-'));
  const first = join(folder, 'one');
  // Makes the cluster, which is copied while nobody uses it.
  const made = await startEmbeddedPostgres({ dataDir: first, password: PASSWORD });
  await made.stop();
  const second = join(folder, 'two');
  // With their owner: PostgreSQL takes no other one.
  await promisify(execFile)('cp', ['--archive', first, second]);
  const primary = await memberOf(first);
  const standby = await memberOf(second);
  const source = `host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}`;
  await writeFile(join(second, 'standby.signal'), '');
  await writeFile(join(second, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const close = async () => {
    await Promise.all([primary, standby].map((each) => each.crash().catch(() => {})));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await primary.start();
    await standby.start();
    await withClient(primary.url, async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`);
      await client.query('select pg_reload_conf()');
    });
  } catch (error) {
    await close();
    throw error;
  }
  return {
    primary,
    standby,
    urlOf: (database, order) => {
      const hosts = order.map(({ port }) => `127.0.0.1:${port}`).join(',');
      return `postgresql://postgres:${PASSWORD}@${hosts}/${database}`;
    },
    promote: () =>
      withClient(standby.url, async (client) => {
        await client.query('select pg_promote()');
      }),
    close,
  };
}

async function memberOf(dataDir: string): Promise<PairMember> {
  const { pg_ctl: pgCtl } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
  const account = await findAccount(dataDir, pgCtl);
  const port = await choosePort();
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Nothing has to outlive the machine.
    'fsync=off',
    // A standby starts with no less than its primary had, which was made with these.
    'max_connections=200',
    'max_locks_per_transaction=256',
  ];
  const flags = [`-p ${port}`, ...settings.map((setting) => `-c ${setting}`)].join(' ');
  const run = (...args: string[]) => execute(pgCtl, ['-D', dataDir, '-w', ...args], account);
  return {
    dataDir,
    port,
    url: withDatabaseName(`postgresql://postgres:${PASSWORD}@127.0.0.1:${port}`, 'postgres'),
    start: () => run('-l', join(dataDir, 'server.log'), '-o', flags, 'start'),
    crash: () => run('-m', 'immediate', 'stop'),
  };
}
