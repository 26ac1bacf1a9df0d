import { type FaqQuestion, questionForm } from '@apotheca/contract/faq-questions';
import { type ReactNode, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCreateFaqQuestionMutation, useEditFaqQuestionMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import { RetryNotice } from '../../../components/notice/retry-notice.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ContentModal } from './content-modal.tsx';
import { FIELD_LABELS } from './field-labels.ts';
import type { QuestionFields, QuestionInput } from './form-types.ts';
import { questionValues } from './form-values.ts';
import { QuestionForm } from './question-form.tsx';
import { labelOf, useFaqChoices, useSectionChoices } from './use-faq-choices.ts';

interface QuestionModalProps {
  show: boolean;
  /** The question to edit; absent: create one. */
  question?: FaqQuestion;
  /** The section of the page, and its FAQ. */
  section: { faqId: string; sectionId: string };
  onClose: () => void;
}

/** Creates or edits a question with its answer (SPEC §2.19). */
export function QuestionModal({ show, question, section, onClose }: QuestionModalProps) {
  const { t } = useTranslation();
  const [defaultValues] = useState(() => questionValues(question, section));
  const form = useZodForm<QuestionInput, QuestionFields>(questionForm, { defaultValues });
  const faqs = useFaqChoices();
  const sections = useSectionChoices(useWatch({ control: form.control, name: 'faqId' }));
  const shared = { show, form, faqs, send: useSend(question), onClose };
  const nameOf = (id: string) => labelOf(faqs.options, id) ?? labelOf(sections.options, id);
  const noticeBelow = (notice: ReactNode) => (
    <>
      {notice}
      {sections.isError && <RetryNotice onRetry={sections.refetch}>{t('faqs.modal.loadFailed')}</RetryNotice>}
    </>
  );
  const named = { edited: question, subtitle: question?.question, labels: FIELD_LABELS.question, nameOf };
  return (
    <ContentModal {...shared} {...named} kind="question">
      {({ notice, ...frame }, options) => (
        <QuestionForm
          {...frame}
          isNew={!question}
          form={form}
          faqs={options}
          sections={sections.options}
          notice={noticeBelow(notice)}
        />
      )}
    </ContentModal>
  );
}

function useSend(question: FaqQuestion | undefined) {
  const [create] = useCreateFaqQuestionMutation();
  const [edit] = useEditFaqQuestionMutation();
  return ({ sortOrder, ...fields }: QuestionFields, { by, version, isSortOrderTyped }: Stamp) => {
    if (!question) return create({ ...fields, sortOrder, createdBy: by });
    return edit({ ...fields, ...(isSortOrderTyped && { sortOrder }), id: question.id, version, updatedBy: by });
  };
}
