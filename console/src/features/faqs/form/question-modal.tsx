import { type FaqQuestion, questionForm } from '@apotheca/contract/faq-questions';
import { useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useCreateFaqQuestionMutation, useEditFaqQuestionMutation } from '../../../api/faqs.ts';
import { useZodForm } from '../../../components/form/form.tsx';
import type { Stamp } from '../../../forms/use-save-record.ts';
import { ChoicesPlaceholder } from './choices-placeholder.tsx';
import { ContentModal } from './content-modal.tsx';
import type { QuestionFields, QuestionInput } from './form-types.ts';
import { questionValues } from './form-values.ts';
import { QuestionForm } from './question-form.tsx';
import { useContentStaleEdit } from './use-content-stale-edit.ts';
import { labelOf, useFaqChoices, useSectionChoices } from './use-faq-choices.ts';
import { useSaveContent } from './use-save-content.ts';

interface QuestionModalProps {
  show: boolean;
  /** The question to edit; absent: create one. */
  question?: FaqQuestion;
  /** The section of the page, and its FAQ. */
  section: { faqId: string; sectionId: string };
  onClose: () => void;
}

const LABELS = {
  faqId: 'faq',
  sectionId: 'section',
  question: 'question',
  answer: 'answer',
  sortOrder: 'sortOrder',
  isActive: 'isActive',
  published: 'published',
} as const;

/** Creates or edits a question with its answer (SPEC §2.19). */
export function QuestionModal({ show, question, section, onClose }: QuestionModalProps) {
  const formId = useId();
  const [defaultValues] = useState(() => questionValues(question, section));
  const form = useZodForm<QuestionInput, QuestionFields>(questionForm, { defaultValues });
  const faqs = useFaqChoices();
  const sections = useSectionChoices(useWatch({ control: form.control, name: 'faqId' }));
  const nameOf = (id: string) => labelOf(faqs.options, id) ?? labelOf(sections.options, id);
  const stale = useContentStaleEdit({ form, version: question?.version, labels: LABELS, nameOf });
  const send = useSend(question);
  const { save, isSaving, failure } = useSaveContent({
    form,
    isNew: question === undefined,
    stale,
    send,
    onSaved: onClose,
  });
  const notice = (
    <>
      {stale.notice}
      {sections.isError && <ChoicesPlaceholder isError onRetry={sections.refetch} />}
    </>
  );
  return (
    <ContentModal
      show={show}
      kind="question"
      isNew={question === undefined}
      subtitle={question?.question}
      formId={formId}
      isReady={faqs.options !== undefined}
      isDirty={form.formState.isDirty}
      isSaving={isSaving}
      failure={failure}
      onClose={onClose}
    >
      {faqs.options ? (
        <QuestionForm
          id={formId}
          isNew={question === undefined}
          form={form}
          faqs={faqs.options}
          sections={sections.options}
          notice={notice}
          onSubmit={form.handleSubmit(save)}
        />
      ) : (
        <ChoicesPlaceholder isError={faqs.isError} onRetry={faqs.refetch} />
      )}
    </ContentModal>
  );
}

function useSend(question: FaqQuestion | undefined) {
  const [create] = useCreateFaqQuestionMutation();
  const [edit] = useEditFaqQuestionMutation();
  return ({ sortOrder, ...fields }: QuestionFields, { by, version, isPlaced }: Stamp) => {
    if (!question) return create({ ...fields, sortOrder, createdBy: by });
    return edit({ ...fields, ...(isPlaced && { sortOrder }), id: question.id, version, updatedBy: by });
  };
}
