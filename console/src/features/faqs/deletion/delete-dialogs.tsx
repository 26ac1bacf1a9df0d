import type { FaqQuestion } from '@apotheca/contract/faq-questions';
import type { FaqSection } from '@apotheca/contract/faq-sections';
import type { Faq } from '@apotheca/contract/faqs';
import {
  useDeleteFaqMutation,
  useDeleteFaqQuestionMutation,
  useDeleteFaqSectionMutation,
  usePlanFaqDeletionQuery,
  usePlanFaqSectionDeletionQuery,
} from '../../../api/faqs.ts';
import { DeleteContentDialog } from './delete-content-dialog.tsx';
import { type DeletionPlanQuery, DeletionPlanView } from './deletion-plan-view.tsx';

interface DeleteDialogProps {
  show: boolean;
  onClose: () => void;
}

/** Deletes an FAQ with all that is in it, if that is still what was shown. */
export function DeleteFaqDialog({ faq: { id, name }, ...dialog }: DeleteDialogProps & { faq: Faq }) {
  const check = usePlanFaqDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const [remove] = useDeleteFaqMutation();
  const send = () => remove({ id, plan: check.data?.result.digest });
  return <PlannedDeletion {...dialog} kind="faq" name={name} check={check} send={send} />;
}

/** Deletes a section with its questions, if they are still those that were counted. */
export function DeleteSectionDialog({ section: { id, name }, ...dialog }: DeleteDialogProps & { section: FaqSection }) {
  const check = usePlanFaqSectionDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const [remove] = useDeleteFaqSectionMutation();
  const send = () => remove({ id, plan: check.data?.result.digest });
  return <PlannedDeletion {...dialog} kind="section" name={name} check={check} send={send} />;
}

/** Deletes a question with its answer. */
export function DeleteQuestionDialog({ question, ...dialog }: DeleteDialogProps & { question: FaqQuestion }) {
  const [remove] = useDeleteFaqQuestionMutation();
  return (
    <DeleteContentDialog
      {...dialog}
      kind="question"
      name={question.question}
      send={() => remove({ id: question.id })}
    />
  );
}

interface PlannedDeletionProps extends DeleteDialogProps {
  kind: 'faq' | 'section';
  name: string;
  check: DeletionPlanQuery;
  send: () => PromiseLike<{ data?: { message: string }; error?: unknown }>;
}

function PlannedDeletion({ check, ...dialog }: PlannedDeletionProps) {
  return (
    // A refusal may be one because things have changed: they are looked at anew.
    <DeleteContentDialog {...dialog} disabled={!check.data || check.isFetching} onRefused={check.refetch}>
      <DeletionPlanView check={check} />
    </DeleteContentDialog>
  );
}
