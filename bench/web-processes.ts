import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { type Installation, signIn } from './installation.ts';
import { ratiosOf, summarise, takeTurns } from './measurements.ts';
import { cpuOfFamily, cpuOfMachine, ROOT, type RunningProcess, startServer } from './processes.ts';
import type { Read, Reading } from './readers.ts';
import { fillFaqs, fillTenants, fillUsers, withClient } from './rows.ts';
import { ENCODINGS } from './sides.ts';
import { type Cell, type Row, type Table, type Target, verdictOn } from './tables.ts';

const ROWS = 1_000;
const FAQS = 100;
/** Those who ask a server at once share its query, so many consoles make an answer cheaper. */
const CONSOLES = 64;
/** Short and many: what else the machine does comes and goes. */
const ROUNDS = 12;
/** Milliseconds of a round. */
const ROUND = 1_500;
/** Of each process before, until its code is compiled. */
const WARM_UP = 6_000;
/** Answers to a write. */
const ANSWERS = 200;

/** As the console's pages ask for them. */
const PATHS = [
  '/api/tenant/get?sortColumn=code&sortDirection=asc',
  '/api/managedatabase/getalldatabase?sortColumn=datName&sortDirection=asc',
  '/api/users/get?sortColumn=userName&sortDirection=asc',
  '/api/adminpermission/get?sortColumn=sortOrder&sortDirection=asc',
  '/api/adminpermission/getmenus',
  '/api/faq/get',
];

const WRITES = [
  `update tenants set city = reverse(city) where code = 'CLINIC1'`,
  `update users set phone = reverse(phone) where user_name = 'user1'`,
  `update databases set name = reverse(name) where physical_name = 'db_clinic1'`,
  `update faqs set name = reverse(name) where code = 'F1'`,
];

/** Processor time in a round: milliseconds in a second. */
interface Usage {
  first: number;
  second: number;
  worker: number;
  postgres: number;
  readers: number;
  /** All else on the machine. */
  others: number;
}

interface Round extends Read {
  usage: Usage;
  load: number;
}

/** Reads of lists by one web process and by two in turn, beside one worker, and what the processors did meanwhile. */
export async function benchWebProcesses(installation: Installation): Promise<Table[]> {
  const { environment } = installation;
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, ROWS);
    await fillUsers(client, ROWS);
    await fillFaqs(client, FAQS);
  });
  const processes: RunningProcess[] = [];
  const readers = startReaders();
  try {
    for (const role of ['web', 'web', 'worker'])
      processes.push(await startServer({ ...environment, APOTHECA_ROLE: role }));
    const [first, second, worker] = processes;
    if (!first || !second || !worker) throw new Error('No processes');
    const token = await signIn(first.url);
    const measured = { installation, first, second, worker, readers, token };
    return [await measureReads(measured, false), await measureReads(measured, true)];
  } finally {
    readers.stop();
    for (const process of processes) await process.stop();
  }
}

interface Measured {
  installation: Installation;
  first: RunningProcess;
  second: RunningProcess;
  worker: RunningProcess;
  readers: Readers;
  token: string;
}

async function measureReads(measured: Measured, isWritten: boolean): Promise<Table> {
  const { first, second } = measured;
  for (const { url } of [first, second]) await readersOf(measured, [url], CONSOLES, isWritten, WARM_UP);
  const both = [first.url, second.url];
  const { one, two, more } = await takeTurns(ROUNDS, {
    one: () => measureRound(measured, [first.url], CONSOLES, isWritten),
    two: () => measureRound(measured, both, CONSOLES, isWritten),
    more: () => measureRound(measured, both, 2 * CONSOLES, isWritten),
  });
  const what = isWritten ? `a write after ${ANSWERS} reads` : 'unchanged';
  return {
    title: `Web processes: lists of ${ROWS.toLocaleString('en-US')} rows, ${CONSOLES} consoles, ${what}`,
    columns: COLUMNS,
    rows: [
      rowOf('one web process', one),
      rowOf('two web processes', two),
      ratioOf('two to one', two, one, { atLeast: 1.6 }),
      rowOf('two, twice as many consoles', more),
      ratioOf('these to one', more, one),
    ],
    notes: limits(one, two, more),
    chart: { kind: 'bars', cell: 0 },
  };
}

function ratioOf(name: string, rounds: Round[], others: Round[], target?: Target): Row {
  const rates = ratiosOf(rounds.map(rateOf), others.map(rateOf));
  const perSecond = ratiosOf(rounds.map(perServerSecond), others.map(perServerSecond));
  const verdict = target ? verdictOn(rates, target) : '';
  return { name, cells: [{ figures: rates }, '', '', { figures: perSecond }, '', '', '', '', '', '', verdict] };
}

const COLUMNS: Table['columns'] = [
  '',
  'answers/s',
  'lists in full',
  'p99',
  'answers per second of server CPU',
  'first',
  'second',
  'PostgreSQL',
  'readers',
  'all else',
  'load',
  'target',
];

function rowOf(name: string, rounds: Round[]): Row {
  const share = (figure: (usage: Usage) => number): Cell => ({
    figures: rounds.map(({ usage }) => figure(usage) / 10),
    unit: ' %',
  });
  const cells: Cell[] = [
    { figures: rounds.map(rateOf) },
    { figures: rounds.map(({ full, answers }) => (100 * full) / answers), unit: ' %' },
    { figures: rounds.map(({ p99 }) => p99), unit: ' ms' },
    { figures: rounds.map(perServerSecond) },
    share(({ first }) => first),
    share(({ second }) => second),
    share(({ postgres }) => postgres),
    share(({ readers }) => readers),
    share(({ others, worker }) => others + worker),
    { figures: rounds.map(({ load }) => load) },
    '',
  ];
  return { name, cells };
}

const rateOf = ({ answersPerSecond }: Round): number => answersPerSecond;
const serversOf = ({ first, second }: Usage): number => first + second;
const perServerSecond = ({ answersPerSecond, usage }: Round): number => (1000 * answersPerSecond) / serversOf(usage);

/** Milliseconds of processor time of an answer: of the server, and of PostgreSQL and the readers. */
function costOf(rounds: Round[]): { server: number; besides: number } {
  const median = (cost: (usage: Usage) => number) =>
    summarise(rounds.map(({ usage, answersPerSecond }) => cost(usage) / answersPerSecond)).median;
  return { server: median(serversOf), besides: median(({ postgres, readers }) => postgres + readers) };
}

/** What the processors leave to a second process, in words. */
function limits(one: Round[], two: Round[], more: Round[]): string[] {
  const cores = availableParallelism();
  const [alone, both, busy] = [costOf(one), costOf(two), costOf(more)];
  const most = (processes: number, { server, besides }: typeof alone) =>
    1000 * Math.min(processes / server, cores / (server + besides));
  const inFull = (rate: number) => Number(rate.toPrecision(2)).toLocaleString('en-US');
  const inMilliseconds = ({ server, besides }: typeof alone) => `${server.toFixed(3)} and ${besides.toFixed(3)} ms`;
  return [
    `Processor time of an answer, in servers and besides them in PostgreSQL and for the readers: ${inMilliseconds(alone)} with one server, ${inMilliseconds(both)} with two, ${inMilliseconds(busy)} with twice as many consoles.`,
    `So ${cores} processors without other work give some ${inFull(most(1, alone))} answers a second by one server, which keeps at most one of them busy, and ${inFull(most(2, both))} by two: ${(most(2, both) / most(1, alone)).toFixed(2)} times.`,
    `With enough processors two give ${((2 * alone.server) / both.server).toFixed(2)} times as many as one, and ${((2 * alone.server) / busy.server).toFixed(2)} times where each has as many consoles as the one had.`,
    "Shares are of one processor. 'All else' is the worker, other programs on this machine and what its host took.",
  ];
}

async function measureRound(measured: Measured, urls: string[], consoles: number, isWritten: boolean): Promise<Round> {
  const { installation, first, second, worker, readers } = measured;
  const look = (): Usage => {
    const ours = {
      first: first.cpu(),
      second: second.cpu(),
      worker: worker.cpu(),
      postgres: installation.postgresCpu(),
      readers: readers.cpu(),
    };
    return { ...ours, others: cpuOfMachine() - Object.values(ours).reduce((sum, each) => sum + each) };
  };
  const before = look();
  const startedAt = performance.now();
  const read = await readersOf(measured, urls, consoles, isWritten, ROUND);
  const seconds = (performance.now() - startedAt) / 1000;
  const after = look();
  const parts = Object.keys(after) as (keyof Usage)[];
  const shares = parts.map((part) => [part, (after[part] - before[part]) / seconds]);
  return { ...read, usage: Object.fromEntries(shares), load: loadavg()[0] ?? Number.NaN };
}

function readersOf(
  { installation, readers, token }: Measured,
  urls: string[],
  consoles: number,
  isWritten: boolean,
  milliseconds: number,
): Promise<Read> {
  const writes = { databaseUrl: installation.environment.DATABASE_URL, statements: WRITES, every: ANSWERS };
  return readers.read({
    urls,
    paths: PATHS,
    headers: { authorization: `Bearer ${token}`, ...ENCODINGS },
    consoles,
    milliseconds,
    ...(isWritten && { writes }),
  });
}

interface Readers {
  read(reading: Reading): Promise<Read>;
  /** Milliseconds of processor time so far. */
  cpu(): number;
  stop(): void;
}

function startReaders(): Readers {
  const child = fork(join(ROOT, 'bench/readers.ts'));
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The readers have ended.')));
  failed.catch(() => undefined);
  return {
    async read(reading) {
      child.send(reading);
      const [read] = await Promise.race([once(child, 'message'), failed]);
      return read;
    },
    cpu: () => cpuOfFamily(child.pid ?? 0),
    stop: () => void child.kill(),
  };
}
