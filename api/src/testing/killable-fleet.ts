import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { withDatabaseName } from '../db/connections/connection-string.ts';
import { startEmbeddedPostgres } from '../db/embedded/embedded-postgres.ts';
import { ADMINISTRATOR } from './administrator.ts';
import type { CallLedger } from './call-ledger.ts';
import { killPostgres } from './killable-installation.ts';
import { testPrograms } from './postgres-version.ts';
import { type ServerProcess, startServer } from './server-process.ts';

export const POSTGRES_PASSWORD = 'of-the-superuser';
/** The two PostgreSQL servers: that of the control database, and another one for tenants. */
export const PLACES = ['home', 'second'] as const;
export type Place = (typeof PLACES)[number];

const PROCESSES = 3;
const POLL = 100;
/** Only finds what does not come back, in milliseconds. */
const LONGEST = 120_000;
/** A commit waits for the kernel to have it, which outlives any process; only a lost machine would need the disk. */
const POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '200' };

/** Several server processes over two PostgreSQL servers. Each can be killed, and is started again at once, where it was. */
export interface KillableFleet {
  /** The superuser's connection strings, to the control database and to the other server's `postgres`. */
  urls: Record<Place, string>;
  /** Folders of the clusters. */
  folders: Record<Place, string>;
  /** Environment of the processes. */
  settings: Record<string, string>;
  processes: readonly FleetProcess[];
  /** What can be killed now: what an earlier kill has hit is left to come back. */
  whole(): string[];
  /** SIGKILL. Resolves when the part is whole again; the ledger has the time. */
  kill(part: string): Promise<void>;
  stop(): Promise<void>;
}

/** A server process that is always found under the same address. */
export interface FleetProcess {
  readonly name: string;
  readonly url: string;
  /** By /readyz, as a balancer asks it. */
  isReady: boolean;
}

/** @param folder for clusters, archives and logs @param ledger gets the outages */
export async function startFleet(folder: string, ledger: CallLedger): Promise<KillableFleet> {
  const folders = { home: join(folder, 'home'), second: join(folder, 'second') };
  const servers = { home: await startPostgres(folders.home), second: await startPostgres(folders.second) };
  const urls = {
    home: withDatabaseName(servers.home.url, 'apotheca'),
    second: withDatabaseName(servers.second.url, 'postgres'),
  };
  const settings = {
    DATABASE_URL: urls.home,
    APOTHECA_DATA_DIR: join(folder, 'apotheca'),
    APOTHECA_SECRET: 'a secret that only tests use, long enough',
    APOTHECA_ADMIN_PASSWORD: ADMINISTRATOR.password,
    APOTHECA_DEMO: 'off',
    // Nothing is left of what is deleted, and no proof makes databases: all that there is can be compared.
    APOTHECA_PARK_DAYS: '0',
    APOTHECA_PROOF_MINUTES: '0',
    // All clients share one key.
    APOTHECA_RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  };
  const processes: RestartedProcess[] = [];
  for (let number = 1; number <= PROCESSES; number += 1)
    processes.push(await RestartedProcess.start(`process ${number}`, folder, settings));

  const away = new Set<string>();
  const bringBack = async (part: string) => {
    const process = processes.find(({ name }) => name === part);
    if (process) return process.killAndStart();
    await servers[part as Place].killAndStart();
    // Until then no process says that it can be asked.
    if (part === 'home') await Promise.all(processes.filter(({ name }) => !away.has(name)).map((each) => each.ready()));
  };
  return {
    urls,
    folders,
    settings,
    processes,
    whole: () => [...processes.map(({ name }) => name), ...PLACES].filter((part) => !away.has(part)),
    async kill(part) {
      const outage = { part, from: performance.now(), until: Number.POSITIVE_INFINITY };
      ledger.outages.push(outage);
      away.add(part);
      await bringBack(part);
      away.delete(part);
      outage.until = performance.now();
    },
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await Promise.all(PLACES.map((place) => servers[place].stop()));
    },
  };
}

/** @param dataDir folder of its cluster */
async function startPostgres(dataDir: string) {
  const programs = await testPrograms();
  const start = (port?: number) =>
    startEmbeddedPostgres({
      programs,
      dataDir,
      password: POSTGRES_PASSWORD,
      settings: POSTGRES_SETTINGS,
      ...(port && { port }),
    });
  let running = await start();
  const { url } = running;
  return {
    url,
    async killAndStart() {
      await killPostgres(dataDir);
      await running.stop();
      running = await untilDone(() => start(Number(new URL(url).port)));
    },
    stop: () => running.stop(),
  };
}

class RestartedProcess implements FleetProcess {
  readonly name: string;
  readonly url: string;
  isReady = true;
  #server: ServerProcess;
  #isStopped = false;
  readonly #log: string;
  readonly #settings: Record<string, string>;
  readonly #following: Promise<void>;

  private constructor(name: string, server: ServerProcess, log: string, settings: Record<string, string>) {
    this.name = name;
    this.url = server.url;
    this.#server = server;
    this.#log = log;
    this.#settings = { ...settings, PORT: new URL(server.url).port };
    this.#following = this.#follow();
  }

  static async start(name: string, folder: string, settings: Record<string, string>): Promise<RestartedProcess> {
    return new RestartedProcess(name, await startServer(settings), join(folder, `${name}.log`), settings);
  }

  async killAndStart(): Promise<void> {
    await this.#end();
    // It ends at its start where PostgreSQL is away, and a supervisor starts it anew.
    this.#server = await untilDone(() => startServer(this.#settings));
    await this.ready();
  }

  /** Waits until it says that it can be asked. */
  ready(): Promise<void> {
    return untilDone(async () => {
      if (!(await this.#ask())) throw new Error(`${this.name} does not become ready: ${this.#server.output()}`);
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#following;
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#server.kill();
    await appendFile(this.#log, this.#server.output());
  }

  async #follow(): Promise<void> {
    while (!this.#isStopped) {
      this.isReady = await this.#ask();
      await setTimeout(POLL);
    }
  }

  #ask(): Promise<boolean> {
    return fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
      async ({ ok, body }) => {
        await body?.cancel();
        return ok;
      },
      () => false,
    );
  }
}

/** Tries again until it succeeds. @throws Error what it failed with at last */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await setTimeout(POLL);
  }
}
