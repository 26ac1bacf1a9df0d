import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { type Finding, reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { type Role, roleRoutes } from '@apotheca/contract/roles';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { describe, expect, it, onTestFailed, type TestContext } from 'vitest';
import { HOME_SERVER } from './db/clusters.ts';
import { createRandom } from './demo/sample-rows/random.ts';
import { tenantInput } from './testing/builders.ts';
import { type Attempt, CallLedger, type Meanwhile } from './testing/call-ledger.ts';
import { FleetClient, GivenUp } from './testing/fleet-client.ts';
import { FleetRemains, tenantsOfWork } from './testing/fleet-remains.ts';
import { Acknowledged, type FleetSetup, WORK } from './testing/fleet-work.ts';
import { type KillableFleet, PLACES, POSTGRES_PASSWORD, startFleet } from './testing/killable-fleet.ts';
import { IS_LONG_RUN } from './testing/long-run.ts';
import { operationsEnded } from './testing/operations.ts';
import { callServer, signInToServer } from './testing/server-process.ts';

/** What is killed when, and what clients do, follow from it; how their calls meet does not. */
const SEED = Number(process.env.APOTHECA_KILLS_SEED || Math.floor(Math.random() * 1_000_000));
const MINUTES = Number(process.env.APOTHECA_KILLS_MINUTES || 15);
/** In milliseconds. */
const BETWEEN_KILLS = 10_000;
/** Only finds what the servers never tidy up, in milliseconds. */
const UPKEEP = { interval: 1_000, timeout: 180_000 };
/** How many of the attempts that no kill has hit may fail. */
const FAILURES_ALLOWED = 0.005;
/** A 503, and how a connection breaks whose other end was killed, or that finds nobody. */
const AWAY = /^(503|ECONNRESET|ECONNREFUSED|EPIPE|UND_ERR_SOCKET)$/;
/** The same of PostgreSQL to a program: killed, and not yet recovered. */
const POSTGRES_AWAY =
  /^(ECONNRESET|ECONNREFUSED|EPIPE|57P01|57P02|57P03|Connection terminated unexpectedly|Client has encountered a connection error .*)$/;

const say = (what: string) => process.stdout.write(`${what}\n`);

/** What clients work with, before anything is killed. */
async function setUp(fleet: KillableFleet): Promise<{ token: string; setup: FleetSetup }> {
  const url = fleet.processes[0]?.url ?? '';
  let token = await signInToServer(url);
  const call = async (...[route, options]: [Parameters<typeof callServer>[1], object?]) => {
    const { status, message, result } = await callServer(url, route, { token, ...options });
    if (status !== 200) throw new Error(message);
    return result;
  };
  const scopes = PERMISSION_CATALOGUE.map(({ identifier }) => identifier);
  token = (await call(apiKeyRoutes.create, { body: { name: 'Clients', scopes } })).key;
  const way = { host: '127.0.0.1', port: Number(new URL(fleet.urls.second).port), userName: 'postgres' };
  const record = { name: 'Second', ...way, password: POSTGRES_PASSWORD };
  const servers = { home: HOME_SERVER, second: (await call(databaseServerRoutes.create, { body: record })).id };
  const roles: Role[] = await call(roleRoutes.list);
  const tenants: FleetSetup['tenants'] = new Map(
    await Promise.all(
      tenantsOfWork().map(async ({ code, place }) => {
        const body = { ...tenantInput(code), databaseServerId: servers[place] };
        return [code, { id: (await call(tenantRoutes.create, { body })).id as string, place }] as const;
      }),
    ),
  );
  const viewer = roles.find(({ roleName }) => roleName === 'Viewer');
  return { token, setup: { servers, roleId: viewer?.id ?? '', tenants } };
}

/** Clients that work until they are stopped; each then ends what it has begun. */
function startClients(
  fleet: KillableFleet,
  ledger: CallLedger,
  { token, setup }: { token: string; setup: FleetSetup },
  done: Acknowledged,
) {
  const wrong: string[] = [];
  const givenUp: string[] = [];
  let isStopped = false;
  let clients = 0;
  const work = async (kind: string, number: number) => {
    const { pause, begin } = WORK[kind] as (typeof WORK)[string];
    clients += 1;
    const random = createRandom(SEED, `${kind} ${number}`);
    const client = new FleetClient({ processes: fleet.processes, ledger, token, random, number: clients });
    const turn = begin({ client, number, place: number % 2 === 0 ? 'home' : 'second', setup, done });
    while (!isStopped) {
      await turn().catch((error: Error) => {
        const list = error instanceof GivenUp ? givenUp : wrong;
        list.push(`${kind} ${number}: ${error.message}`);
      });
      await client.pause(pause);
    }
  };
  const working = Object.entries(WORK).flatMap(([kind, each]) =>
    Array.from({ length: each.clients }, (_, number) => work(kind, number)),
  );
  return {
    /** What clients were answered that they should not be. */
    wrong,
    /** Operations that were killed too often. */
    givenUp,
    async stop() {
      isStopped = true;
      await Promise.all(working);
    },
  };
}

/** Kills something that is whole every ten seconds, and waits until everything is whole again. */
async function killAtRandom(fleet: KillableFleet): Promise<void> {
  const random = createRandom(SEED, 'kills');
  const end = performance.now() + MINUTES * 60_000;
  const kills: Promise<void>[] = [];
  for (let next = performance.now() + BETWEEN_KILLS; next <= end; next += BETWEEN_KILLS) {
    await setTimeout(next - performance.now());
    const part = random.pick(fleet.whole());
    kills.push(fleet.kill(part));
  }
  await Promise.all(kills);
}

/** Runs `work` with a fleet. Where the test fails, clusters and logs are left to look at. */
async function withFleet(
  { task }: TestContext,
  work: (fleet: KillableFleet, ledger: CallLedger) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'apotheca-fleet-'));
  const ledger = new CallLedger();
  onTestFailed(() => void say(`Seed ${SEED}; clusters and logs are in ${folder}.`));
  const fleet = await startFleet(folder, ledger);
  await work(fleet, ledger).finally(() => fleet.stop());
  // What is expected softly does not throw.
  if (task.result?.state !== 'fail') await rm(folder, { recursive: true, force: true });
}

/** Everything acknowledged is there once, and nothing else is. */
async function expectWhole(remains: FleetRemains): Promise<void> {
  const compared = {
    ...(await remains.records()),
    ...(await remains.changes()),
    ...(await remains.audited()),
    archives: await remains.archives(),
  };
  const of = (side: 'expected' | 'found') =>
    Object.fromEntries(Object.entries(compared).map(([what, both]) => [what, both[side]]));
  expect.soft(of('found')).toEqual(of('expected'));
  for (const { code, done, asked, weeks, audited } of await remains.postponed())
    expect
      .soft(weeks >= done && weeks <= asked && weeks === audited, `${code}: ${done} to ${asked}, ${weeks}`)
      .toBe(true);
  expect.soft(await remains.operations()).toEqual([]);
  // What a killed rotation has left is dropped within a minute.
  for (const place of PLACES)
    await expect.poll(() => remains.unknown(place), UPKEEP).toEqual({ databases: [], roles: [] });
  expect.soft(await remains.verifyAudit()).toEqual({ code: 0, errors: '' });
}

/** Reconciliation finds nothing but what an interrupted CREATE DATABASE leaves in a cluster, and then nothing. */
async function expectReconciled(client: FleetClient, remains: FleetRemains): Promise<void> {
  const reconcile = () => client.get(reconciliationRoutes.reconcile);
  const { serversAway, findings } = await reconcile();
  const folders = findings.filter(({ kind }: Finding) => kind === 'orphan-directory');
  say(`Folders that an interrupted CREATE DATABASE left: ${folders.length}`);
  await remains.removeFolders(folders.map(({ subject }: Finding) => subject));
  expect.soft({ serversAway, findings: (await reconcile()).findings }).toEqual({ serversAway: [], findings: [] });
}

/** Attempts failed by nothing but what was killed, and what was not killed went on. */
function expectServed(ledger: CallLedger): void {
  const { hit, outside, outcomes, failures, examples } = ledger.figures();
  const kills = Object.entries(Object.groupBy(ledger.outages, ({ part }) => part)).map(([part, outages = []]) => {
    const seconds = outages.map(({ from, until }) => (until - from) / 1_000);
    return `${part}: ${seconds.length}, away ${Math.min(...seconds).toFixed(1)} to ${Math.max(...seconds).toFixed(1)} s`;
  });
  say(`Kills: ${kills.sort().join('; ')}`);
  say(`Attempts ${JSON.stringify({ hit, outside })}, outcomes ${JSON.stringify(outcomes)}`);
  say(`Failures by what was killed: ${JSON.stringify(failures)}`);
  say(`Failures outside of kills: ${examples.join('; ') || 'none'}`);
  expect.soft(ledger.attempts.filter(isWrong)).toEqual([]);
  expect.soft(outside.failures / outside.attempts).toBeLessThan(FAILURES_ALLOWED);
  expectOthersServed(
    'calls',
    ledger.besides('second', 'home', (attempt) => !isProgram(attempt)),
  );
  expectOthersServed('programs of home', ledger.besides('second', 'home', isProgram));
  expectOthersServed('programs of second', ledger.besides('home', 'second', isProgram));
}

const isProgram = ({ what }: Attempt) => what.startsWith('program');

/** Whether an attempt ended as none may, whatever is killed. */
function isWrong(attempt: Attempt): boolean {
  const { hasFailed, outcome } = attempt;
  if (!hasFailed) return outcome.startsWith('5');
  return (
    !(isProgram(attempt) ? POSTGRES_AWAY : AWAY).test(outcome) && !/^409 (Still going on|Already exists)$/.test(outcome)
  );
}

/** What does without a PostgreSQL server that is away went on in each of its outages. */
function expectOthersServed(what: string, outages: Meanwhile[]): void {
  const attempts = outages.reduce((sum, outage) => sum + outage.attempts, 0);
  const failures = outages.reduce((sum, outage) => sum + outage.failures, 0);
  const longest = Math.max(0, ...outages.map(({ unserved }) => unserved));
  say(
    `Of ${attempts} ${what} while the other server was away (${outages.length} times) ${failures} failed; none succeeded for at most ${longest} ms`,
  );
  expect.soft(failures, what).toBeLessThanOrEqual(attempts * FAILURES_ALLOWED);
  expect
    .soft(
      outages.filter((outage) => outage.attempts === outage.failures),
      what,
    )
    .toEqual([]);
}

if (IS_LONG_RUN) {
  it(
    `for ${MINUTES} minutes, with a kill of a process or PostgreSQL server every ten seconds: nothing acknowledged is lost, nothing is done twice, and what was not killed is served [DECISIONS §6]`,
    async (test) => {
      say(`Seed ${SEED}`);
      await withFleet(test, async (fleet, ledger) => {
        const ready = await setUp(fleet);
        const done = new Acknowledged();
        const clients = startClients(fleet, ledger, ready, done);
        await killAtRandom(fleet);
        await clients.stop();
        await operationsEnded(fleet.urls.home);
        const figures = Object.entries(done).map(([what, each]) => `${what} ${countOf(each)}`);
        say(`Acknowledged: ${figures.join(', ')}`);
        say(`Operations that were killed three times: ${clients.givenUp.join(', ') || 'none'}`);
        expect.soft(clients.wrong).toEqual([]);
        expectServed(ledger);
        const remains = new FleetRemains(fleet, ready.setup, done);
        await expectWhole(remains);
        const random = createRandom(SEED, 'end');
        const client = new FleetClient({ processes: fleet.processes, ledger, token: ready.token, random, number: 0 });
        await expectReconciled(client, remains);
      });
    },
    MINUTES * 60_000 + 900_000,
  );
}

/** How many there are of what was acknowledged. */
function countOf(each: string[] | Set<string> | Map<string, unknown>): number {
  if (!(each instanceof Map)) return [...each].length;
  const counts = [...each.values()].map((value) => {
    if (typeof value === 'number') return value;
    return Array.isArray(value) ? value.length : (value as { done: number }).done;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('the ledger of calls among kills', () => {
  const attempt = (fields: Partial<Attempt>): Attempt => ({
    what: 'GET /x',
    needs: ['process 1', 'home'],
    began: 0,
    ended: 1,
    outcome: '503',
    hasFailed: true,
    ...fields,
  });
  const ledgerOf = (...attempts: Attempt[]) => {
    const ledger = new CallLedger();
    ledger.outages.push({ part: 'second', from: 100, until: 200 });
    ledger.attempts.push(...attempts);
    return ledger;
  };
  const second = { needs: ['process 1', 'home', 'second'] };

  it.each([
    ['begins before and ends within', { began: 90, ended: 110 }, true],
    ['begins within and ends after', { began: 190, ended: 300 }, true],
    ['lasts longer', { began: 90, ended: 300 }, true],
    ['ends before', { began: 90, ended: 99 }, false],
    ['begins after', { began: 201, ended: 300 }, false],
    ['needs something else', { began: 110, ended: 120, needs: ['process 1', 'home'] }, false],
  ])('knows whether a kill has hit an attempt that %s [DECISIONS §6]', (_, fields, isHit) => {
    const { hit, outside, failures, examples } = ledgerOf(attempt({ ...second, ...fields })).figures();
    const [one, none] = [
      { attempts: 1, failures: 1 },
      { attempts: 0, failures: 0 },
    ];
    expect({ hit, outside }).toEqual(isHit ? { hit: one, outside: none } : { hit: none, outside: one });
    expect(failures).toEqual({ [isHit ? 'second: 503' : 'none: 503']: 1 });
    expect(examples).toHaveLength(isHit ? 0 : 1);
  });

  it('takes a conflict with what a hit attempt has left for its aftermath, and no other failure [DECISIONS §6]', () => {
    const first = attempt({ ...second, began: 150, ended: 160 });
    const conflict = attempt({ ...second, began: 300, ended: 310, outcome: '409 Still going on', after: first });
    const away = attempt({ ...second, began: 320, ended: 330, after: conflict });
    const alone = attempt({ ...second, began: 340, ended: 350, outcome: '409 Still going on' });
    const { hit, outside } = ledgerOf(first, conflict, away, alone).figures();
    expect([hit.failures, outside.failures]).toEqual([2, 2]);
  });

  it('tells of each outage how the others fared meanwhile [DECISIONS §6]', () => {
    const [began, ended] = [150, 160];
    const ledger = ledgerOf(
      attempt({ began, ended, hasFailed: false, outcome: '200' }),
      attempt({ began, ended }),
      attempt({ ...second, began, ended }),
      attempt({ began: 90, ended }),
    );
    expect(ledger.besides('second', 'home', () => true)).toEqual([{ attempts: 2, failures: 1, unserved: 60 }]);
    expect(ledger.besides('home', 'second', () => true)).toEqual([]);
    ledger.outages.push({ part: 'home', from: 199, until: 300 });
    expect(ledger.besides('second', 'home', () => true)).toEqual([]);
  });
});
