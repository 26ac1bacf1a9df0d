import { type FaqSection, sectionForm } from '@apotheca/contract/faq-sections';
import { useId, useState } from 'react';
import { useCreateFaqSectionMutation, useEditFaqSectionMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ChoicesPlaceholder } from './choices-placeholder.tsx';
import { ContentModal } from './content-modal.tsx';
import type { SectionFields, SectionInput } from './form-types.ts';
import { sectionValues } from './form-values.ts';
import { SectionForm } from './section-form.tsx';
import { useContentStaleEdit } from './use-content-stale-edit.ts';
import { labelOf, useFaqChoices } from './use-faq-choices.ts';
import { useSaveContent } from './use-save-content.ts';

interface SectionModalProps {
  show: boolean;
  /** The section to edit; absent: create one. */
  section?: FaqSection;
  /** The FAQ of the page. */
  faqId: string;
  onClose: () => void;
}

const LABELS = {
  faqId: 'faq',
  name: 'sectionName',
  code: 'sectionCode',
  overview: 'overview',
  sortOrder: 'sortOrder',
  isActive: 'isActive',
  published: 'published',
} as const;

/** Creates or edits a section (SPEC §2.19). */
export function SectionModal({ show, section, faqId, onClose }: SectionModalProps) {
  const formId = useId();
  const faqs = useFaqChoices();
  const [defaultValues] = useState(() => sectionValues(section, faqId));
  const form = useZodForm<SectionInput, SectionFields>(sectionForm, { defaultValues });
  const nameOf = (id: string) => labelOf(faqs.options, id);
  const stale = useContentStaleEdit({ form, version: section?.version, labels: LABELS, nameOf });
  const send = useSend(section);
  const { save, isSaving, failure } = useSaveContent({
    form,
    isNew: section === undefined,
    stale,
    send,
    onSaved: onClose,
  });
  return (
    <ContentModal
      show={show}
      kind="section"
      isNew={section === undefined}
      subtitle={section?.name}
      formId={formId}
      isReady={faqs.options !== undefined}
      isDirty={form.formState.isDirty}
      isSaving={isSaving}
      failure={failure}
      onClose={onClose}
    >
      {faqs.options ? (
        <SectionForm
          id={formId}
          isNew={section === undefined}
          form={form}
          faqs={faqs.options}
          notice={stale.notice}
          onSubmit={form.handleSubmit(save)}
        />
      ) : (
        <ChoicesPlaceholder isError={faqs.isError} onRetry={faqs.refetch} />
      )}
    </ContentModal>
  );
}

function useSend(section: FaqSection | undefined) {
  const [create] = useCreateFaqSectionMutation();
  const [edit] = useEditFaqSectionMutation();
  return ({ sortOrder, ...fields }: SectionFields, { by, version, isPlaced }: Stamp) => {
    if (!section) return create({ ...fields, sortOrder, createdBy: by });
    return edit({ ...fields, ...(isPlaced && { sortOrder }), id: section.id, version, updatedBy: by });
  };
}
