import { FAQ_IMPORT_COLUMNS, faqImportRoutes } from '@apotheca/contract/faq-import';
import { faqRoutes } from '@apotheca/contract/faqs';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';
import { listsOf, makeFaqs } from '../../testing/faqs.ts';
import { csvOf, importsBy, reasonsOf } from '../../testing/imports.ts';

const test = useTestApp();
const { plan, start, imported } = importsBy(test, faqImportRoutes);
const { sectionsOf, questionsOf } = listsOf(test);
const make = makeFaqs(test);

const HEADINGS = ['FAQ Code', 'FAQ Name', 'Section Code', 'Section Name', 'Question', 'Answer'];
const faqs = (...rows: string[][]) => csvOf(HEADINGS, ...rows);

/** The sections of an FAQ with their questions and answers. */
async function contentOf(code: string) {
  const rows: { id: string; name: string; code: string }[] = (await test.call(faqRoutes.list)).result;
  const found = rows.find((row) => row.code === code);
  if (!found) return undefined;
  const sections = [];
  for (const { id, name } of await sectionsOf(found.id)) {
    const questions = await questionsOf(id);
    sections.push({ name, questions: questions.map(({ question, answer }) => [question, answer]) });
  }
  return { name: found.name, sections };
}

it('makes FAQs, sections and questions in the order of the file, and changes answers [§2.21]', async () => {
  const file = faqs(
    ['RET', 'Returns', 'COLD', 'Cold chain', 'May vaccines come back?', 'No.\n\nNever <ever>.'],
    ['RET', '', 'COLD', '', 'And insulin?', '<p>Only <b>cold</b><script>alert(1)</script>.</p>'],
    ['ret', 'Returns', 'DRY', 'Dry goods', 'Pills?', 'Yes.'],
  );
  const planned = await plan(file);
  expect(planned.result.counts).toEqual({ create: 3, change: 0, same: 0, refused: 0 });
  expect(await contentOf('RET')).toBeUndefined();
  expect(await start(planned.result)).toMatchObject({ status: 200, message: '3 questions created and 0 changed.' });
  expect(await contentOf('RET')).toEqual({
    name: 'Returns',
    sections: [
      {
        name: 'Cold chain',
        questions: [
          ['May vaccines come back?', '<p>No.</p><p>Never &lt;ever&gt;.</p>'],
          ['And insulin?', '<p>Only <strong>cold</strong>.</p>'],
        ],
      },
      { name: 'Dry goods', questions: [['Pills?', '<p>Yes.</p>']] },
    ],
  });
  expect((await imported(file)).answer.result.counts).toMatchObject({ same: 3 });
  const changed = faqs(['RET', '', 'DRY', '', 'Pills?', 'Yes, sealed.']);
  expect((await plan(changed)).result.rows).toMatchObject([
    { outcome: 'change', changes: [{ heading: 'Answer', from: '<p>Yes.</p>', to: '<p>Yes, sealed.</p>' }] },
  ]);
  await imported(changed);
  expect((await contentOf('RET'))?.sections[1]?.questions).toEqual([['Pills?', '<p>Yes, sealed.</p>']]);
});

it('finds a question and its place whatever the white space between their words [§2.21]', async () => {
  const question = 'May vaccines be sent back?';
  await imported(faqs(['SENT BACK', 'Sent back', 'COLD CHAIN', 'Cold chain', question, 'No.']));
  const spaced = (answer: string) =>
    faqs(['Sent  back', '', 'cold\nchain', '', 'May  vaccines be\nsent back?', answer]);
  expect((await plan(spaced('No.'))).result.counts).toEqual({ create: 0, change: 0, same: 1, refused: 0 });
  expect((await imported(spaced('Never.'))).answer.result.counts).toMatchObject({ created: 0, changed: 1 });
  expect(await contentOf('SENT BACK')).toEqual({
    name: 'Sent back',
    sections: [{ name: 'Cold chain', questions: [[question, '<p>Never.</p>']] }],
  });
});

it('finds everything as it is however its letters are typed, as the database does [§2.21]', async () => {
  const row = [
    '\u00c9T\u00c9',
    'L\u2019\u00e9t\u00e9',
    'CAF\u00c9',
    'Caf\u00e9',
    'O\u00f9 est le caf\u00e9\u202f?',
    'L\u00e0.',
  ];
  await imported(faqs(row));
  const typed = row.map((cell, place) => (place === 5 ? cell : cell.normalize('NFD')));
  expect((await plan(faqs(typed))).result.rows).toMatchObject([{ outcome: 'same' }]);
  expect((await plan(faqs(typed, row))).result.rows[1]).toMatchObject({ outcome: 'refused' });
});

it('tells questions apart as people do [§2.21]', async () => {
  const ask = (question: string) => faqs(['GASES', 'Gases', 'AIR', 'Air', question, 'No.']);
  await imported(ask('Is CO2 stored here?'));
  await imported(ask('Is CO\u2082 stored here?'));
  for (const question of ['Is CO2 stored here?', 'Is CO\u2082 stored here?'])
    expect((await plan(ask(question))).result.rows).toMatchObject([{ outcome: 'same' }]);
});

it('shows readers no FAQ or section that has only hidden questions in the file [§2.21]', async () => {
  const file = csvOf(
    [...HEADINGS, 'Active', 'Published'],
    ['DRAFT', 'Draft', 'LATER', 'Later', 'Unpublished?', 'a', 'yes', 'no'],
    ['DRAFT', '', 'OFF', 'Off', 'Inactive?', 'a', 'no', 'yes'],
    ['MIXED', 'Mixed', 'LATER', 'Later', 'Hidden?', 'a', 'no', 'no'],
    ['MIXED', '', 'NOW', 'Now', 'Hidden as well?', 'a', 'no', 'no'],
    ['MIXED', '', 'NOW', '', 'Shown?', 'a', 'yes', 'yes'],
  );
  expect((await imported(file)).answer).toMatchObject({ message: '5 questions created and 0 changed.' });
  const flagsOf = ({ code, isActive, published }: Record<string, unknown>) => [code, isActive, published];
  const rows: { id: string; code: string }[] = (await test.call(faqRoutes.list)).result;
  const made = rows.filter(({ code }) => code === 'DRAFT' || code === 'MIXED');
  const content = await Promise.all(made.map(async (faq) => [flagsOf(faq), (await sectionsOf(faq.id)).map(flagsOf)]));
  expect(content.toSorted()).toEqual([
    [
      ['DRAFT', true, false],
      [
        ['LATER', true, false],
        ['OFF', false, true],
      ],
    ],
    [
      ['MIXED', true, true],
      [
        ['LATER', false, false],
        ['NOW', true, true],
      ],
    ],
  ]);
});

it('shows readers no FAQ or section whose only visible row is refused [§2.21]', async () => {
  const file = csvOf(
    [...HEADINGS, 'Active', 'Published'],
    ['PRICES 2027', 'Prices', 'FEES', 'Fees', 'Hidden?', 'a', 'no', 'no'],
    ['PRICES 2027', '', 'FEES', 'Fee list', 'Shown?', 'a', 'yes', 'yes'],
  );
  expect((await imported(file)).answer.result.counts).toMatchObject({ created: 1, refused: 1 });
  const rows: { id: string; code: string }[] = (await test.call(faqRoutes.list)).result;
  const faq = rows.find(({ code }) => code === 'PRICES 2027');
  expect(faq).toMatchObject({ isActive: false, published: false });
  expect(await sectionsOf(faq?.id ?? '')).toMatchObject([{ name: 'Fees', isActive: false, published: false }]);
});

it('takes its template as it is [§2.21]', async () => {
  const headings = FAQ_IMPORT_COLUMNS.map(({ heading }) => heading);
  const examples = FAQ_IMPORT_COLUMNS.map(({ example }) => example);
  expect(reasonsOf(await plan(csvOf(headings, examples)))).toEqual({});
});

it('refuses names that are not those of a code, questions that are there twice, and empty answers [§2.21]', async () => {
  const faqId = await make.faq({ code: 'OLD', name: 'Old' });
  const sectionId = await make.section(faqId, { code: 'S', name: 'Section' });
  for (const answer of ['<p>1</p>', '<p>2</p>'])
    await make.question({ faqId, sectionId }, { question: 'Twice?', answer });
  const reasons = reasonsOf(
    await plan(
      faqs(
        ['OLD', 'New', 'S', '', 'a', 'a'],
        ['OLD', '', 'S', '', 'Twice?', 'a'],
        ['OLD', '', 'S', '', 'empty', '<p> </p>'],
        ['OTHER', '', 'S', 'Section', 'nameless', 'a'],
        ['OTHER', 'Other', 'S', 'Section', 'named', 'a'],
        ['OTHER', 'Another', 'S', 'Section', 'renamed', 'a'],
        ['OTHER', 'Other', 'S', 'Section', 'named', 'b'],
      ),
    ),
  );
  expect(reasons).toEqual({
    'OLD › S › a': ["FAQ Name: The one with this code is called 'Old'."],
    'OLD › S › Twice?': ['Question: This section has this question twice.'],
    'OLD › S › empty': ['Answer: Answer is required'],
    'OTHER › S › nameless': ['FAQ Name: FAQ Name is Required'],
    'OTHER › S › renamed': ["FAQ Name: The one with this code is called 'Other'."],
    'OTHER › S › named': [': Line 6 is about this question too.'],
  });
});

it('is for who may write FAQs [§2.21]', async () => {
  const token = (await signInTo(test, await insertAccount(test))).accessToken;
  expect(await plan(faqs(['A', 'A', 'A', 'A', 'A', 'A']), { token })).toMatchObject({ status: 403 });
});
