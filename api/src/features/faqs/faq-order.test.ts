import { ALWAYS } from '@apotheca/contract/faq-content';
import { type FaqQuestion, faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { type FaqSection, faqSectionRoutes } from '@apotheca/contract/faq-sections';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { SERVER_ACTOR } from '../../actor.ts';
import { useTestApp } from '../../testing/app.ts';
import { makeFaqs, questionInput, sectionInput } from '../../testing/faqs.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { moveQuestion, moveSection } from './faq-moves.service.ts';
import { createQuestion, deleteQuestion, editQuestion } from './questions.service.ts';
import { createSection, deleteSection, editSection } from './sections.service.ts';

const test = useTestApp();
const make = makeFaqs(test);

const sectionsOf = async (faqId: string): Promise<FaqSection[]> =>
  (await test.call(faqSectionRoutes.list, { query: { faqId } })).result;
const questionsOf = async (sectionId: string): Promise<FaqQuestion[]> =>
  (await test.call(faqQuestionRoutes.list, { query: { sectionId } })).result;
const orders = (rows: { sortOrder: number }[]) => rows.map(({ sortOrder }) => sortOrder);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a new section', () => {
  it('goes behind those whose sort order is not larger, and the later ones move on [DECISIONS §11]', async () => {
    const faqId = await make.faq();
    for (const [name, sortOrder] of Object.entries({ A: 1, B: 1, C: 7, D: 1, E: 2_147_483_647 })) {
      await make.section(faqId, { name, sortOrder });
    }
    const sections = await sectionsOf(faqId);
    expect(sections.map(({ name }) => name)).toEqual(['A', 'B', 'D', 'C', 'E']);
    expect(orders(sections)).toEqual(upTo(5));
  });

  it('goes to the end with the default sort order, also after others were moved or given a sort order [DECISIONS §11]', async () => {
    const faqId = await make.faq();
    for (const name of ['A', 'B', 'C', 'D']) await make.section(faqId, { name });
    expect((await sectionsOf(faqId)).map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D']);
    await make.section(faqId, { name: 'typed', sortOrder: 2_147_483_647 });
    const moving = await make.section(faqId, { name: 'moved' });
    await test.call(faqSectionRoutes.move, { query: { id: moving, moveUp: 'true' } });
    await make.section(faqId, { name: 'newest' });
    const sections = await sectionsOf(faqId);
    expect(sections.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D', 'moved', 'typed', 'newest']);
    expect(orders(sections)).toEqual(upTo(7));
  });
});

describe('a new question', () => {
  it('goes to the end of its section with the default sort order [DECISIONS §11]', async () => {
    const place = await make.place();
    for (const question of ['Q1', 'Q2', 'Q3']) await make.question(place, { question });
    expect((await questionsOf(place.sectionId)).map(({ question }) => question)).toEqual(['Q1', 'Q2', 'Q3']);
  });
});

describe('moving', () => {
  it('swaps two neighbours, and increments the version of the moved one only [§4]', async () => {
    const faqId = await make.faq();
    const [first, second] = [await make.section(faqId), await make.section(faqId, { sortOrder: 9 })];
    const answer = await test.call(faqSectionRoutes.move, { query: { id: second, moveUp: 'true' } });
    expect(answer).toMatchObject({ status: 200, message: 'Section has been moved up.', result: { id: second } });
    const sections = await sectionsOf(faqId);
    expect(sections.map(({ id, sortOrder, version }) => [id, sortOrder, version])).toEqual([
      [second, 0, 2],
      [first, 1, 1],
    ]);
  });

  it('does nothing with the first one up and the last one down, and says so [§4]', async () => {
    const { faqId, sectionId } = await make.place();
    const id = await make.question({ faqId, sectionId });
    for (const [moveUp, edge] of Object.entries({ true: 'first', false: 'last' })) {
      const { status, message } = await test.call(faqQuestionRoutes.move, { query: { id, moveUp } });
      expect([status, message]).toEqual([200, `Q&A is the ${edge} one already.`]);
    }
    expect(await questionsOf(sectionId)).toMatchObject([{ version: 1, sortOrder: 0, updatedBy: null }]);
  });
});

describe('an edit into another parent', () => {
  it('leaves no gap in either, and orders the row by the same rule [DECISIONS §11]', async () => {
    const [from, to] = [await make.faq(), await make.faq()];
    const moving = await make.section(from, { name: 'moving' });
    await make.section(from, { name: 'stays', sortOrder: 1 });
    for (const name of ['A', 'B', 'C']) await make.section(to, { name, sortOrder: 9 });
    const body = sectionInput(to, { id: moving, name: 'moving', sortOrder: 1 });
    expect((await test.call(faqSectionRoutes.edit, { body })).status).toBe(200);
    const arrived = await sectionsOf(to);
    expect(arrived.map(({ name }) => name)).toEqual(['A', 'moving', 'B', 'C']);
    expect(orders(arrived)).toEqual(upTo(4));
    expect(orders(await sectionsOf(from))).toEqual([0]);
  });

  it('moves a question into a section of another FAQ [DECISIONS §11]', async () => {
    const [from, to] = [await make.place(), await make.place()];
    const id = await make.question(from);
    await make.question(from);
    await make.question(to);
    const body = questionInput(to, { id, sortOrder: undefined });
    expect((await test.call(faqQuestionRoutes.edit, { body })).status).toBe(200);
    const arrived = await questionsOf(to.sectionId);
    expect(arrived.map((question) => question.id)).toEqual([id, arrived[1]?.id]);
    expect(arrived[0]).toMatchObject({ faqId: to.faqId, sectionId: to.sectionId, sortOrder: 0, version: 2 });
    expect(orders(await questionsOf(from.sectionId))).toEqual([0]);
  });
});

const SEQUENCES = IS_LONG_RUN ? 500 : 100;

type Step =
  | { do: 'create'; sortOrder: number }
  | { do: 'move'; index: number; moveUp: boolean }
  | { do: 'edit'; index: number; sortOrder: number | undefined }
  | { do: 'delete'; index: number };

const sortOrder = fc.nat({ max: 7 });
const index = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), sortOrder }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('move' as const), index, moveUp: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('edit' as const),
      index,
      sortOrder: fc.option(sortOrder, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), index }) },
);

/** The rule itself: sorted by sort order, of equal ones the older first, then numbered again; a new one with 0 is the last. */
class Model {
  rows: { id: string; age: number }[] = [];
  age = 0;

  place(id: string, age: number, typed: number): void {
    const others = this.rows.filter((row) => row.id !== id);
    const keyed = this.rows.flatMap((row, at) => (row.id === id ? [] : [{ ...row, key: at }]));
    const all = [...(others.length > 0 ? keyed : []), { id, age, key: typed }];
    this.rows = all.sort((a, b) => a.key - b.key || a.age - b.age);
  }

  move(at: number, moveUp: boolean): void {
    const other = at + (moveUp ? -1 : 1);
    const [row, neighbour] = [this.rows[at], this.rows[other]];
    if (!row || !neighbour) return;
    this.rows[at] = neighbour;
    this.rows[other] = row;
  }
}

/** Does one step with the sections or questions of a parent. */
interface Real {
  create(sortOrder: number): Promise<{ id: string }>;
  move(id: string, moveUp: boolean): Promise<unknown>;
  edit(id: string, sortOrder: number | undefined): Promise<unknown>;
  delete(id: string): Promise<unknown>;
}

async function take(step: Step, model: Model, real: Real): Promise<void> {
  if (step.do === 'create') {
    const { id } = await real.create(step.sortOrder);
    model.age += 1;
    return model.place(id, model.age, step.sortOrder === 0 ? model.rows.length : step.sortOrder);
  }
  if (model.rows.length === 0) return;
  const at = step.index % model.rows.length;
  const { id, age } = model.rows[at] ?? { id: '', age: 0 };
  if (step.do === 'move') {
    await real.move(id, step.moveUp);
    model.move(at, step.moveUp);
  } else if (step.do === 'edit') {
    await real.edit(id, step.sortOrder);
    model.place(id, age, step.sortOrder ?? at);
  } else {
    await real.delete(id);
    model.rows.splice(at, 1);
  }
}

async function idsInOrder(table: 'faqSections' | 'faqQuestions', column: 'faqId' | 'sectionId', parentId: string) {
  const rows = await test.context.platform
    .selectFrom(table)
    .select(['id', 'sortOrder'])
    .where(column as 'faqId', '=', parentId)
    .orderBy('sortOrder')
    .execute();
  expect(orders(rows)).toEqual(upTo(rows.length));
  return rows.map(({ id }) => id);
}

describe(`${SEQUENCES} random sequences of create, move, edit and delete equal a model after each step`, () => {
  const flags = { isActive: true, published: true, ...ALWAYS };

  it('of sections [DECISIONS §11]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        const faqId = await make.faq();
        const fields = () => ({ ...sectionInput(faqId), icon: '' });
        const real: Real = {
          create: (sortOrder) => createSection(test.context, SERVER_ACTOR, { ...fields(), ...flags, sortOrder }),
          move: (id, moveUp) => moveSection(test.context, SERVER_ACTOR, { id, moveUp }),
          edit: (id, sortOrder) => editSection(test.context, SERVER_ACTOR, { ...fields(), id, sortOrder }),
          delete: (id) => deleteSection(test.context, SERVER_ACTOR, id, undefined),
        };
        const model = new Model();
        for (const one of steps) {
          await take(one, model, real);
          expect(await idsInOrder('faqSections', 'faqId', faqId)).toEqual(model.rows.map(({ id }) => id));
        }
      }),
      { numRuns: SEQUENCES },
    );
  });

  it('of questions [DECISIONS §11]', async () => {
    const faqId = await make.faq();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
        const place = { faqId, sectionId: await make.section(faqId) };
        // Text without tags or entities is sanitized too, as all answers are.
        const fields = () => questionInput(place, { answer: 'Yes.' });
        const real: Real = {
          create: (sortOrder) => createQuestion(test.context, SERVER_ACTOR, { ...fields(), ...flags, sortOrder }),
          move: (id, moveUp) => moveQuestion(test.context, SERVER_ACTOR, { id, moveUp }),
          edit: (id, sortOrder) => editQuestion(test.context, SERVER_ACTOR, { ...fields(), id, sortOrder }),
          delete: (id) => deleteQuestion(test.context, SERVER_ACTOR, id),
        };
        const model = new Model();
        for (const one of steps) {
          await take(one, model, real);
          expect(await idsInOrder('faqQuestions', 'sectionId', place.sectionId)).toEqual(
            model.rows.map(({ id }) => id),
          );
        }
      }),
      { numRuns: SEQUENCES },
    );
  });
});

describe('at once', () => {
  let place: { faqId: string; sectionId: string };
  beforeAll(async () => {
    place = await make.place();
  });

  it('400 moves, 50 at a time, with creates and deletes among them: no gap, no deadlock, no 5xx [DECISIONS §11]', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 40; count += 1) ids.push(await make.question(place, { sortOrder: count }));
    const moving = ids.slice(0, 30);
    const calls = Array.from({ length: 400 }, (_, count) => () => {
      const query = { id: moving[(count * 7) % moving.length] ?? '', moveUp: String(count % 3 !== 0) };
      return test.call(faqQuestionRoutes.move, { query });
    });
    for (const [at, id] of ids.slice(30).entries()) {
      calls.splice(at * 40 + 5, 0, () => test.call(faqQuestionRoutes.delete, { query: { id } }));
      calls.splice(at * 40 + 20, 0, () =>
        test.call(faqQuestionRoutes.create, { body: questionInput(place, { sortOrder: at * 3 }) }),
      );
    }
    const startedAt = performance.now();
    // Five times the connections of the pool, which refuses calls that wait for a connection for long.
    const turn = pLimit(50);
    const answers = await Promise.all(calls.map((call) => turn(call)));
    if (process.env.APOTHECA_SHOW_TIMES) process.stdout.write(`420 calls: ${performance.now() - startedAt} ms\n`);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const questions = await questionsOf(place.sectionId);
    expect(orders(questions)).toEqual(upTo(40));
    const steps = questions.reduce((sum, { version }) => sum + version - 1, 0);
    expect(steps).toBe(answers.filter(({ message }) => message.startsWith('Q&A has been moved')).length);
  });

  it('sections and FAQs are deleted while questions in them are moved, created and moved elsewhere [DECISIONS §11]', async () => {
    const other = await make.place();
    const sectionIds = [place.sectionId, await make.section(place.faqId), await make.section(place.faqId)];
    const ids = await Promise.all(
      sectionIds.flatMap((sectionId) => upTo(6).map(() => make.question({ faqId: place.faqId, sectionId }))),
    );
    const changes = ids.flatMap((id, at) => [
      test.call(faqQuestionRoutes.move, { query: { id, moveUp: String(at % 2 === 0) } }),
      test.call(faqQuestionRoutes.edit, { body: questionInput(at % 3 ? other : place, { id, sortOrder: at }) }),
      test.call(faqQuestionRoutes.create, { body: questionInput(place) }),
    ]);
    const structure = sectionIds
      .slice(1)
      .flatMap((id, at) => [
        test.call(faqSectionRoutes.move, { query: { id, moveUp: 'true' } }),
        test.call(faqSectionRoutes.edit, { body: sectionInput(at ? other.faqId : place.faqId, { id, sortOrder: 0 }) }),
        test.call(faqSectionRoutes.delete, { query: { id } }),
      ]);
    const answers = await Promise.all([...changes, ...structure]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    for (const faqId of [place.faqId, other.faqId]) {
      const sections = await sectionsOf(faqId);
      expect(orders(sections)).toEqual(upTo(sections.length));
      for (const { id } of sections) {
        const questions = await questionsOf(id);
        expect(orders(questions)).toEqual(upTo(questions.length));
      }
    }
  });
});
