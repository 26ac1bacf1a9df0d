import { randomUUID } from 'node:crypto';
import { faqQuestion, faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestApp } from '../../testing/app.ts';
import { listsOf, makeFaqs, questionInput } from '../../testing/faqs.ts';
import { auditOf } from '../../testing/permissions.ts';

const test = useTestApp();
const make = makeFaqs(test);
const { questionsOf } = listsOf(test);

describe('a question', () => {
  it('is refused with the message of every wrong field [§5]', async () => {
    const body = { answer: '<p>&nbsp;<br></p>', faqId: '', sectionId: '', sortOrder: null };
    const { status, errors } = await test.call(faqQuestionRoutes.create, { body });
    expect(status).toBe(400);
    expect(errors).toEqual({
      faqId: ['FAQ is Required'],
      sectionId: ['Section is Required'],
      question: ['Question is Required'],
      answer: ['Answer is required'],
      sortOrder: ['Sort Order is Required'],
    });
  });

  it.each(['<script>alert(1)</script>', '<p><img src=x></p>', '<style>p{}</style> ', '<p>\u200b</p><!-- x -->'])(
    'whose answer is empty once it is sanitized, %j, has none [§5]',
    async (answer) => {
      const { status, errors } = await test.call(faqQuestionRoutes.create, {
        body: questionInput(await make.place(), { answer }),
      });
      expect([status, errors]).toEqual([400, { answer: ['Answer is required'] }]);
    },
  );

  it('is refused in a section of another FAQ, and without a section [§2.19]', async () => {
    const [place, other] = [await make.place(), await make.place()];
    const id = await make.question(place);
    const wrong = { faqId: place.faqId, sectionId: other.sectionId };
    const foreign = { sectionId: ['This section is in another FAQ.'] };
    const create = await test.call(faqQuestionRoutes.create, { body: questionInput(wrong) });
    const edit = await test.call(faqQuestionRoutes.edit, { body: questionInput(wrong, { id }) });
    expect([create.status, create.errors, edit.status, edit.errors]).toEqual([400, foreign, 400, foreign]);
    const unknown = { ...place, sectionId: randomUUID() };
    const { status, errors } = await test.call(faqQuestionRoutes.create, { body: questionInput(unknown) });
    expect([status, errors]).toEqual([400, { sectionId: ['This section is unknown.'] }]);
  });

  it('is created, edited and deleted, each with its message and audit entry [§2.18]', async () => {
    const place = await make.place();
    const created = await test.call(faqQuestionRoutes.create, { body: questionInput(place, { question: 'Why?' }) });
    const { id } = created.result;
    const questions = await questionsOf(place.sectionId);
    expect(z.array(faqQuestion).parse(questions)).toEqual(questions);
    const body = questionInput(place, { id, question: 'Why not?', published: false });
    const edited = await test.call(faqQuestionRoutes.edit, { body });
    expect(await questionsOf(place.sectionId)).toMatchObject([{ question: 'Why not?', published: false, version: 2 }]);
    const deleted = await test.call(faqQuestionRoutes.delete, { query: { id } });
    expect([created, edited, deleted].map(({ message }) => message)).toEqual([
      'Success! Q&A has been Created.',
      'Success! Q&A has been updated.',
      'Q&A deleted.',
    ]);
    expect(await auditOf(test, id)).toMatchObject([
      { action: 'faqQuestions.create' },
      { action: 'faqQuestions.edit', changes: { question: ['Why?', 'Why not?'], published: [true, false] } },
      {
        action: 'faqQuestions.delete',
        entity: 'faqQuestions',
        changes: { question: 'Why not?', answer: '<p>Yes.</p>' },
      },
    ]);
  });
});
