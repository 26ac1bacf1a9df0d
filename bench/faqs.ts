import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import pg from 'pg';
import { type Access, call } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { reportBound, time } from './measurements.ts';
import { load, startServer } from './processes.ts';

const QUESTIONS = 10_000;
const MOVES = 200;
const AT_ONCE = 400;
const ROUNDS = 5;

/** 10,000 questions in one section: moves one after another and at once, the list, and what the first text to sanitize costs. */
export async function benchFaqs({ environment }: Installation): Promise<string[]> {
  const ids = await fillQuestions(environment.DATABASE_URL);
  const server = await startServer(environment);
  try {
    const access = { url: server.url, token: await signIn(server.url) };
    const move = (count: number) =>
      call(access, faqQuestionRoutes.move, {
        query: { id: ids.questions[(count * 7_919) % QUESTIONS] ?? '', moveUp: String(count % 2 === 0) },
      });
    const single: number[] = [];
    for (let count = 0; count < MOVES; count += 1) single.push(await time(() => move(count)));
    const atOnce: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      atOnce.push(await time(() => Promise.all(Array.from({ length: AT_ONCE }, (_, count) => move(count)))));
    }
    const list = await load(
      `${server.url}/api${faqQuestionRoutes.list.path}?sectionId=${ids.sectionId}`,
      access.token,
      1,
      4,
    );
    const before = server.memory();
    const texts = [await time(() => write(access, ids)), await time(() => write(access, ids))];
    const sanitizer = server.memory() - before;
    return [
      reportBound(`a move among ${QUESTIONS} questions`, single, ' ms', 50),
      reportBound(`${AT_ONCE} moves at once`, atOnce, ' ms', 2_000),
      reportBound(`GET ${faqQuestionRoutes.list.path}, ${QUESTIONS} questions, p50`, [list.p50], ' ms', 1_000),
      `       first text sanitized in ${texts[0]?.toFixed(0)} ms, the next in ${texts[1]?.toFixed(0)} ms; memory ${before.toFixed(0)} MiB, ${sanitizer.toFixed(0)} MiB more with the sanitizer`,
    ];
  } finally {
    await server.stop();
  }
}

interface Filled {
  faqId: string;
  sectionId: string;
  questions: string[];
}

function write(access: Access, { faqId, sectionId }: Filled): Promise<unknown> {
  const body = { faqId, sectionId, question: 'Why?', answer: '<p>Because <b>so</b>.</p>', sortOrder: QUESTIONS };
  return call(access, faqQuestionRoutes.create, { body });
}

async function fillQuestions(url: string): Promise<Filled> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: made } = await client.query(
    `with faq as (
       insert into faqs (name, code, overview, sort_order, is_active, published, created_at, updated_at)
       values ('Bench', 'BENCH', '', 0, true, true, now(), now()) returning id
     )
     insert into faq_sections (faq_id, name, code, overview, icon, sort_order, is_active, published, created_at, updated_at)
     select id, 'Bench', 'BENCH', '', '', 0, true, true, now(), now() from faq returning id, faq_id`,
  );
  const { rows } = await client.query(
    `insert into faq_questions (section_id, question, answer, sort_order, is_active, published, created_at, updated_at)
     select $1, 'Question number ' || n || '?', '<p>' || repeat('An answer of some words. ', 12) || '</p>', n, true, true, now(), now()
     from generate_series(0, $2::integer - 1) n returning id`,
    [made[0].id, QUESTIONS],
  );
  await client.query('vacuum analyze');
  await client.end();
  return { faqId: made[0].faq_id, sectionId: made[0].id, questions: rows.map(({ id }) => id) };
}
