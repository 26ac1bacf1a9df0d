import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import pg from 'pg';
import { type Access, call } from './calls.ts';
import type { Installation } from './installation.ts';
import { takeTurns, time } from './measurements.ts';
import { withServer } from './real-tenants.ts';
import { type FilledFaq, fillQuestions, withClient } from './rows.ts';
import { type Comparison, compare, type Table } from './tables.ts';

const QUESTIONS = 10_000;
const ROUNDS = 5;
/** Moves of a round, one after another. */
const MOVES = 40;
const AT_ONCE = 400;

/** 10,000 questions in one section: moves one after another and at once beside bare statements, and what the first text to sanitize costs. */
export async function benchFaqs(installation: Installation): Promise<Table[]> {
  const pool = new pg.Pool({ connectionString: installation.environment.DATABASE_URL });
  try {
    const faq = await withClient(installation.environment.DATABASE_URL, (client) => fillQuestions(client, QUESTIONS));
    await makePlaces(pool);
    return await withServer(installation, async (access, server) => {
      const moves = await compareMoves(access, pool, faq);
      const before = server.memory();
      const texts = [await time(() => write(access, faq)), await time(() => write(access, faq))];
      const gained = server.memory() - before;
      const note = `The first text is sanitized in ${texts[0]?.toFixed(0)} ms, the next in ${texts[1]?.toFixed(0)} ms, with ${gained.toFixed(0)} MiB more memory.`;
      return [compare(`Moves among ${QUESTIONS.toLocaleString('en-US')} questions`, moves, [note])];
    });
  } finally {
    await pool.end();
  }
}

async function compareMoves(access: Access, pool: pg.Pool, { questions }: FilledFaq): Promise<Comparison[]> {
  const move = (count: number) => {
    const id = questions[(count * 7_919) % QUESTIONS] ?? '';
    return call(access, faqQuestionRoutes.move, { query: { id, moveUp: String(count % 2 === 0) } });
  };
  const swap = (count: number) => swapPlaces(pool, (count * 7_919) % (QUESTIONS - 1));
  const one = await takeTurns(ROUNDS, { ours: () => oneByOne(move), floor: () => oneByOne(swap) });
  const many = await takeTurns(ROUNDS, { ours: () => atOnce(move), floor: () => atOnce(swap) });
  return [
    { name: 'a move, beside an UPDATE of two rows', unit: ' ms', ...one },
    { name: `${AT_ONCE} moves at once, beside as many UPDATEs`, unit: ' ms', ...many },
  ];
}

type Move = (count: number) => Promise<unknown>;

/** Milliseconds of a move. */
async function oneByOne(move: Move): Promise<number> {
  const all = await time(async () => {
    for (let count = 0; count < MOVES; count += 1) await move(count);
  });
  return all / MOVES;
}

const atOnce = (move: Move) => time(() => Promise.all(Array.from({ length: AT_ONCE }, (_, count) => move(count))));

/** The least that a move needs: the places of as many questions, and nothing else. */
async function makePlaces(pool: pg.Pool): Promise<void> {
  await pool.query('create table bench_places (id integer primary key, place integer not null)');
  await pool.query('insert into bench_places select n, n from generate_series(0, $1::integer - 1) n', [QUESTIONS]);
  await pool.query('vacuum analyze bench_places');
}

/** Two neighbours change places. */
const swapPlaces = (pool: pg.Pool, id: number) =>
  pool.query('update bench_places set place = 2 * $1 + 1 - place where id in ($1, $1 + 1)', [id]);

function write(access: Access, { faqId, sectionId }: FilledFaq): Promise<unknown> {
  const body = { faqId, sectionId, question: 'Why?', answer: '<p>Because <b>so</b>.</p>', sortOrder: QUESTIONS };
  return call(access, faqQuestionRoutes.create, { body });
}
