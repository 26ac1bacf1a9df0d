import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqRoutes } from '@apotheca/contract/faqs';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../testing/app.ts';
import { faqInput, listsOf, makeFaqs, questionInput } from '../../testing/faqs.ts';
import { auditOf } from '../../testing/permissions.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { findFaq, questionsOf } = listsOf(test);

describe('a period', () => {
  it('decides what is in the tree at its moments, though nothing is written then [DECISIONS §13]', async () => {
    test.clock.now = new Date('2026-11-20T23:20:30.000Z');
    const place = await make.place();
    const period = { publishAtUtc: '2026-11-20T23:21:45.000Z', publishUntilUtc: '2026-11-20T23:23:00Z' };
    const id = await make.question(place, period);
    const isInTree = async () => {
      const { result } = await test.call(faqRoutes.tree, { query: { faqId: place.faqId } });
      return result[0].sections[0].questions.length === 1;
    };
    const reason = async () => {
      const { result } = await test.call(faqRoutes.tree, { query: { faqId: place.faqId, hidden: 'true' } });
      return result[0].sections[0].questions[0].hiddenBecause;
    };
    // Moments are cut to their minute.
    expect((await questionsOf(place.sectionId))[0]).toMatchObject({ id, publishAtUtc: '2026-11-20T23:21:00.000Z' });
    expect([await isInTree(), await reason()]).toEqual([false, 'Not published yet']);
    test.clock.advance(30);
    expect([await isInTree(), await reason()]).toEqual([true, null]);
    test.clock.advance(120);
    expect([await isInTree(), await reason()]).toEqual([false, 'No longer published']);
  });

  it('and a module stay where an edit does not name them, and are audited [DECISIONS §13]', async () => {
    const period = { publishAtUtc: '2026-11-20T10:00:00.000Z', publishUntilUtc: null };
    const id = await make.faq({ module: 'Rx', ...period });
    await test.call(faqRoutes.edit, { body: faqInput({ id }) });
    expect(await findFaq(id)).toMatchObject({ module: 'Rx', ...period });
    await test.call(faqRoutes.edit, { body: faqInput({ id, module: null, publishAtUtc: null }) });
    expect(await findFaq(id)).toMatchObject({ module: null, publishAtUtc: null });
    const changes = (await auditOf(test, id)).at(-1)?.changes;
    expect(changes).toMatchObject({ module: ['Rx', null], publishAtUtc: [period.publishAtUtc, null] });
    expect(changes).not.toHaveProperty('publishUntilUtc');
  });

  it('that ends before it begins is refused [DECISIONS §13]', async () => {
    const place = await make.place();
    const body = questionInput(place, {
      publishAtUtc: '2026-11-20T10:00:00Z',
      publishUntilUtc: '2026-11-20T10:00:59Z',
    });
    const refused = { publishUntilUtc: ['Publish Until must be later than Publish At'] };
    expect((await test.call(faqQuestionRoutes.create, { body })).errors).toEqual(refused);
    const id = await make.question(place, { publishAtUtc: '2026-11-20T10:00:00Z' });
    const edit = questionInput(place, { id, publishUntilUtc: '2026-11-19T10:00:00Z' });
    expect((await test.call(faqQuestionRoutes.edit, { body: edit })).errors).toEqual(refused);
    for (const publishAtUtc of ['soon', '0000-01-01T00:00:00Z']) {
      const wrong = await test.call(faqQuestionRoutes.create, { body: questionInput(place, { publishAtUtc }) });
      expect(wrong.errors).toEqual({
        publishAtUtc: ['Publish At must be a moment in UTC, such as 2026-01-31T08:15:00Z'],
      });
    }
  });
});
