import { randomUUID } from 'node:crypto';
import { auditRoutes } from '@apotheca/contract/audit';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faq, faqRoutes } from '@apotheca/contract/faqs';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { faqInput, listsOf, makeFaqs } from '../../testing/faqs.ts';
import { auditOf } from '../../testing/permissions.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { findFaq, sectionsOf, questionsOf } = listsOf(test);

describe('an FAQ', () => {
  it('is refused with the message of every wrong field [§5]', async () => {
    const body = { name: ' ', code: '', overview: 'x'.repeat(100_001), published: 'yes' };
    const { status, errors } = await test.call(faqRoutes.create, { body });
    expect(status).toBe(400);
    expect(errors).toEqual({
      name: ['FAQ Name is Required'],
      code: ['FAQ Code is Required'],
      overview: ['Overview should not be more than 100000 characters'],
      published: ['Published must be true or false'],
    });
  });

  it('is created active and published, and audited [§2.16]', async () => {
    const body = faqInput({ overview: '<p onclick=x>Hi <b>there</b></p>' });
    const { status, message, result } = await test.call(faqRoutes.create, { body });
    expect([status, message]).toEqual([200, 'Success! FAQ has been Created.']);
    const made = await findFaq(result.id);
    expect(faq.parse(made)).toEqual(made);
    const overview = '<p>Hi <strong>there</strong></p>';
    expect(made).toMatchObject({ ...body, overview, isActive: true, published: true, version: 1, sortOrder: 0 });
    expect(await auditOf(test, result.id)).toMatchObject([{ action: 'faqs.create', changes: { overview } }]);
  });

  it('refuses a code that another one has, ignoring case [DECISIONS §11]', async () => {
    await make.faq({ code: 'Cold-Chain' });
    const other = await make.faq();
    const create = await test.call(faqRoutes.create, { body: faqInput({ code: 'cold-CHAIN' }) });
    const edit = await test.call(faqRoutes.edit, { body: faqInput({ id: other, code: 'COLD-chain' }) });
    for (const { status, errors } of [create, edit]) {
      expect([status, errors]).toEqual([409, { code: ['An FAQ with this code exists already.'] }]);
    }
  });

  it('keeps the fields that an edit does not name, and audits what changed [§7.4]', async () => {
    const id = await make.faq({ name: 'Old', overview: '<p>x</p>', isActive: false, published: false, sortOrder: 7 });
    const body = faqInput({ id, name: 'New', overview: undefined });
    const { status, message } = await test.call(faqRoutes.edit, { body });
    expect([status, message]).toEqual([200, 'Success! FAQ has been updated.']);
    expect(await findFaq(id)).toMatchObject({
      name: 'New',
      overview: '<p>x</p>',
      isActive: false,
      published: false,
      sortOrder: 7,
      version: 2,
    });
    const [, edit] = await auditOf(test, id);
    expect(edit).toMatchObject({ action: 'faqs.edit', entity: 'faqs' });
    expect(edit?.changes).toEqual({ name: ['Old', 'New'], code: [expect.anything(), body.code], version: [1, 2] });
  });

  it.each(['', null])('has no overview after an edit that names it as %j [§7.4]', async (overview) => {
    const id = await make.faq({ overview: '<p>x</p>' });
    expect((await test.call(faqRoutes.edit, { body: faqInput({ id, overview }) })).status).toBe(200);
    expect(await findFaq(id)).toMatchObject({ overview: '' });
  });

  it('that somebody else has changed meanwhile is not overwritten [§4]', async () => {
    const id = await make.faq({ overview: 'first' });
    await test.call(faqRoutes.edit, { body: faqInput({ id, overview: `second ${'x'.repeat(5_000)}`, version: 1 }) });
    const { status, result } = await test.call(faqRoutes.edit, { body: faqInput({ id, version: 1 }) });
    expect([status, result.version]).toEqual([409, 2]);
    // Whole, though the trail keeps it cut: a form takes it over.
    const { after, before } = result.changes.find(({ field }: { field: string }) => field === 'overview');
    expect(before).toBe('first');
    expect(after).toBe(`second ${'x'.repeat(5_000)}`);
    const trail = await test.call(auditRoutes.list, { query: { entity: 'faqs', entityId: id } });
    expect(trail.result[0].changes.overview[1]).toMatch(/^second x{1993}… \(5007 characters\)$/);
  });

  it('that does not exist is a 404, for every call [§8]', async () => {
    const id = randomUUID();
    const answers = await Promise.all([
      test.call(faqRoutes.edit, { body: faqInput({ id }) }),
      test.call(faqRoutes.planDeletion, { query: { id } }),
      test.call(faqRoutes.delete, { query: { id } }),
      test.call(faqSectionRoutes.list, { query: { faqId: id } }),
      test.call(faqSectionRoutes.find, { query: { id } }),
      test.call(faqSectionRoutes.move, { query: { id, moveUp: 'true' } }),
      test.call(faqSectionRoutes.delete, { query: { id } }),
      test.call(faqQuestionRoutes.list, { query: { sectionId: id } }),
      test.call(faqQuestionRoutes.move, { query: { id, moveUp: 'true' } }),
      test.call(faqQuestionRoutes.delete, { query: { id } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  });
});

describe('deleting', () => {
  it('an FAQ deletes its sections and questions too, and says how many [DECISIONS §11]', async () => {
    const place = await make.place();
    await make.section(place.faqId);
    for (let count = 0; count < 9; count += 1) await make.question(place);
    const query = { id: place.faqId };
    const plan = await test.call(faqRoutes.planDeletion, { query });
    expect(plan.message).toMatch(/^Deleting FAQ 'FAQ \d+' also deletes 2 sections and 9 questions\.$/);
    expect(plan.result).toMatchObject({ sections: 2, questions: 9 });
    const answer = await test.call(faqRoutes.delete, { query: { ...query, plan: plan.result.digest } });
    expect([answer.status, answer.message]).toEqual([200, 'FAQ deleted with 2 sections and 9 questions.']);
    expect(await findFaq(place.faqId)).toBeUndefined();
    expect((await test.call(faqSectionRoutes.find, { query: { id: place.sectionId } })).status).toBe(404);
    const trail = await auditOf(test, place.faqId);
    expect(trail.at(-1)).toMatchObject({ action: 'faqs.delete', changes: { sections: [{}, {}] } });
    expect(trail.at(-1)?.changes).toHaveProperty('questions.8.question');
  });

  it('a section leaves no gap among its siblings [DECISIONS §11]', async () => {
    const faqId = await make.faq();
    const [first] = [await make.section(faqId), await make.section(faqId, { sortOrder: 5 })];
    const { message } = await test.call(faqSectionRoutes.delete, { query: { id: first } });
    expect(message).toBe('Section deleted.');
    expect(await sectionsOf(faqId)).toMatchObject([{ sortOrder: 0 }]);
  });

  it('deletes nothing when the plan has changed, and answers the new plan [DECISIONS §8]', async () => {
    const place = await make.place();
    for (const [routes, id] of [
      [faqSectionRoutes, place.sectionId],
      [faqRoutes, place.faqId],
    ] as const) {
      const { result } = await test.call(routes.planDeletion, { query: { id } });
      await make.question(place);
      const answer = await test.call(routes.delete, { query: { id, plan: result.digest } });
      expect(answer).toMatchObject({ status: 409, result: { questions: result.questions + 1 } });
    }
    expect(await questionsOf(place.sectionId)).toHaveLength(2);
  });
});

describe('the tree', () => {
  const tree = async (query: Record<string, string>) => (await test.call(faqRoutes.tree, { query })).result;

  it('has only what is published and active for readers, in order [§2.19]', async () => {
    const faqId = await make.faq();
    const shown = await make.section(faqId, { name: 'shown' });
    const off = await make.section(faqId, { name: 'off', isActive: false, sortOrder: 1 });
    await make.question({ faqId, sectionId: shown }, { question: 'A' });
    await make.question({ faqId, sectionId: shown }, { question: 'B', published: false });
    await make.question({ faqId, sectionId: shown }, { question: 'C', isActive: false });
    await make.question({ faqId, sectionId: off }, { question: 'D' });
    expect(await tree({ faqId })).toMatchObject([
      { id: faqId, hiddenBecause: null, sections: [{ name: 'shown', questions: [{ question: 'A' }] }] },
    ]);
    const [{ sections }] = await tree({ faqId, hidden: 'true' });
    const reasons = sections.map((section: { name: string; hiddenBecause: string; questions: [] }) => [
      section.name,
      section.hiddenBecause,
      section.questions.map(({ question, hiddenBecause }) => [question, hiddenBecause]),
    ]);
    expect(reasons).toEqual([
      [
        'shown',
        null,
        [
          ['A', null],
          ['B', 'Not published'],
          ['C', 'Inactive'],
        ],
      ],
      ['off', 'Inactive', [['D', 'Published, but its section is inactive']]],
    ]);
  });

  it('says so if only the FAQ is hidden, and leaves it out for readers [§2.19]', async () => {
    const faqId = await make.faq({ published: false, isActive: false });
    const sectionId = await make.section(faqId);
    await make.question({ faqId, sectionId });
    expect(await tree({ faqId })).toEqual([]);
    const inside = 'Published, but its FAQ is not published and inactive';
    expect(await tree({ faqId, hidden: 'true' })).toMatchObject([
      {
        hiddenBecause: 'Not published and inactive',
        sections: [{ hiddenBecause: inside, questions: [{ hiddenBecause: inside }] }],
      },
    ]);
  });
});

describe('the search', () => {
  const search = async (text: string) => (await test.call(faqRoutes.search, { query: { text } })).result;

  it('finds FAQs, sections and questions by title, code and text, ignoring case [§2.16]', async () => {
    const faqId = await make.faq({ name: 'Kühlkette', code: 'ZEBRA-1', overview: '<p>Über Zebras</p>' });
    const sectionId = await make.section(faqId, { name: 'Zebra section' });
    const answer = `<p>${'before '.repeat(30)}</p><p>a ze<strong>bra</strong> &amp; 5&nbsp;more ${'after '.repeat(30)}</p>`;
    await make.question({ faqId, sectionId }, { question: 'What?', answer });
    const hits = await search('zEBRA');
    expect(hits.map(({ kind, title }: { kind: string; title: string }) => [kind, title])).toEqual([
      ['faq', 'Kühlkette'],
      ['section', 'Zebra section'],
      ['question', 'What?'],
    ]);
    expect(hits[0]).toMatchObject({ excerpt: '', sectionId: null });
    expect(hits[2]).toMatchObject({ faqId, faqName: 'Kühlkette', sectionId, sectionName: 'Zebra section' });
    expect(hits[2].excerpt).toMatch(/^….*before a zebra & 5 more after.*…$/);
    expect(hits[2].excerpt.length).toBeLessThanOrEqual(122);
    expect(await search('ÜBER ZEBRAS')).toMatchObject([{ kind: 'faq', excerpt: 'Über Zebras' }]);
  });

  it('searches for %, _ and \\ literally, and in neither tags nor addresses [§2.16]', async () => {
    const place = await make.place();
    const answer = '<p>100%_sure\\ <a href="https://hidden.test">here</a></p>';
    await make.question(place, { question: 'Q', answer });
    for (const text of ['100%_', '%_sure\\', 'E\\ h']) expect(await search(text)).toHaveLength(1);
    for (const text of ['1%e', '100__', 'hidden.test', '<p>', 'strong>']) expect(await search(text)).toEqual([]);
  });

  it('answers the first 100 [§2.16]', async () => {
    const place = await make.place();
    await test.context.pool.query(
      `insert into faq_questions (section_id, question, answer, sort_order, is_active, published, created_at, updated_at)
       select $1, 'Giraffe ' || n, 'x', n, true, true, now(), now() from generate_series(0, 149) n`,
      [place.sectionId],
    );
    const hits = await search('giraffe');
    expect(hits.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 100 }, (_, at) => `Giraffe ${at}`),
    );
  });
});
