import { type Faq, faqForm } from '@apotheca/contract/faqs';
import { useState } from 'react';
import { useCreateFaqMutation, useEditFaqMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ContentModal } from './content-modal.tsx';
import { FaqForm } from './faq-form.tsx';
import { FIELD_LABELS } from './field-labels.ts';
import type { FaqFields, FaqInput } from './form-types.ts';
import { faqValues } from './form-values.ts';

interface FaqModalProps {
  show: boolean;
  /** The FAQ to edit; absent: create one. */
  faq?: Faq;
  onClose: () => void;
}

/** Creates or edits an FAQ (SPEC §2.19). */
export function FaqModal({ show, faq, onClose }: FaqModalProps) {
  const [defaultValues] = useState(() => faqValues(faq));
  const form = useZodForm<FaqInput, FaqFields>(faqForm, { defaultValues });
  const [create] = useCreateFaqMutation();
  const [edit] = useEditFaqMutation();
  const send = (fields: FaqFields, { by, version }: Stamp) =>
    faq ? edit({ ...fields, id: faq.id, version, updatedBy: by }) : create({ ...fields, createdBy: by });
  const shared = { show, form, send, onClose };
  return (
    <ContentModal {...shared} kind="faq" edited={faq} subtitle={faq?.name} labels={FIELD_LABELS.faq}>
      {(frame) => <FaqForm {...frame} form={form} faq={faq} />}
    </ContentModal>
  );
}
