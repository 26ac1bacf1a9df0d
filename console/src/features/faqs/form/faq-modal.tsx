import { type Faq, faqForm } from '@apotheca/contract/faqs';
import { useId, useState } from 'react';
import { useCreateFaqMutation, useEditFaqMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ContentModal } from './content-modal.tsx';
import { FaqForm } from './faq-form.tsx';
import type { FaqFields, FaqInput } from './form-types.ts';
import { faqValues } from './form-values.ts';
import { useContentStaleEdit } from './use-content-stale-edit.ts';
import { useSaveContent } from './use-save-content.ts';

interface FaqModalProps {
  show: boolean;
  /** The FAQ to edit; absent: create one. */
  faq?: Faq;
  onClose: () => void;
}

const LABELS = {
  name: 'faqName',
  code: 'faqCode',
  overview: 'overview',
  sortOrder: 'sortOrder',
  isActive: 'isActive',
  published: 'published',
} as const;

/** Creates or edits an FAQ (SPEC §2.19). */
export function FaqModal({ show, faq, onClose }: FaqModalProps) {
  const formId = useId();
  const [defaultValues] = useState(() => faqValues(faq));
  const form = useZodForm<FaqInput, FaqFields>(faqForm, { defaultValues });
  const stale = useContentStaleEdit({ form, version: faq?.version, labels: LABELS });
  const [create] = useCreateFaqMutation();
  const [edit] = useEditFaqMutation();
  const send = (fields: FaqFields, { by, version }: Stamp) =>
    faq ? edit({ ...fields, id: faq.id, version, updatedBy: by }) : create({ ...fields, createdBy: by });
  const { save, isSaving, failure } = useSaveContent({ form, isNew: faq === undefined, stale, send, onSaved: onClose });
  return (
    <ContentModal
      show={show}
      kind="faq"
      isNew={faq === undefined}
      subtitle={faq?.name}
      formId={formId}
      isReady
      isDirty={form.formState.isDirty}
      isSaving={isSaving}
      failure={failure}
      onClose={onClose}
    >
      <FaqForm id={formId} form={form} notice={stale.notice} onSubmit={form.handleSubmit(save)} />
    </ContentModal>
  );
}
