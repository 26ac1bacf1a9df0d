import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { type FaqKind, type FaqRevision, faqRevisionRoutes, KEPT_REVISIONS } from '@apotheca/contract/faq-revisions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { PERMISSION_MODULES } from '@apotheca/contract/permissions';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { faqInput, listsOf, makeFaqs, questionInput, sectionInput } from '../../../testing/faqs.ts';
import { auditOf } from '../../../testing/permissions.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { findFaq, sectionsOf, questionsOf } = listsOf(test);

let operator: { id: string; token: string };
beforeAll(async () => {
  operator = await test.signInAs('Operator');
});

const listOf = async (kind: FaqKind, id: string): Promise<FaqRevision[]> =>
  (await test.call(faqRevisionRoutes.list, { query: { kind, id } })).result;
const compare = async (kind: FaqKind, id: string, revision: number) =>
  (await test.call(faqRevisionRoutes.compare, { query: { kind, id, revision: String(revision) } })).result;
const restore = (kind: FaqKind, id: string, revision: number, version: number, token?: string) =>
  test.call(faqRevisionRoutes.restore, { body: { kind, id, revision, version }, ...(token && { token }) });

describe('a write of an FAQ, section or question', () => {
  it('leaves a revision that says who, when and what, and an edit of nothing leaves none [DECISIONS §13]', async () => {
    const id = await make.faq({ name: 'One' });
    const code = (await findFaq(id))?.code;
    const madeOnUtc = test.clock.now.toISOString();
    test.clock.advance(60);
    const changed = { id, name: 'Two', code, overview: '<p>New</p>', published: false };
    await test.call(faqRoutes.edit, { body: changed, token: operator.token });
    await test.call(faqRoutes.edit, { body: changed });
    const onUtc = test.clock.now.toISOString();
    const [newest, oldest, ...more] = await listOf('faq', id);
    expect(more).toEqual([]);
    expect(newest).toMatchObject({ revision: 2, verb: 'edit', by: 'user-operator', onUtc });
    expect(newest?.fields.sort()).toEqual(['name', 'overview', 'published']);
    expect(oldest).toMatchObject({ revision: 1, verb: 'create', by: 'admin', onUtc: madeOnUtc });
    expect(await compare('faq', id, 1)).toEqual({
      past: {
        ...{ name: 'One', code, overview: '', module: null, isActive: true, published: true },
        ...{ publishAtUtc: null, publishUntilUtc: null },
      },
      present: {
        ...{ name: 'Two', code, overview: '<p>New</p>', module: null, isActive: true, published: false },
        ...{ publishAtUtc: null, publishUntilUtc: null },
      },
      version: 3,
    });
  });

  it('that is rolled back or only moves it leaves none [DECISIONS §13]', async () => {
    const place = await make.place();
    const id = await make.question(place);
    await make.question(place);
    await test.call(faqQuestionRoutes.move, { query: { id, moveUp: 'false' } });
    const sectionId = await make.section(place.faqId, { code: 'TAKEN' });
    const clash = sectionInput(place.faqId, { id: place.sectionId, code: 'taken' });
    expect((await test.call(faqSectionRoutes.edit, { body: clash })).status).toBe(409);
    for (const [kind, one] of [['question', id] as const, ['section', place.sectionId] as const]) {
      expect(await listOf(kind, one)).toMatchObject([{ revision: 1, verb: 'create' }]);
    }
    expect(await listOf('section', sectionId)).toHaveLength(1);
  });

  it(`keeps the newest ${KEPT_REVISIONS} revisions, each whole [DECISIONS §13]`, async () => {
    const place = await make.place();
    const id = await make.question(place);
    await test.context.pool.query(
      `insert into faq_revisions (question_id, version, verb, fields, content, actor_name, at)
       select question_id, n, verb, fields, content, actor_name, at from faq_revisions, generate_series(2, $2) n
       where question_id = $1`,
      [id, KEPT_REVISIONS + 40],
    );
    await test.context.pool.query('update faq_questions set version = $2 where id = $1', [id, KEPT_REVISIONS + 40]);
    const answer = `<p>${'ä&amp;'.repeat(10_000)}</p>`;
    await test.call(faqQuestionRoutes.edit, { body: questionInput(place, { id, answer }) });
    const kept = await listOf('question', id);
    expect([kept.length, kept[0]?.revision, kept.at(-1)?.revision]).toEqual([KEPT_REVISIONS, KEPT_REVISIONS + 41, 42]);
    expect((await compare('question', id, KEPT_REVISIONS + 41)).past.answer).toBe(answer);
    const gone = await test.call(faqRevisionRoutes.compare, { query: { kind: 'question', id, revision: '41' } });
    expect([gone.status, gone.message]).toEqual([404, 'There is no such revision, or no longer.']);
  });

  it('of what is deleted: its revisions go with it, and with what it is in [DECISIONS §13]', async () => {
    const place = await make.place();
    const id = await make.question(place);
    const count = async () => {
      const { rows } = await test.context.pool.query(
        'select count(*)::int as count from faq_revisions where faq_id = $1 or section_id = $2 or question_id = $3',
        [place.faqId, place.sectionId, id],
      );
      return rows[0].count;
    };
    expect(await count()).toBe(3);
    await test.call(faqRoutes.delete, { query: { id: place.faqId } });
    expect(await count()).toBe(0);
    expect((await test.call(faqRevisionRoutes.list, { query: { kind: 'question', id } })).status).toBe(404);
  });
});

describe('restoring', () => {
  it('makes each kind what it was, where it is now, as a revision and an audit entry of its own [DECISIONS §13]', async () => {
    const [first, second] = [await make.place(), await make.place()];
    const period = { publishAtUtc: '2026-01-01T08:00:00.000Z', publishUntilUtc: '2027-01-01T08:00:00.000Z' };
    const was = { isActive: false, published: false, ...period };
    const faq = { name: 'Was', code: randomUUID(), overview: '<p>Was</p>', module: null, ...was };
    const section = { name: 'Was', code: 'WAS', overview: '<p>Was</p>', icon: 'box', ...was };
    const question = { question: 'Was?', answer: '<p>Was</p>', ...was };
    const faqId = await make.faq(faq);
    const sectionId = await make.section(first.faqId, section);
    const questionId = await make.question(first, question);
    const always = { publishAtUtc: null, publishUntilUtc: null, isActive: true, published: true };
    await test.call(faqRoutes.edit, { body: faqInput({ id: faqId, module: PERMISSION_MODULES[0], ...always }) });
    const moved = sectionInput(second.faqId, { id: sectionId, sortOrder: 1, icon: '', ...always });
    await test.call(faqSectionRoutes.edit, { body: moved });
    await test.call(faqQuestionRoutes.edit, { body: questionInput(second, { id: questionId, ...always }) });

    const restored = [
      await restore('faq', faqId, 1, 2),
      await restore('section', sectionId, 1, 2),
      await restore('question', questionId, 1, 2),
    ];
    expect(restored.map(({ status, message }) => [status, message])).toEqual([
      [200, 'Success! FAQ has been restored.'],
      [200, 'Success! Section has been restored.'],
      [200, 'Success! Q&A has been restored.'],
    ]);
    expect(await findFaq(faqId)).toMatchObject({ ...faq, version: 3 });
    expect(await sectionsOf(second.faqId)).toMatchObject([{}, { id: sectionId, ...section, version: 3 }]);
    expect(await questionsOf(second.sectionId)).toMatchObject([{ id: questionId, ...question, version: 3 }]);
    const [newest] = await listOf('question', questionId);
    expect(newest).toMatchObject({ revision: 3, verb: 'restore' });
    expect((await auditOf(test, questionId)).at(-1)).toMatchObject({
      action: 'faqQuestions.restore',
      changes: { question: [expect.anything(), 'Was?'], version: [2, 3] },
    });
  });

  it('is refused where somebody else has changed it since the comparison, who is named [§4]', async () => {
    const id = await make.faq({ name: 'One' });
    const code = (await findFaq(id))?.code;
    await test.call(faqRoutes.edit, { body: { id, name: 'Two', code }, token: operator.token });
    const { status, message, result } = await restore('faq', id, 1, 1);
    expect([status, message]).toEqual([409, 'user-operator changed this meanwhile. Nothing was saved yet.']);
    expect(result.changes).toMatchObject([{ field: 'name', before: 'One', after: 'Two' }]);
    expect(await findFaq(id)).toMatchObject({ name: 'Two', version: 2 });
  });

  it('is refused as an edit is: by rules that are newer than the revision, a taken code, missing rights [§5]', async () => {
    const [id, code] = [await make.faq({ code: 'BEFORE' }), randomUUID()];
    await test.call(faqRoutes.edit, { body: { id, name: 'Renamed', code } });
    const other = await make.faq({ code: 'before' });
    const taken = await restore('faq', id, 1, 2);
    expect([taken.status, taken.errors]).toEqual([409, { code: ['An FAQ with this code exists already.'] }]);
    await test.call(faqRoutes.delete, { query: { id: other } });

    const { pool } = test.context;
    const spoil = (content: object) =>
      pool.query('update faq_revisions set content = content || $2 where faq_id = $1 and version = 1', [id, content]);
    await spoil({ name: ' ', module: 'No such module' });
    const invalid = await restore('faq', id, 1, 2);
    expect([invalid.status, invalid.errors]).toEqual([
      400,
      { name: ['FAQ Name is Required'], module: ['Module must be one of the modules of permissions'] },
    ]);
    await spoil({ name: 'Was', module: null, overview: '<p onclick="x()">Was<script>y()</script></p>' });
    const { token } = await test.signInAs('Viewer');
    expect((await restore('faq', id, 1, 2, token)).status).toBe(403);
    expect((await test.call(faqRevisionRoutes.list, { query: { kind: 'faq', id }, token })).result).toHaveLength(2);
    const query = { kind: 'faq', id, revision: '1' };
    expect((await test.call(faqRevisionRoutes.compare, { query, token })).status).toBe(200);
    expect((await restore('faq', id, 1, 2)).status).toBe(200);
    expect(await findFaq(id)).toMatchObject({ name: 'Was', overview: '<p>Was</p>' });
  });

  it('names a wrong field, and knows no revision or record that there is not [§8]', async () => {
    const id = await make.faq();
    const wrong = await test.call(faqRevisionRoutes.restore, { body: { kind: 'x', id, revision: 'x' } });
    expect([wrong.status, wrong.errors]).toEqual([
      400,
      {
        kind: ['kind must be faq, section or question'],
        revision: ['revision must be a whole number'],
        version: ['version must be a whole number'],
      },
    ]);
    expect((await restore('faq', id, 7, 1)).status).toBe(404);
    expect((await restore('section', id, 1, 1)).message).toBe('There is no such section.');
    expect((await restore('question', randomUUID(), 1, 1)).message).toBe('There is no such question.');
  });
});

it('what there was before the upgrade is its first revision [DECISIONS §13]', async () => {
  const { pool } = test.context;
  const place = await make.place();
  const period = { publishAtUtc: '2026-01-01T08:00:00.000Z', isActive: false };
  const id = await make.question(place, { answer: '<p>"Old"\\ &amp; ä</p>', ...period });
  const kinds = [['faq', place.faqId] as const, ['section', place.sectionId] as const, ['question', id] as const];
  await pool.query('drop table faq_revisions');
  const migration = new URL('../../../db/migrations/platform/000046-faq-revisions.sql', import.meta.url);
  await pool.query(readFileSync(migration, 'utf8'));
  for (const [kind, one] of kinds) {
    expect(await listOf(kind, one)).toMatchObject([{ revision: 1, verb: 'create', fields: [], by: 'admin' }]);
    const { past, present } = await compare(kind, one, 1);
    expect(past).toEqual(present);
  }
});
