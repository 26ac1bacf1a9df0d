import type { questionForm } from '@apotheca/contract/faq-questions';
import type { sectionForm } from '@apotheca/contract/faq-sections';
import type { faqForm } from '@apotheca/contract/faqs';
import type { z } from 'zod';
import type { ZodForm } from '../../../components/form/form.tsx';

export type FaqInput = z.input<typeof faqForm>;
export type FaqFields = z.output<typeof faqForm>;
export type FaqZodForm = ZodForm<FaqInput, FaqFields>;

export type SectionInput = z.input<typeof sectionForm>;
export type SectionFields = z.output<typeof sectionForm>;
export type SectionZodForm = ZodForm<SectionInput, SectionFields>;

export type QuestionInput = z.input<typeof questionForm>;
export type QuestionFields = z.output<typeof questionForm>;
export type QuestionZodForm = ZodForm<QuestionInput, QuestionFields>;
