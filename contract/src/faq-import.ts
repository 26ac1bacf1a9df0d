import { z } from 'zod';
import { questionForm } from './faq-questions.ts';
import { sectionForm } from './faq-sections.ts';
import { faqForm } from './faqs.ts';
import { type ImportColumn, importRoutes } from './imports.ts';

const question = questionForm.shape;

/** A row of a CSV file of FAQs: a question, in a section of an FAQ, which are made where there are none. */
export const faqImportRow = z.object({
  faqCode: faqForm.shape.code,
  faqName: faqForm.shape.name,
  sectionCode: sectionForm.shape.code,
  sectionName: sectionForm.shape.name,
  question: question.question,
  answer: question.answer,
  isActive: question.isActive.default(true),
  published: question.published.default(true),
});
export type FaqImportFields = z.output<typeof faqImportRow>;

export const FAQ_IMPORT_COLUMNS = [
  { field: 'faqCode', heading: 'FAQ Code', needed: 'key', example: 'RETURNS' },
  { field: 'faqName', heading: 'FAQ Name', needed: 'new', example: 'Returns' },
  { field: 'sectionCode', heading: 'Section Code', needed: 'key', example: 'COLD' },
  { field: 'sectionName', heading: 'Section Name', needed: 'new', example: 'Cold chain' },
  { field: 'question', heading: 'Question', needed: 'key', example: 'May vaccines be sent back?' },
  { field: 'answer', heading: 'Answer', needed: 'new', example: 'Only in the box that they came in.' },
  { field: 'isActive', heading: 'Active', type: 'flag', example: 'yes' },
  { field: 'published', heading: 'Published', type: 'flag', example: 'yes' },
] as const satisfies readonly (ImportColumn & { field: keyof FaqImportFields })[];

export const faqImportRoutes = importRoutes({ feature: 'faqs', noun: 'FAQs', path: '/faq', permission: 'faqs.write' });
