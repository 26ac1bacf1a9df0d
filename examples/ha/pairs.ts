// Pairs of PostgreSQL servers on 127.0.0.1, each run by Patroni and reached through HAProxy, with one etcd for all of them.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { end, killPostgres, makeRunner, postgresFolder, type Runner, requirePrograms } from './processes.ts';

const POLL = 200;
/** How long a pair may take until both servers are there, in milliseconds: a new copy, or pg_rewind over many databases, takes its time. */
const WHOLE_LIMIT = 300_000;

/** One server of a pair, with its Patroni. */
interface Member {
  name: string;
  /** Kills Patroni and its PostgreSQL at once, as when the machine dies. */
  kill(): Promise<void>;
  /** Starts it again: it follows the other one. */
  start(): void;
  stop(): Promise<void>;
}

/** Two servers, of which one leads and the other one is its synchronous standby. */
export interface Pair {
  /** HAProxy's port, which leads to the leader. */
  port: number;
  /** The ports of both servers. */
  ports: readonly [number, number];
  /** Waits until one leads and the other one follows. @returns the leader @throws Error after five minutes */
  whole(): Promise<Member>;
  stop(): Promise<void>;
}

export interface PairsOptions {
  /** Where everything has its data and its logs. */
  folder: string;
  /** Of the superuser `postgres`, and of replication. */
  password: string;
  /** Gives a port that is free. */
  nextPort(): number | Promise<number>;
}

/** Starts etcd and a pair for each name, and waits until they are whole. */
export async function startPairs<Name extends string>(
  names: readonly Name[],
  options: PairsOptions,
): Promise<{ pairs: Record<Name, Pair>; stop(): Promise<void> }> {
  requirePrograms();
  const runner = await makeRunner(options.folder);
  const etcd = startEtcd(runner, await options.nextPort(), await options.nextPort());
  const pairs = {} as Record<Name, Pair>;
  const all = () => Object.values<Pair>(pairs);
  const stop = async () => {
    await Promise.all(all().map((pair) => pair.stop()));
    await etcd.stop();
  };
  try {
    for (const name of names) pairs[name] = await startPair(runner, name, etcd.port, options);
    await Promise.all(all().map((pair) => pair.whole()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { pairs, stop };
}

/** One is enough to try; several machines have three, so that two agree when one is gone. */
function startEtcd({ start, folder }: Runner, port: number, peerPort: number) {
  const client = `http://127.0.0.1:${port}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const options = {
    name: 'one',
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `one=${peer}`,
  };
  const child = start('etcd', ['etcd', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)]);
  return { port, stop: () => end(child, 'SIGTERM') };
}

async function startPair(runner: Runner, name: string, etcdPort: number, options: PairsOptions): Promise<Pair> {
  const port = await options.nextPort();
  const members = [
    await startMember(runner, { pair: name, name: `${name}-one`, etcdPort, ...options }),
    await startMember(runner, { pair: name, name: `${name}-two`, etcdPort, ...options }),
  ] as const;
  const [one, two] = members;
  const proxy = runner.start(`${name}-haproxy`, ['haproxy', '-db', '-f', join(import.meta.dirname, 'haproxy.cfg')], {
    LISTEN_PORT: String(port),
    POSTGRES_PORT_ONE: String(one.postgresPort),
    REST_PORT_ONE: String(one.restPort),
    POSTGRES_PORT_TWO: String(two.postgresPort),
    REST_PORT_TWO: String(two.restPort),
  });
  return {
    port,
    ports: [one.postgresPort, two.postgresPort],
    async whole() {
      const limit = performance.now() + WHOLE_LIMIT;
      while (performance.now() < limit) {
        const leader = await leaderOf(members);
        if (leader && isReady(port)) return leader;
        await setTimeout(POLL);
      }
      throw new Error(`The pair ${name} is not whole; its logs are in ${runner.folder}.`);
    },
    async stop() {
      await Promise.all(members.map((member) => member.stop()));
      await end(proxy, 'SIGTERM');
    },
  };
}

interface MemberOptions extends PairsOptions {
  pair: string;
  name: string;
  etcdPort: number;
}

/** Starts Patroni, which makes its PostgreSQL and runs it. What all have in common stands in patroni.yml. */
async function startMember({ start, folder }: Runner, { pair, name, etcdPort, password, nextPort }: MemberOptions) {
  const postgresPort = await nextPort();
  const restPort = await nextPort();
  const dataDir = join(folder, name);
  const environment = {
    PATRONI_SCOPE: pair,
    PATRONI_NAME: name,
    PATRONI_ETCD3_HOST: `127.0.0.1:${etcdPort}`,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgresPort}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgresPort}`,
    PATRONI_POSTGRESQL_BIN_DIR: postgresFolder(),
    PATRONI_POSTGRESQL_DATA_DIR: dataDir,
    PATRONI_POSTGRESQL_PGPASS: `${dataDir}.pgpass`,
    PATRONI_SUPERUSER_USERNAME: 'postgres',
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_USERNAME: 'replicator',
    PATRONI_REPLICATION_PASSWORD: password,
  };
  const run = () => start(name, ['patroni', join(import.meta.dirname, 'patroni.yml')], environment);
  let patroni = run();
  return {
    name,
    postgresPort,
    restPort,
    async kill() {
      await end(patroni, 'SIGKILL');
      await killPostgres(dataDir);
    },
    start() {
      patroni = run();
    },
    // It stops its PostgreSQL, too.
    stop: () => end(patroni, 'SIGTERM'),
  };
}

interface Cluster {
  members: { name: string; role: string; state: string }[];
}

/** The leader, where the other one is its synchronous standby. Each member of a pair knows how both are. */
async function leaderOf<Known extends Member & { restPort: number }>(
  members: readonly Known[],
): Promise<Known | undefined> {
  for (const { restPort } of members) {
    const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => undefined);
    const cluster = answer?.ok ? ((await answer.json()) as Cluster) : { members: [] };
    const nameOf = (role: string) => cluster.members.find((member) => member.role === role)?.name;
    const leader = nameOf('sync_standby') && members.find(({ name }) => name === nameOf('leader'));
    if (leader) return leader;
  }
  return undefined;
}

/** Whether HAProxy leads to a PostgreSQL. */
const isReady = (port: number): boolean =>
  spawnSync(join(postgresFolder(), 'pg_isready'), ['--quiet', '--host=127.0.0.1', `--port=${port}`]).status === 0;
