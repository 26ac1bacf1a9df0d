import { importKind } from '../../imports/import-kind.ts';
import { faqImport } from './faq-import.ts';

export const importFaqsOperation = importKind(faqImport);
