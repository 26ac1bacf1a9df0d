import type { ReactNode } from 'react';
import { failureOf, showError } from '../api/http/answer-errors.ts';
import { TypeToConfirmDialog, type TypeToConfirmDialogProps } from '../components/dialog/type-to-confirm-dialog.tsx';
import { isCancelled, isConflict } from '../transport/api-error.ts';
import { LoadFailed } from './load-failed.tsx';
import { LoadingText } from './loading-text.tsx';
import { type Figures, PlanFigures } from './plan-figures.tsx';
import { type OperationMutation, type OperationOptions, useOperation } from './use-operation.tsx';

/** The call that answers the plan. */
interface PlanQuery {
  data?: { message: string; result?: Figures & { digest: string } };
  isError: boolean;
  error?: { message?: string; status?: unknown };
  isFetching: boolean;
  refetch: () => unknown;
}

interface PlannedOperation<Arg, Result> extends Omit<OperationOptions<Arg, Result>, 'onRefused'> {
  mutation: OperationMutation<Arg, Result>;
  planQuery: PlanQuery;
  /** Stands in the dialog while the plan is loaded. */
  loadingPlan: string;
  /** A conflict says for good that there is no plan; else asking again may answer one. */
  isConflictFinal?: boolean;
  /** @param digest of the plan that was shown */
  argOf: (digest: string | undefined) => Arg;
}

type ConfirmProps = 'show' | 'title' | 'expected' | 'label' | 'blocksPaste' | 'schema' | 'confirmLabel';

interface PlannedOperationDialogProps<Arg, Result>
  extends PlannedOperation<Arg, Result>,
    Pick<TypeToConfirmDialogProps, ConfirmProps> {
  /** What to say before the plan. */
  lead?: ReactNode;
  /** More of the plan, below its figures. */
  details?: ReactNode;
  /** Stands in the form's place where the plan has nothing to do. */
  nothingToDo?: ReactNode;
}

/** Shows the plan of an operation, and starts it once a name was typed (DECISIONS §8). */
export function PlannedOperationDialog<Arg, Result>(props: PlannedOperationDialogProps<Arg, Result>) {
  const { show, title, expected, label, blocksPaste, schema, confirmLabel, ...planned } = props;
  const { lead, details, nothingToDo, ...operation } = planned;
  const { replacement, ...state } = usePlannedOperation(operation);
  const { data } = operation.planQuery;
  const warning = data && (
    <>
      {lead}
      {data.message}
      {data.result && <PlanFigures plan={data.result} />}
      {details}
    </>
  );
  return (
    <TypeToConfirmDialog
      {...{ show, title, expected, label, blocksPaste, schema, confirmLabel }}
      {...state}
      warning={warning}
      replacement={replacement ?? nothingToDo}
      onCancel={operation.onClose}
    />
  );
}

/**
 * Starts an operation with the digest of the plan that was shown: the server refuses it where the plan has changed. After a refusal or
 * a cancellation the dialog stays open; after a conflict the plan is loaded again.
 * @returns props of `TypeToConfirmDialog`
 */
function usePlannedOperation<Arg, Result>({ mutation, planQuery, argOf, ...options }: PlannedOperation<Arg, Result>) {
  const { start, isBusy, refusal, ...operation } = useOperation(mutation, { ...options, onRefused: handleRefusal });
  function handleRefusal(error: unknown) {
    // A conflict is told in the form, where it stays; other refusals are told by a toast, as loading the plan again would not help.
    if (isCancelled(error) || !isConflict(error)) showError(error);
    else void planQuery.refetch();
  }
  const isLoadedAgain = isConflict(refusal) && planQuery.isFetching;
  return {
    replacement: placeholderOf(planQuery, options),
    ...operation,
    busy: isBusy || isLoadedAgain,
    error: isConflict(refusal) ? refusal.message : undefined,
    failure: refusal && !isConflict(refusal) ? failureOf(refusal) : undefined,
    onConfirm: () => start(argOf(planQuery.data?.result?.digest)),
  };
}

type InsteadOptions = Pick<PlannedOperation<unknown, unknown>, 'loadingPlan' | 'isConflictFinal'>;

function placeholderOf(planQuery: PlanQuery, { loadingPlan, isConflictFinal }: InsteadOptions): ReactNode {
  const { data, isError, error, isFetching, refetch } = planQuery;
  const canRetry = !isConflictFinal || !isConflict(error);
  if (isError) return <LoadFailed error={error} busy={isFetching} onRetry={canRetry ? refetch : undefined} />;
  return data === undefined ? <LoadingText>{loadingPlan}</LoadingText> : undefined;
}
