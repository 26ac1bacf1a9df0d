import { refuseBy } from '../../db/errors/postgres-errors.ts';
import { fieldError } from '../../errors.ts';

/** The refusals of calls that violate constraints of the three tables. Each names the call's field. */
export const refuseByConstraint = refuseBy({
  faqs__code: () => fieldError('already-exists', 'code', 'An FAQ with this code exists already.'),
  faq_sections__faq_id__code: () =>
    fieldError('already-exists', 'code', 'A section with this code exists already in this FAQ.'),
  faq_sections__faq_id: () => fieldError('invalid', 'faqId', 'This FAQ is unknown.'),
});
