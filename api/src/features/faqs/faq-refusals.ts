import { violatedConstraint } from '../../db/errors/postgres-errors.ts';
import { fieldError } from '../../errors.ts';

/** The refusals of calls that violate constraints of the three tables. Each names the call's field. */
export function refuseByConstraint(error: unknown): never {
  switch (violatedConstraint(error)?.constraint) {
    case 'faqs__code':
      throw fieldError('already-exists', 'code', 'An FAQ with this code exists already.');
    case 'faq_sections__faq_id__code':
      throw fieldError('already-exists', 'code', 'A section with this code exists already in this FAQ.');
    case 'faq_sections__faq_id':
      throw fieldError('invalid', 'faqId', 'This FAQ is unknown.');
    default:
      throw error;
  }
}
