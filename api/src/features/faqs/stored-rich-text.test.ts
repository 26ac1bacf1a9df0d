import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { sanitizeRichText } from '../../rich-text/rich-text.ts';
import { sanitize } from '../../rich-text/sanitize.ts';
import { useTestApp } from '../../testing/app.ts';
import { faqInput, makeFaqs, questionInput, sectionInput } from '../../testing/faqs.ts';
import { INJECTIONS } from '../../testing/injections.ts';
import { IS_LONG_RUN } from '../../testing/long-run.ts';
import { findFaults } from '../../testing/rich-text-faults.ts';

const test = useTestApp();
const make = makeFaqs(test);
let place: { faqId: string; sectionId: string };
beforeAll(async () => {
  place = await make.place();
});

const answerWith = (answer: string) => test.call(faqQuestionRoutes.create, { body: questionInput(place, { answer }) });

describe('every known injection, stored through the API', () => {
  const turn = pLimit(8);
  /** sanitize.test.ts has them all; here every third one goes through the API. */
  const injections = INJECTIONS.filter((_, index) => IS_LONG_RUN || index % 3 === 0);

  it('is harmless in all three tables [§5]', async () => {
    const answers = await Promise.all(
      injections.map((html) =>
        turn(async () => [
          await answerWith(`<p>x</p>${html}`),
          await test.call(faqRoutes.create, { body: faqInput({ overview: html }) }),
          await test.call(faqSectionRoutes.create, { body: sectionInput(place.faqId, { overview: html }) }),
        ]),
      ),
    );
    for (const statuses of answers) {
      expect(statuses.map((answer) => answer.errors ?? answer.status)).toEqual([200, 200, 200]);
    }
    const stored = await readStored();
    expect(stored.length).toBeGreaterThanOrEqual(3 * injections.length);
    expect(stored.filter((html) => findFaults(html).length > 0)).toEqual([]);
    expect(stored.filter((html) => sanitize(html) !== html)).toEqual([]);
  });

  it('is answered by every call that reads it as it is stored [§5]', async () => {
    const tree = await test.call(faqRoutes.tree, { query: { hidden: 'true' } });
    const shown = new Set<string>(
      tree.result.flatMap(({ overview, sections }: { overview: string; sections: Section[] }) => [
        overview,
        ...sections.flatMap((section) => [section.overview, ...section.questions.map(({ answer }) => answer)]),
      ]),
    );
    expect(shown).toEqual(new Set(await readStored()));
  });
});

interface Section {
  overview: string;
  questions: { answer: string }[];
}

async function readStored(): Promise<string[]> {
  const { platform } = test.context;
  const [faqs, sections, questions] = await Promise.all([
    platform.selectFrom('faqs').select('overview as html').execute(),
    platform.selectFrom('faqSections').select('overview as html').execute(),
    platform.selectFrom('faqQuestions').select('answer as html').execute(),
  ]);
  return [...faqs, ...sections, ...questions].map(({ html }) => html);
}

describe('hostile text of 100,000 characters', () => {
  const fill = (piece: (count: number) => string, most: number) => {
    let text = '';
    for (let count = 0; text.length < most; count += 1) text += piece(count);
    return text.slice(0, 100_000);
  };
  const TOO_COMPLEX = ['Answer is too complex to be checked. Please simplify it.'];

  it.each<[string, string]>([
    ['nested blocks', fill(() => '<div>', 100_000)],
    ['nested lists', fill(() => '<ul><li>', 100_000)],
    ['nested tables', fill(() => '<table><tr><td>', 100_000)],
    [
      'formatting that every paragraph takes up again',
      fill((count) => `<b x=${count}>`, 50_000) + fill(() => '<p>', 50_000),
    ],
    ['misnested formatting', fill(() => '<a href=x><b><p></a>', 100_000)],
    ['attributes', `<p ${fill((count) => `a${count}=1 `, 99_000)}>x</p>`],
    ['many links', fill((count) => `<a href=//a.test/${count}>x</a>`, 99_900)],
    ['unclosed comments', fill(() => '<!--', 100_000)],
  ])('is answered, and others are meanwhile: %s [§8]', async (_, answer) => {
    const hostile = answerWith(answer);
    const { status } = await test.call(faqRoutes.list);
    expect(status).toBe(200);
    const refused = await hostile;
    expect([200, 400]).toContain(refused.status);
    if (refused.status === 400) expect(Object.keys(refused.errors ?? {})).toEqual(['answer']);
  });

  it('is a field error, others are answered meanwhile, and the next text is sanitized as usual [§8]', async () => {
    const hostile = answerWith(fill(() => '<b>', 100_000));
    expect((await test.call(faqRoutes.list)).status).toBe(200);
    const { status, errors } = await hostile;
    expect([status, errors]).toEqual([400, { answer: TOO_COMPLEX }]);
    expect((await answerWith('<b>x</b>')).status).toBe(200);
  });

  it('that becomes longer than allowed is a field error too [§5]', async () => {
    const { status, errors } = await answerWith('x'.repeat(99_000) + '<a href=x>x</a> '.repeat(50));
    expect([status, errors]).toEqual([400, { answer: ['Answer should not be more than 100000 characters'] }]);
  });

  it('is kept whole if it is harmless [§2.19]', async () => {
    const text = fill(() => '<p>Hello <strong>there</strong></p>', 99_900);
    // With a longer limit than users have: a busy machine says nothing about the text.
    expect(await sanitizeRichText(text, 60_000)).toBe(text);
    expect((await answerWith('x'.repeat(100_000))).status).toBe(200);
  });
});

describe('a larger text', () => {
  it('is a field error up to the limit of bodies, and a 413 above it [§8]', async () => {
    const { status, errors } = await answerWith('x'.repeat(100_001));
    expect([status, errors]).toEqual([400, { answer: ['Answer should not be more than 100000 characters'] }]);
    expect((await answerWith('x'.repeat(1024 * 1024))).status).toBe(413);
  });
});
