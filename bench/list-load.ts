import type { Installation } from './installation.ts';
import type { List } from './lists.ts';
import { load } from './load.ts';
import { quantile, ratiosOf } from './measurements.ts';
import { ENCODINGS, fetchAnswer, type Side, type Sides, withSides } from './sides.ts';
import { type Cell, type Figures, type Row, type Table, type Target, verdictOn } from './tables.ts';

/** How long and how often a side is loaded. */
export interface Effort {
  rounds: number;
  /** Answers of a round at least. More are taken where so many need less than a quarter of a second. */
  answers: number;
  /** Milliseconds of a round at most; a slow side gives fewer answers. */
  most: number;
}

/** 200 answers a side, or a minute. */
const FULL: Effort = { rounds: 5, answers: 40, most: 12_000 };
/** Milliseconds of a round at least: 25 clock ticks of processor time. */
const LEAST = 250;

/** What a round of a side gave. */
export interface Round {
  answersPerSecond: number;
  /** Milliseconds of processor time an answer. */
  serverCpu: number;
  postgresCpu: number;
  times: number[];
  /** MiB. */
  peakMemory: number;
}

interface Variant {
  name: string;
  sides: (keyof Sides)[];
  /** Headers that are sent; undefined: the side's answers have nothing of the kind. */
  headersFor(side: Side): Promise<Record<string, string> | undefined>;
  isWritten?: boolean;
  /** Of our answers a second to those of a side; for our own side, of the server's milliseconds of processor time. */
  targets?: Partial<Record<keyof Sides, Target>>;
}

export const VARIANTS = {
  unchanged: {
    name: 'unchanged',
    // A plain table costs the same whether something has changed or not: it stands beside the list with writes.
    sides: ['ours', 'buffer', 'earlier'],
    headersFor: async () => ({}),
    targets: { buffer: { atLeast: 0.6 } },
  },
  known: {
    name: 'unchanged, If-None-Match',
    sides: ['ours', 'buffer', 'earlier'],
    headersFor: async ({ request }) => {
      const { etag } = (await fetchAnswer(request)).headers;
      return typeof etag === 'string' ? { 'if-none-match': etag } : undefined;
    },
    targets: { ours: { atMost: 1 } },
  },
  encoded: {
    name: 'unchanged, Accept-Encoding',
    sides: ['ours', 'buffer', 'earlier'],
    headersFor: async ({ request: { url, headers } }) => {
      const answer = await fetchAnswer({ url, headers: { ...headers, ...ENCODINGS } });
      return answer.headers['content-encoding'] ? ENCODINGS : undefined;
    },
  },
  written: {
    name: 'a write between any two reads',
    sides: ['ours', 'plain', 'earlier'],
    headersFor: async () => ({}),
    isWritten: true,
    targets: { plain: { atLeast: 0.8 } },
  },
} satisfies Record<string, Variant>;

/** A list by ten connections, beside what else answers with the same bytes. @returns a table a variant */
export function benchList(installation: Installation, name: string, list: List): Promise<Table[]> {
  return withSides(installation, list, async (sides) => {
    const tables: Table[] = [];
    for (const variant of Object.values<Variant>(VARIANTS)) {
      const title = `${name}: ${list.rows.toLocaleString('en-US')} rows, ${variant.name}`;
      if (await variant.headersFor(sides.ours)) tables.push(await measureVariant(installation, title, sides, variant));
      else console.log(`\n${title}: left out, because Apotheca's answer has nothing of the kind`);
    }
    return tables;
  });
}

async function measureVariant(
  installation: Installation,
  title: string,
  sides: Sides,
  variant: Variant,
): Promise<Table> {
  const rounds = await measureRounds(installation, sides, variant, FULL);
  const ours = rounds.ours ?? [];
  const rows: Row[] = [];
  for (const key of variant.sides) {
    const [side, taken] = [sides[key], rounds[key]];
    if (!side || !taken) continue;
    const figures = await figuresOf(side, taken, (await variant.headersFor(side)) ?? {});
    rows.push({ name: side.name, cells: [...figures, ...comparedTo(key, ours, taken, variant.targets?.[key])] });
  }
  return { title, columns: COLUMNS, rows, chart: { kind: 'bars', cell: 0 } };
}

/** The last three cells of a side's row. */
function comparedTo(key: keyof Sides, ours: Round[], side: Round[], target: Target | undefined): Cell[] {
  const cpu = { figures: ratiosOf(ours.map(cpuOf), side.map(cpuOf)) };
  const rates = { figures: ratiosOf(ours.map(rateOf), side.map(rateOf)) };
  const compared = key === 'ours' ? ours.map(({ serverCpu }) => serverCpu) : rates.figures;
  const verdict = target ? verdictOn(compared, target) : '';
  return key === 'ours' ? ['', '', verdict] : [cpu, rates, verdict];
}

const rateOf = ({ answersPerSecond }: Round): number => answersPerSecond;
/** Milliseconds of processor time an answer. */
export const cpuOf = ({ serverCpu, postgresCpu }: Round): number => serverCpu + postgresCpu;

const COLUMNS: Table['columns'] = [
  '',
  'answers/s',
  'p50',
  'p99',
  'server CPU',
  'PostgreSQL CPU',
  'sent',
  'with Accept-Encoding',
  'peak memory',
  'CPU, Apotheca to it',
  'answers/s, Apotheca to it',
  'target',
];

async function figuresOf({ request }: Side, rounds: Round[], sent: Record<string, string>): Promise<Figures[]> {
  const headers = { ...request.headers, ...sent };
  const bytes = async (more: Record<string, string>) =>
    (await fetchAnswer({ url: request.url, headers: { ...headers, ...more } })).bytes / 1000;
  const times = rounds.flatMap((round) => round.times);
  return [
    { figures: rounds.map(rateOf) },
    { figures: [quantile(times, 0.5)], unit: ' ms' },
    { figures: [quantile(times, 0.99)], unit: ' ms' },
    { figures: rounds.map(({ serverCpu }) => serverCpu), unit: ' ms' },
    { figures: rounds.map(({ postgresCpu }) => postgresCpu), unit: ' ms' },
    { figures: [await bytes({})], unit: ' kB' },
    { figures: [await bytes(ENCODINGS)], unit: ' kB' },
    { figures: [Math.max(...rounds.map(({ peakMemory }) => peakMemory))], unit: ' MiB' },
  ];
}

/** Loads the sides in turn. Two loads that do not count warm a side up and tell how many answers make a round. */
export async function measureRounds(
  installation: Installation,
  sides: Partial<Sides>,
  variant: Pick<Variant, 'sides' | 'headersFor' | 'isWritten'>,
  effort: Effort,
): Promise<Partial<Record<keyof Sides, Round[]>>> {
  const runs: { key: keyof Sides; run: (answers: number) => Promise<Round>; answers: number; rounds: Round[] }[] = [];
  for (const key of variant.sides) {
    const side = sides[key];
    if (!side) continue;
    const headers = { ...side.request.headers, ...(await variant.headersFor(side)) };
    const run = (answers: number) => measureRound(installation, side, headers, answers, variant.isWritten);
    const { answersPerSecond } = await run((await run(0)).answersPerSecond * (LEAST / 1000));
    runs.push({ key, run, answers: answersOf(answersPerSecond, effort), rounds: [] });
  }
  for (let round = 0; round < effort.rounds; round += 1)
    for (const { run, answers, rounds } of runs) rounds.push(await run(answers));
  return Object.fromEntries(runs.map(({ key, rounds }) => [key, rounds]));
}

const answersOf = (perSecond: number, { answers, most }: Effort): number =>
  Math.ceil(Math.min(Math.max(answers, (perSecond * LEAST) / 1000), (perSecond * most) / 1000));

async function measureRound(
  { postgresCpu }: Installation,
  { process, request, write }: Side,
  headers: Record<string, string>,
  answers: number,
  isWritten = false,
): Promise<Round> {
  process.forgetPeak();
  const before = [process.cpu(), postgresCpu()] as const;
  const writes: Promise<unknown>[] = [];
  const onAnswer = isWritten && write ? () => void writes.push(write()) : undefined;
  const { answersPerSecond, times } = await load({ ...request, headers }, answers, onAnswer);
  await Promise.all(writes);
  return {
    answersPerSecond,
    times,
    serverCpu: (process.cpu() - before[0]) / times.length,
    postgresCpu: (postgresCpu() - before[1]) / times.length,
    peakMemory: process.peakMemory(),
  };
}
