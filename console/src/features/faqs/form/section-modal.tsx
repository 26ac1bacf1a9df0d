import { type FaqSection, sectionForm } from '@apotheca/contract/faq-sections';
import { useState } from 'react';
import { useCreateFaqSectionMutation, useEditFaqSectionMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ContentModal } from './content-modal.tsx';
import { FIELD_LABELS } from './field-labels.ts';
import type { SectionFields, SectionInput } from './form-types.ts';
import { sectionValues } from './form-values.ts';
import { SectionForm } from './section-form.tsx';
import { labelOf, useFaqChoices } from './use-faq-choices.ts';

interface SectionModalProps {
  show: boolean;
  /** The section to edit; absent: create one. */
  section?: FaqSection;
  /** The FAQ of the page. */
  faqId: string;
  onClose: () => void;
}

/** Creates or edits a section (SPEC §2.19). */
export function SectionModal({ show, section, faqId, onClose }: SectionModalProps) {
  const faqs = useFaqChoices();
  const [defaultValues] = useState(() => sectionValues(section, faqId));
  const form = useZodForm<SectionInput, SectionFields>(sectionForm, { defaultValues });
  const shared = { show, form, faqs, send: useSend(section), onClose };
  const nameOf = (id: string) => labelOf(faqs.options, id);
  return (
    <ContentModal
      {...shared}
      kind="section"
      edited={section}
      subtitle={section?.name}
      labels={FIELD_LABELS.section}
      nameOf={nameOf}
    >
      {(frame, options) => <SectionForm {...frame} isNew={!section} form={form} faqs={options} />}
    </ContentModal>
  );
}

function useSend(section: FaqSection | undefined) {
  const [create] = useCreateFaqSectionMutation();
  const [edit] = useEditFaqSectionMutation();
  return ({ sortOrder, ...fields }: SectionFields, { by, version, isSortOrderTyped }: Stamp) => {
    if (!section) return create({ ...fields, sortOrder, createdBy: by });
    return edit({ ...fields, ...(isSortOrderTyped && { sortOrder }), id: section.id, version, updatedBy: by });
  };
}
