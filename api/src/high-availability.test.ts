import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { faqRoutes } from '@apotheca/contract/faqs';
import { isEnded, type OperationState, operationRoutes } from '@apotheca/contract/operations';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { expect, it, onTestFinished } from 'vitest';
import { type Pair, startPairs } from '../../examples/ha/pairs.ts';
import type { Answer } from './testing/app.ts';
import { tenantInput } from './testing/builders.ts';
import { choosePort } from './testing/chosen-port.ts';
import { withClient } from './testing/databases.ts';
import { faqInput } from './testing/faqs.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { callServer, type ServerProcess, signInToServer, startServer } from './testing/server-process.ts';
import { timedWithoutStalls } from './testing/stalls.ts';

/** How often a leader is killed. In a long run there are two pairs, whose leaders are killed in turn. */
const KILLS = IS_LONG_RUN ? 10 : 1;
const PAIRS = IS_LONG_RUN ? (['control', 'tenants'] as const) : (['control'] as const);
/** Within which time writes are acknowledged again after a leader has died, in milliseconds (decision 077). */
const BACK = 30_000;
/** Only finds what hangs, in milliseconds. */
const HANGS = 240_000;
/** How many clients write FAQs. */
const CLIENTS = 6;
/** How many FAQs are written before each kill, once both servers are there. */
const BEFORE_KILL = 100;
/** How long a client waits before it tries again what failed, in milliseconds. */
const PAUSE = 100;
/** How long one waits after a new tenant: each database has a thousand files, which a killed leader has to compare when it comes back. */
const TENANT_PAUSE = 5_000;
const PASSWORD = 'of-the-superuser';
const ADMIN_PASSWORD = 'administrator-of-pairs';

/** A write of a client. */
interface Write {
  route: ContractRoute;
  body?: unknown;
  query?: Record<string, string>;
  /** By which it is found later. */
  code: string;
}

/** What was acknowledged to a client, with the moment at which its call began. */
type Acknowledged = { code: string; began: number }[];

/** A backup whose acknowledgement was lost goes on, and the next one is refused until it has ended. */
const BUSY_BACKUP = 'busy with a backup';

const kindOf = (route: ContractRoute, { status, title }: Answer): string =>
  route === backupRoutes.create && status === 409 && title === 'Busy' ? BUSY_BACKUP : String(status);

/** Clients that write one thing after the other, until they are stopped. */
class Writers {
  /** How often each answer came; a connection that broke has its reason. */
  readonly answers = new Map<string, number>();
  readonly #token: string;
  readonly #running: Promise<void>[] = [];
  #isStopped = false;

  constructor(token: string) {
    this.#token = token;
  }

  /** @param pause after each write, in milliseconds @returns what is acknowledged, which grows; of an operation its id */
  start(server: ServerProcess, next: () => Write, pause = 0): Acknowledged {
    const acknowledged: Acknowledged = [];
    const write = async () => {
      while (!this.#isStopped) {
        const { code, route, ...sent } = next();
        const began = performance.now();
        const answer = await this.call(server, route, { ...sent, respondAsync: true });
        if (answer?.status === 200) acknowledged.push({ code, began });
        else if (answer?.status === 202) acknowledged.push({ code: answer.result.operationId, began });
        else await setTimeout(PAUSE);
        if (answer?.status === 202) await this.#ended(server, answer.result.operationId);
        if (answer?.status === 200 && pause > 0) await setTimeout(pause);
      }
    };
    this.#running.push(write());
    return acknowledged;
  }

  /** @returns undefined where the connection broke */
  async call(server: ServerProcess, route: ContractRoute, options: object) {
    const answer = await callServer(server.url, route, { token: this.#token, ...options }).catch(
      (error: Error) => error,
    );
    const kind = answer instanceof Error ? String(answer.cause ?? answer) : kindOf(route, answer);
    this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    return answer instanceof Error ? undefined : answer;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #ended(server: ServerProcess, id: string): Promise<void> {
    let answer: Awaited<ReturnType<Writers['call']>>;
    do {
      await setTimeout(PAUSE);
      answer = await this.call(server, operationRoutes.get, { query: { id } });
    } while (!this.#isStopped && (answer?.status !== 200 || !isEnded(answer.result.state)));
  }
}

/** Ports that nobody else gets meanwhile, each another one. */
function chosenPorts(): () => Promise<number> {
  const taken = new Set<number>();
  return async () => {
    for (;;) {
      const port = await choosePort();
      if (taken.size < taken.add(port).size) return port;
    }
  };
}

/** Runs `work` with pairs of servers, and with Apotheca on them: through HAProxy, and in a long run also with all hosts in DATABASE_URL. */
async function withPairs(
  work: (pairs: { control: Pair; tenants?: Pair }, servers: ServerProcess[]) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-ha-'));
  // For the account that PostgreSQL runs as.
  await chmod(folder, 0o755);
  const { pairs, stop } = await startPairs(PAIRS, {
    folder: join(folder, 'pairs'),
    password: PASSWORD,
    nextPort: chosenPorts(),
  });
  const servers: ServerProcess[] = [];
  try {
    const { port, ports } = pairs.control;
    for (const hosts of IS_LONG_RUN ? [[port], ports] : [[port]]) {
      const addresses = hosts.map((host) => `127.0.0.1:${host}`).join(',');
      const server = await startServer({
        DATABASE_URL: `postgresql://postgres:${PASSWORD}@${addresses}/apotheca`,
        APOTHECA_DATA_DIR: join(folder, 'apotheca'),
        APOTHECA_ADMIN_PASSWORD: ADMIN_PASSWORD,
        LOG_LEVEL: 'error',
      });
      servers.push(server);
    }
    await work(pairs, servers);
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await stop();
  }
  // Where the test has failed, the logs say why.
  await rm(folder, { recursive: true, force: true });
}

/** Everything that clients write meanwhile, and what of it was acknowledged. */
function startWriting(
  [first, second]: ServerProcess[],
  token: string,
  place: { databaseServerId: string } | undefined,
) {
  if (!first) throw new Error('There is no server.');
  const other = second ?? first;
  const writers = new Writers(token);
  onTestFinished(() => writers.stop());
  let made = 0;
  const newTenant = (): Write => {
    made += 1;
    return { code: `NEW${made}`, route: tenantRoutes.create, body: { ...tenantInput(`NEW${made}`), ...place } };
  };
  const newFaq = (): Write => {
    const body = faqInput();
    return { code: body.code, route: faqRoutes.create, body };
  };
  const backup: Write = { code: '', route: backupRoutes.create, query: { databaseName: 'KEPT' } };
  return {
    writers,
    faqs: Array.from({ length: CLIENTS }, (_, index) => writers.start(index % 2 ? other : first, newFaq)),
    tenants: writers.start(first, newTenant, TENANT_PAUSE),
    /** Ids of operations. */
    backups: writers.start(other, () => backup),
  };
}

const count = (acknowledged: unknown[][]): number => acknowledged.flat().length;

/** Kills the leader of a pair once everything is written, and waits until that goes on. @returns after how many seconds it does */
async function killLeader(pair: Pair, faqs: Acknowledged[], watched: Acknowledged[]): Promise<string> {
  const leader = await pair.whole();
  const [written, seen] = [count(faqs), count(watched)];
  await expect.poll(() => count(faqs) > written + BEFORE_KILL && count(watched) > seen).toBe(true);
  await leader.kill();
  const killed = performance.now();
  // The slowest client counts.
  const isBack = () => watched.every((each) => (each.at(-1)?.began ?? 0) > killed);
  const { took } = await timedWithoutStalls(() => expect.poll(isBack, { timeout: HANGS }).toBe(true));
  expect(took).toBeLessThan(BACK);
  leader.start();
  return `${leader.name} killed: back after ${(took / 1000).toFixed(1)} s`;
}

it(`of ${KILLS} leaders that are killed under load, each is replaced within 30 s, and nothing acknowledged is lost [§8]`, async () => {
  await withPairs(async (pairs, servers) => {
    const url = servers[0]?.url ?? '';
    const token = await signInToServer(url, ADMIN_PASSWORD);
    const call = async (route: ContractRoute, options: object = {}) => {
      const { status, message, result } = await callServer(url, route, { token, ...options });
      if (status !== 200) throw new Error(message);
      return result;
    };
    const way = { host: '127.0.0.1', port: pairs.tenants?.port, userName: 'postgres', password: PASSWORD };
    const record = pairs.tenants && (await call(databaseServerRoutes.create, { body: { name: 'Tenants', ...way } }));
    const place = record && { databaseServerId: record.id };
    await call(tenantRoutes.create, { body: { ...tenantInput('KEPT'), ...place } });

    const { writers, faqs, tenants, backups } = startWriting(servers, token, place);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ofTenants = kill % 2 === 1 ? pairs.tenants : undefined;
      const told = await killLeader(ofTenants ?? pairs.control, faqs, ofTenants ? [tenants] : faqs);
      process.stdout.write(`${told}\n`);
    }
    await writers.stop();
    const figures = { faqs: count(faqs), tenants: tenants.length, backups: backups.length };
    process.stdout.write(`Acknowledged ${JSON.stringify(figures)}, answers ${JSON.stringify([...writers.answers])}\n`);

    const codes = async (route: ContractRoute) => (await call(route)).map(({ code }: { code: string }) => code);
    expect(await codes(faqRoutes.list)).toEqual(expect.arrayContaining(faqs.flat().map(({ code }) => code)));
    expect(await codes(tenantRoutes.list)).toEqual(expect.arrayContaining(tenants.map(({ code }) => code)));
    const physicalNames = await databasesOf(pairs.control, tenants);
    expect(physicalNames).toHaveLength(tenants.length);
    expect(await databasesAt(pairs.tenants ?? pairs.control)).toEqual(expect.arrayContaining(physicalNames));
    for (const { code: id } of backups) {
      const state = async () => (await call(operationRoutes.get, { query: { id } })).state;
      await expect.poll(state).not.toMatch(/queued|running/);
      expect(await state()).toBe('succeeded');
    }
    const allowed = /^(200|202|503|.*ECONNRESET.*)$/;
    const kinds = [...writers.answers.keys()].filter((kind) => kind !== BUSY_BACKUP);
    expect(kinds.filter((kind) => !allowed.test(kind))).toEqual([]);
    // Also those whose acknowledgement was lost.
    const isOpen = ({ state }: { state: OperationState }) => !isEnded(state);
    await expect.poll(async () => (await call(operationRoutes.list)).filter(isOpen)).toEqual([]);
    // Nothing has kept its database.
    await call(backupRoutes.create, { query: { databaseName: 'KEPT' } });
  });
}, 1_800_000);

const urlOf = ({ port }: Pair, database: string) => `postgresql://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`;

/** Physical names of the databases of tenants. */
const databasesOf = (control: Pair, tenants: readonly { code: string }[]): Promise<string[]> =>
  withClient(urlOf(control, 'apotheca'), async (client) => {
    const text =
      'select physical_name as name from databases d join tenants t on t.id = d.tenant_id where t.code = any($1)';
    const { rows } = await client.query<{ name: string }>(text, [tenants.map(({ code }) => code)]);
    return rows.map(({ name }) => name);
  });

/** The databases that a pair has. */
const databasesAt = (pair: Pair): Promise<string[]> =>
  withClient(urlOf(pair, 'postgres'), async (client) => {
    const { rows } = await client.query<{ name: string }>('select datname as name from pg_database');
    return rows.map(({ name }) => name);
  });

it('the example starts in no folder that somebody else has made, or may write to [DECISIONS §13]', async () => {
  const place = await mkdtemp(join(tmpdir(), 'apotheca-ha-'));
  const [link, open] = [join(place, 'link'), join(place, 'open')];
  await symlink(place, link);
  await mkdir(open);
  await chmod(open, 0o777);
  const command = fileURLToPath(new URL('../../examples/ha/start.ts', import.meta.url));
  for (const folder of [link, open]) {
    // The limit only finds one that starts.
    const { status, stderr } = spawnSync(process.execPath, [command, folder], { encoding: 'utf8', timeout: HANGS });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `${folder} is not a folder that you alone may write to: name another one.\n`,
    });
  }
  await rm(place, { recursive: true });
});
