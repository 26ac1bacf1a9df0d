import type { ReactNode } from 'react';
import { errorText, showError } from '../api/http/answer-errors.ts';
import { isCancelled, isConflict } from '../transport/api-error.ts';
import { Checking } from './checking.tsx';
import { LoadFailed } from './load-failed.tsx';
import { type OperationMutation, type OperationOptions, useOperation } from './use-operation.tsx';

/** The call that answers the plan. */
interface PlanQuery {
  data?: { result?: { digest: string } };
  isError: boolean;
  error?: { message?: string; status?: unknown };
  isFetching: boolean;
  refetch: () => unknown;
}

interface PlannedOperation<Arg, Result> extends Omit<OperationOptions<Arg, Result>, 'onRefused'> {
  plan: PlanQuery;
  /** What is being found out. */
  checkingText: string;
  /** A conflict says for good that there is no such plan; else it may be gone when it is asked again. */
  isConflictFinal?: boolean;
  /** @param digest of the plan that was shown */
  argOf: (digest: string | undefined) => Arg;
}

/**
 * Runs what a dialog has shown the plan of, if the plan still holds (DECISIONS §8). After a refusal or a
 * cancellation the dialog stays open; where the plan has changed, the new one is read.
 * @returns props of `TypeToConfirmDialog`
 */
export function usePlannedOperation<Arg, Result>(
  mutation: OperationMutation<Arg, Result>,
  { plan, checkingText, isConflictFinal = false, argOf, ...options }: PlannedOperation<Arg, Result>,
) {
  const { start, isBusy, progress, refusal } = useOperation(mutation, { ...options, onRefused: handleRefusal });
  function handleRefusal(error: unknown) {
    // Beside the form it is read in peace; a toast is for what no new plan explains.
    if (isCancelled(error) || !isConflict(error)) showError(error);
    else void plan.refetch();
  }
  const isReadAnew = isConflict(refusal) && plan.isFetching;
  const canRetry = !isConflictFinal || !isConflict(plan.error);
  return {
    instead: insteadOfPlan(plan, checkingText, canRetry),
    progress,
    busy: isBusy || isReadAnew,
    error: isConflict(refusal) ? refusal.message : undefined,
    failure: refusal && !isConflict(refusal) ? errorText(refusal) : undefined,
    onConfirm: () => start(argOf(plan.data?.result?.digest)),
  };
}

function insteadOfPlan(plan: PlanQuery, checkingText: string, canRetry: boolean): ReactNode {
  const { data, isError, error, isFetching, refetch } = plan;
  if (isError) return <LoadFailed error={error} busy={isFetching} onRetry={canRetry ? refetch : undefined} />;
  return data === undefined ? <Checking label={checkingText} /> : undefined;
}
