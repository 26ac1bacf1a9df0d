import { type BulkPlan, bulkPlan } from '@apotheca/contract/bulks';
import { useState } from 'react';
import { BULK_CALLS } from '../api/bulks.ts';
import { errorText, showError } from '../api/http/answer-errors.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { type OperationMutation, useOperation } from '../operations/use-operation.tsx';
import { isApiError, isCancelled } from '../transport/api-error.ts';
import type { Reply } from '../transport/transport.ts';
import type { BulkAction } from './bulk-actions.ts';

/** Where the dialog is. */
type Step =
  /** The field that the action needs, and why it was refused. */
  | { kind: 'field'; error?: string }
  | { kind: 'reading' }
  /** `conflict`: the plan has changed since it was shown, and this is the new one. */
  | { kind: 'plan'; plan: BulkPlan; conflict?: string }
  | { kind: 'report'; id: string };

type Sent = { action: string; ids: readonly string[] } & Record<string, unknown>;
/** The calls of all kinds of record take and answer the same, but for the field. */
type PlanMutation = {
  useMutation: () => readonly [(arg: Sent) => PromiseLike<{ data?: Reply<BulkPlan>; error?: unknown }>, unknown];
};

/** An action on many records is planned, then done by an operation, which goes on when the dialog is closed. */
export function useBulkSteps(action: BulkAction, onClose: () => void) {
  const calls = BULK_CALLS[action.calls];
  const [step, setStep] = useState<Step>({ kind: action.field ? 'field' : 'reading' });
  const [sendPlan] = (calls.plan as unknown as PlanMutation).useMutation();
  const { run } = useOneAtATime();
  const operation = useOperation(calls.start as OperationMutation<{ id: string; plan: string }, unknown>, {
    onDone: (_reply, { id }) => setStep({ kind: 'report', id }),
    onRefused: handleRefusal,
    onFinished: () => undefined,
    onClose,
  });

  /** @param value of the field */
  async function plan(ids: readonly string[], value?: string) {
    const { field } = action;
    setStep({ kind: 'reading' });
    const read = await run(() => sendPlan({ action: action.name, ids, ...(field && { [field]: value }) }));
    if (!read) return;
    if (read.data?.result) return setStep({ kind: 'plan', plan: read.data.result });
    const { error } = read;
    if (!field) {
      showError(error);
      return onClose();
    }
    setStep({
      kind: 'field',
      error: isApiError(error) ? (error.errors?.[field]?.[0] ?? error.message) : errorText({}),
    });
  }
  function handleRefusal(error: unknown) {
    const { data: changed } = bulkPlan.safeParse(isApiError(error) ? error.result : undefined);
    if (changed) return setStep({ kind: 'plan', plan: changed, conflict: errorText(error as object) });
    showError(error);
    if (isCancelled(error) && step.kind === 'plan') setStep({ kind: 'report', id: step.plan.id });
  }
  return {
    step,
    plan,
    isWorking: operation.isBusy,
    progress: operation.progress,
    start: ({ id, digest }: BulkPlan) => operation.start({ id, plan: digest }),
  };
}
