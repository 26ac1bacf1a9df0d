import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';

const test = useTestApp({ publicFaq: { frames: [] } });

const START = Date.parse('2026-11-20T08:00:00.000Z');
const minute = (count: number) => new Date(START + count * 60_000);

/** What decides whether readers see a row, apart from what it is in. Moments are minutes from the start. */
const state = fc.record({
  isActive: fc.boolean(),
  published: fc.boolean(),
  publishAt: fc.option(fc.nat(4)),
  publishUntil: fc.option(fc.integer({ min: 5, max: 8 })),
});
type State = typeof state extends fc.Arbitrary<infer Value> ? Value : never;

type Step =
  | { kind: 'change'; row: number; state: State }
  | { kind: 'module'; isBound: boolean }
  | { kind: 'move'; question: number; section: number }
  | { kind: 'delete'; row: number }
  | { kind: 'wait'; seconds: number };

const SECTIONS = 2;
const QUESTIONS = 4;
const rows = 1 + SECTIONS + QUESTIONS;
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), row: fc.nat(rows - 1), state }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('module' as const), isBound: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      question: fc.nat(QUESTIONS - 1),
      section: fc.nat(SECTIONS - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), row: fc.nat(rows - 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 150 }) }),
  },
);

/** A row of the model: the FAQ, then its sections, then the questions. */
interface Row {
  table: 'faqs' | 'faq_sections' | 'faq_questions';
  id: string;
  /** The place of its parent among the rows; absent: the FAQ. */
  parent?: number;
  state: State;
  isDeleted: boolean;
}

/** The plain model: a row is seen if it and all that it is in are active, published and within their period. */
class Model {
  isBound = false;
  readonly rows: Row[];
  constructor(rows: Row[]) {
    this.rows = rows;
  }

  isSeen(row: Row | undefined, now: Date): boolean {
    if (!row || row.isDeleted) return false;
    const { isActive, published, publishAt, publishUntil } = row.state;
    if (!isActive || !published) return false;
    if (publishAt !== null && now < minute(publishAt)) return false;
    if (publishUntil !== null && now >= minute(publishUntil)) return false;
    return row.parent === undefined ? !this.isBound : this.isSeen(this.rows[row.parent], now);
  }

  seen(now: Date): string[] {
    return this.rows.filter((row) => this.isSeen(row, now)).map(({ id }) => id);
  }
}

it('the public page shows what the model says after each of many random changes, and nothing else [DECISIONS §13]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(state, { minLength: rows, maxLength: rows }),
      fc.array(step, { maxLength: 8 }),
      async (states, steps) => {
        test.clock.now = new Date(START);
        const model = new Model(await fill(states));
        await compare(model);
        for (const one of steps) {
          await take(model, one);
          await compare(model);
        }
      },
    ),
    { numRuns: IS_LONG_RUN ? 1_000 : 60 },
  );
});

const query = (text: string, values: unknown[] = []) => test.context.pool.query(text, values);
const momentOf = (count: number | null) => (count === null ? null : minute(count));
const columnsOf = ({ isActive, published, publishAt, publishUntil }: State) => [
  isActive,
  published,
  momentOf(publishAt),
  momentOf(publishUntil),
];

async function fill(states: readonly State[]): Promise<Row[]> {
  await query('delete from faqs');
  const filled: Row[] = [];
  for (const [at, one] of states.entries()) {
    const [table, parent] = placeOf(at);
    const parentId = parent === undefined ? undefined : filled[parent]?.id;
    const id = await insert(table, at, one, parentId);
    filled.push({ table, id, ...(parent !== undefined && { parent }), state: one, isDeleted: false });
  }
  return filled;
}

function placeOf(at: number): [Row['table'], number?] {
  if (at === 0) return ['faqs'];
  return at <= SECTIONS ? ['faq_sections', 0] : ['faq_questions', 1 + (at % SECTIONS)];
}

async function insert(table: Row['table'], at: number, one: State, parentId: string | undefined): Promise<string> {
  const own = {
    faqs: ['name, code, overview', `'F', 'F', ''`],
    faq_sections: ['name, code, overview, icon, faq_id', `'S', 'S' || $1::text, '', '', $6`],
    faq_questions: ['question, answer, section_id', `'Q', '<p>A</p>', $6`],
  }[table];
  const { rows: made } = await query(
    `insert into ${table} (sort_order, is_active, published, publish_at, publish_until, created_at, updated_at, ${own[0]})
     values ($1::int, $2, $3, $4, $5, now(), now(), ${own[1]}) returning id`,
    [at, ...columnsOf(one), ...(parentId === undefined ? [] : [parentId])],
  );
  return made[0].id;
}

async function take(model: Model, one: Step): Promise<void> {
  if (one.kind === 'wait') return test.clock.advance(one.seconds);
  if (one.kind === 'module') {
    model.isBound = one.isBound;
    await query('update faqs set module = $1', [one.isBound ? 'Rx' : null]);
    return;
  }
  if (one.kind === 'move') return move(model, one.question, one.section);
  const row = model.rows[one.row];
  if (!row || row.isDeleted) return;
  if (one.kind === 'change') {
    row.state = one.state;
    await query(
      `update ${row.table} set is_active = $1, published = $2, publish_at = $3, publish_until = $4 where id = $5`,
      [...columnsOf(one.state), row.id],
    );
  } else {
    row.isDeleted = true;
    await query(`delete from ${row.table} where id = $1`, [row.id]);
  }
}

async function move(model: Model, question: number, section: number): Promise<void> {
  const row = model.rows[1 + SECTIONS + question];
  const parent = model.rows[1 + section];
  const isGone = (one: Row | undefined): boolean =>
    !one || one.isDeleted || (one.parent !== undefined && isGone(model.rows[one.parent]));
  if (!row || !parent || isGone(row) || isGone(parent)) return;
  row.parent = 1 + section;
  await query('update faq_questions set section_id = $1 where id = $2', [parent.id, row.id]);
}

/** Page, feed, search and index say the same as the model. */
async function compare(model: Model): Promise<void> {
  const [faq] = model.rows;
  const expected = model.seen(test.clock.now);
  const questions = expected.filter((id) => model.rows.findIndex((row) => row.id === id) > SECTIONS);
  const [page, feed, search, index] = await Promise.all(
    ['/F', '/F/feed.json', '/F?q=a', ''].map((path) => test.app.inject(`/public/faqs${path}`)),
  );
  const isSeen = expected.includes(faq?.id ?? '');
  expect([page, feed, search].map((answer) => answer?.statusCode)).toEqual(Array(3).fill(isSeen ? 200 : 404));
  const ids = (body = '', prefix: string) =>
    [...body.matchAll(new RegExp(` id="${prefix}-([\\w-]+)"`, 'g'))].map(([, id]) => id);
  if (isSeen) {
    const shown = [...ids(page?.body, 's'), ...ids(page?.body, 'q')];
    expect(shown.toSorted()).toEqual(expected.filter((id) => id !== faq?.id).toSorted());
    expect(
      feed
        ?.json()
        .items.map(({ id }: { id: string }) => id)
        .toSorted(),
    ).toEqual(questions.toSorted());
    expect(ids(search?.body, 'q').toSorted()).toEqual(questions.toSorted());
  }
  expect(index?.body.includes('/public/faqs/F"')).toBe(isSeen);
}
