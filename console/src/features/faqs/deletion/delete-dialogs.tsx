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

/** Deletes an FAQ with its sections and questions, if the plan that was shown still holds. */
export function DeleteFaqDialog({ faq: { id, name }, ...dialog }: DeleteDialogProps & { faq: Faq }) {
  const planQuery = usePlanFaqDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const [deleteFaq] = useDeleteFaqMutation();
  const send = () => deleteFaq({ id, plan: planQuery.data?.result.digest });
  return <PlannedDeletion {...dialog} kind="faq" name={name} planQuery={planQuery} send={send} />;
}

/** Deletes a section with its questions, if the plan that was shown still holds. */
export function DeleteSectionDialog({ section: { id, name }, ...dialog }: DeleteDialogProps & { section: FaqSection }) {
  const planQuery = usePlanFaqSectionDeletionQuery({ id }, { refetchOnMountOrArgChange: true });
  const [deleteSection] = useDeleteFaqSectionMutation();
  const send = () => deleteSection({ id, plan: planQuery.data?.result.digest });
  return <PlannedDeletion {...dialog} kind="section" name={name} planQuery={planQuery} send={send} />;
}

/** Deletes a question with its answer. */
export function DeleteQuestionDialog({ question, ...dialog }: DeleteDialogProps & { question: FaqQuestion }) {
  const [deleteQuestion] = useDeleteFaqQuestionMutation();
  return (
    <DeleteContentDialog
      {...dialog}
      kind="question"
      name={question.question}
      send={() => deleteQuestion({ id: question.id })}
    />
  );
}

interface PlannedDeletionProps extends DeleteDialogProps {
  kind: 'faq' | 'section';
  name: string;
  planQuery: DeletionPlanQuery;
  send: () => PromiseLike<{ data?: { message: string }; error?: unknown }>;
}

function PlannedDeletion({ planQuery, ...dialog }: PlannedDeletionProps) {
  const { data, error, isFetching, refetch } = planQuery;
  // Where it could not be loaded again, the plan of before is not shown any more.
  const isShown = data !== undefined && error === undefined && !isFetching;
  return (
    // The server refuses a plan that has changed: it is loaded again.
    <DeleteContentDialog {...dialog} disabled={!isShown} onRefused={refetch}>
      <DeletionPlanView planQuery={planQuery} />
    </DeleteContentDialog>
  );
}
