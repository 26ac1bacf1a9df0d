import { ALWAYS } from '@apotheca/contract/faq-content';
import { FAQ_IMPORT_COLUMNS, type FaqImportFields, faqImportRow } from '@apotheca/contract/faq-import';
import type { Actor } from '../../actor.ts';
import type { Cells } from '../../batches/batch-subject.ts';
import type { Context } from '../../context.ts';
import { fieldError } from '../../errors.ts';
import { cellsOf, type ImportSubject, refusalOfIssues, valuesOf } from '../../imports/import-subject.ts';
import { openNameKeys } from '../../name-keys.ts';
import { listFaqNames, listQuestionsToCompare, listSectionNames } from './faq-import.repository.ts';
import { htmlOf } from './faq-import-text.ts';
import { cleanRichText } from './faq-text.ts';
import { createFaq } from './faqs.service.ts';
import { createQuestion, editQuestion } from './questions.service.ts';
import { createSection } from './sections.service.ts';

const COLUMNS = FAQ_IMPORT_COLUMNS;

/** As pages show it, where all white space between two words is alike, and a letter with an accent however it is typed. */
const shown = (text: string): string => text.trim().replace(/\s+/g, ' ').normalize('NFC');

const pathOf = (...parts: (string | undefined)[]): string =>
  parts
    .map((part = '') => shown(part))
    .filter(Boolean)
    .join(' › ');
const keyOf = (cells: Cells): string => pathOf(cells.faqCode, cells.sectionCode, cells.question);
type IndexOf = (...parts: string[]) => string;

/** Questions, by the codes of FAQ and section and by their own text. FAQs and sections that are not there yet are made. */
export const faqImport: ImportSubject = {
  name: 'faqs',
  noun: 'question',
  columns: COLUMNS,
  keyOf,
  async openReader(context) {
    const { platform } = context;
    const nameKeyOf = openNameKeys();
    const indexOf: IndexOf = (...parts) => JSON.stringify(parts.map((part) => nameKeyOf(shown(part))));
    const parents = openParents(await listFaqNames(platform), await listSectionNames(platform), indexOf);
    // A question is no name: the database tells 'CO₂' from 'CO2' as people do.
    const questionIndexOf = (faqCode: string, sectionCode: string, question: string): string =>
      JSON.stringify([indexOf(faqCode, sectionCode), shown(question).toLowerCase()]);
    const questions = Map.groupBy(await listQuestionsToCompare(platform), ({ faqCode, sectionCode, question }) =>
      questionIndexOf(faqCode, sectionCode, question),
    );
    return async (cells) => {
      const { values } = valuesOf(cells, COLUMNS);
      const [there, another] =
        questions.get(questionIndexOf(cells.faqCode ?? '', cells.sectionCode ?? '', cells.question ?? '')) ?? [];
      if (another) throw fieldError('conflict', 'question', 'This section has this question twice.');
      const answer = cells.answer === undefined ? {} : { answer: htmlOf(cells.answer) };
      // Other white space in it, or another form of a letter, would be told as a change that nobody sees.
      const kept = there && shown(there.question) === shown(cells.question ?? '') ? { question: there.question } : {};
      const { names, stored } = parents.of(cells);
      const { data, error } = faqImportRow.safeParse({ ...there, ...names, ...values, ...stored, ...kept, ...answer });
      if (!data) return { refusal: refusalOfIssues(error) };
      const fields = { ...data, answer: await cleanRichText(context, 'answer', data.answer) };
      parents.take(fields);
      return {
        ...(there && { before: { cells: cellsOf(there, COLUMNS), version: there.version } }),
        after: cellsOf(fields, COLUMNS),
        async write(inContext, actor) {
          const place = await parents.make(inContext, actor, fields);
          const { question, answer: text, isActive, published } = fields;
          const content = { ...place, question, answer: text, isActive, published };
          if (there) return editQuestion(inContext, actor, { ...content, id: there.id, version: there.version });
          return createQuestion(inContext, actor, { ...content, ...ALWAYS, sortOrder: 0 });
        },
      };
    };
  },
};

interface Named {
  /** Absent: it is not made yet. */
  id?: string;
  code: string;
  name: string;
  /** What it is made with; absent where it is there. */
  flags?: Flags;
}
type Flags = Pick<FaqImportFields, 'isActive' | 'published'>;

/** FAQs by their codes, and sections by those of both. Names that come later have to be the same. */
function openParents(
  faqRows: readonly { id: string; code: string; name: string }[],
  sectionRows: readonly { id: string; faqCode: string; code: string; name: string }[],
  indexOf: IndexOf,
) {
  const faqs = new Map<string, Named>(faqRows.map((row) => [indexOf(row.code), row]));
  const sections = new Map<string, Named>(sectionRows.map((row) => [indexOf(row.faqCode, row.code), row]));
  const find = (known: Map<string, Named>, key: string, row: Named, field: 'faqName' | 'sectionName'): Named => {
    const named = known.get(key) ?? row;
    if (named.name !== row.name)
      throw fieldError('conflict', field, `The one with this code is called '${named.name}'.`);
    return named;
  };
  return {
    /** What those of a row are called already, which it need not repeat, and their codes, and the names that it repeats, as they are stored. */
    of({ faqCode = '', faqName = '', sectionCode = '', sectionName = '' }: Cells) {
      const faq = faqs.get(indexOf(faqCode));
      const section = sections.get(indexOf(faqCode, sectionCode));
      return {
        names: { faqName: faq?.name, sectionName: section?.name },
        stored: {
          faqCode: faq?.code ?? faqCode,
          sectionCode: section?.code ?? sectionCode,
          ...(faq && shown(faqName) === shown(faq.name) && { faqName: faq.name }),
          ...(section && shown(sectionName) === shown(section.name) && { sectionName: section.name }),
        },
      };
    },
    /** Takes a row in, unless one of its names is refused: a row that is not written makes nothing visible. @throws AppError conflict */
    take({ faqCode, faqName, sectionCode, sectionName, isActive, published }: FaqImportFields) {
      const flags = { isActive, published };
      const [ofFaq, ofSection] = [indexOf(faqCode), indexOf(faqCode, sectionCode)];
      const faq = find(faqs, ofFaq, { code: faqCode, name: faqName, flags }, 'faqName');
      const section = find(sections, ofSection, { code: sectionCode, name: sectionName, flags }, 'sectionName');
      faqs.set(ofFaq, faq);
      sections.set(ofSection, section);
      // Readers see FAQs and sections without questions too: what is made for hidden ones only is hidden as they are.
      if (isActive && published) for (const named of [faq, section]) named.flags = flags;
    },
    /** Makes FAQ and section, unless they are there. @throws AppError */
    async make(context: Context, actor: Actor, { faqCode, sectionCode, isActive, published }: FaqImportFields) {
      const faq = faqs.get(indexOf(faqCode));
      const section = sections.get(indexOf(faqCode, sectionCode));
      if (!faq || !section) throw new Error('a row is written that was not read');
      const made = ({ name, flags = { isActive, published } }: Named) => ({
        overview: '',
        sortOrder: 0,
        ...ALWAYS,
        ...flags,
        name,
      });
      faq.id ??= (await createFaq(context, actor, { ...made(faq), code: faqCode, module: null })).id;
      const ofFaq = { ...made(section), faqId: faq.id, icon: '' };
      section.id ??= (await createSection(context, actor, { ...ofFaq, code: sectionCode })).id;
      return { faqId: faq.id, sectionId: section.id };
    },
  };
}
