import { randomUUID } from 'node:crypto';
import { faqSection, faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestApp } from '../../testing/app.ts';
import { listsOf, makeFaqs, sectionInput } from '../../testing/faqs.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { findFaq, sectionsOf } = listsOf(test);

describe('a section', () => {
  it('is refused with the message of every wrong field [§5]', async () => {
    const { status, errors } = await test.call(faqSectionRoutes.create, { body: { faqId: '', sortOrder: -1 } });
    expect(status).toBe(400);
    expect(errors).toEqual({
      faqId: ['FQA is Required'],
      name: ['Section Name is Required'],
      code: ['Section Code is Required'],
      sortOrder: ['Sort Order must be greater than 0'],
    });
  });

  it('is listed as the contract says, and found with the name of its FAQ [§2.17]', async () => {
    const place = await make.place();
    await make.question(place);
    const sections = await sectionsOf(place.faqId);
    expect(z.array(faqSection).parse(sections)).toEqual(sections);
    expect(sections).toMatchObject([{ questionCount: 1, icon: '', sortOrder: 0 }]);
    const { result } = await test.call(faqSectionRoutes.find, { query: { id: place.sectionId } });
    expect(result).toMatchObject({
      id: place.sectionId,
      faqName: (await findFaq(place.faqId))?.name,
      questionCount: 1,
    });
    expect(await findFaq(place.faqId)).toMatchObject({ sectionCount: 1, questionCount: 1 });
  });

  it('refuses a code that another section of its FAQ has, ignoring case [DECISIONS §11]', async () => {
    const [one, other] = [await make.faq(), await make.faq()];
    await make.section(one, { code: 'Start' });
    const moving = await make.section(other, { code: 'START' });
    const create = await test.call(faqSectionRoutes.create, { body: sectionInput(one, { code: 'sTART' }) });
    const move = await test.call(faqSectionRoutes.edit, { body: sectionInput(one, { id: moving, code: 'START' }) });
    for (const { status, errors } of [create, move]) {
      expect([status, Object.keys(errors ?? {})]).toEqual([409, ['code']]);
    }
    expect((await sectionsOf(other)).map(({ id }) => id)).toEqual([moving]);
  });

  it('of an FAQ that does not exist is refused at faqId [§2.17]', async () => {
    const { status, errors } = await test.call(faqSectionRoutes.create, { body: sectionInput(randomUUID()) });
    expect([status, errors]).toEqual([400, { faqId: ['This FAQ is unknown.'] }]);
  });

  it('keeps the fields that an edit does not name [§7.4]', async () => {
    const faqId = await make.faq();
    await make.section(faqId);
    const kept = { overview: '<p>x</p>', icon: 'snowflake', sortOrder: 1, isActive: false, published: false };
    const id = await make.section(faqId, kept);
    const body = sectionInput(faqId, { id, name: 'New', overview: undefined, sortOrder: undefined });
    expect((await test.call(faqSectionRoutes.edit, { body })).status).toBe(200);
    expect((await sectionsOf(faqId))[1]).toMatchObject({ id, name: 'New', ...kept, version: 2 });
    const { status } = await test.call(faqSectionRoutes.edit, { body: { ...body, overview: '', icon: null } });
    expect(status).toBe(200);
    expect((await sectionsOf(faqId))[1]).toMatchObject({ ...kept, overview: '', icon: '' });
  });

  it('that somebody else has moved meanwhile is not overwritten [§4]', async () => {
    const faqId = await make.faq();
    await make.section(faqId);
    const id = await make.section(faqId);
    await test.call(faqSectionRoutes.move, { query: { id, moveUp: 'true' } });
    const body = sectionInput(faqId, { id, version: 1 });
    const { status, result } = await test.call(faqSectionRoutes.edit, { body });
    expect([status, result]).toMatchObject([409, { changes: [{ field: 'sortOrder', before: 1, after: 0 }] }]);
  });
});
