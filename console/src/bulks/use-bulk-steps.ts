import { type BulkPlan, bulkPlan } from '@apotheca/contract/bulks';
import { EXPIRY_PAST } from '@apotheca/contract/tenant-bulks';
import { useState } from 'react';
import { BULK_CALLS } from '../api/bulks.ts';
import { errorText, failureOf, showError } from '../api/http/answer-errors.ts';
import type { Failure, Retry } from '../components/notice/failure-notice.tsx';
import { utcDay } from '../lib/moment.ts';
import { useIsGone } from '../lib/use-is-gone.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { messageText } from '../locales/messages.ts';
import { type OperationMutation, useOperation } from '../operations/use-operation.tsx';
import { isApiError, isCancelled } from '../transport/api-error.ts';
import type { Reply } from '../transport/transport.ts';
import type { BulkAction } from './bulk-actions.ts';

/** The field that the action needs, as it was sent last, and why it was refused. */
export interface FieldStep {
  kind: 'field';
  /** For which it is asked. */
  ids: readonly string[];
  value?: string | undefined;
  error?: string | undefined;
}

/** Where the dialog is. */
type Step =
  | FieldStep
  | { kind: 'reading'; ids: readonly string[] }
  /** `conflict`: the plan has changed since it was shown, and this is the new one. */
  | { kind: 'plan'; plan: BulkPlan; conflict?: string }
  | { kind: 'report'; id: string };

type Sent = { action: string; ids: readonly string[] } & Record<string, unknown>;
/** The calls of all kinds of record take and answer the same, but for the field. */
type PlanMutation = {
  useMutation: () => readonly [(arg: Sent) => PromiseLike<{ data?: Reply<BulkPlan>; error?: unknown }>, unknown];
};

interface StepsOptions {
  show: boolean;
  action: BulkAction;
  ids: readonly string[];
  /** Id of one that was done, whose report is shown first. */
  report: string | undefined;
  onClose: () => void;
}

function firstStep({ action, ids, report }: StepsOptions): Step {
  if (report !== undefined) return { kind: 'report', id: report };
  return action.field ? { kind: 'field', ids } : { kind: 'reading', ids };
}

/** An action on many records is planned, then done by an operation, which goes on when the dialog is closed. */
export function useBulkSteps(options: StepsOptions) {
  const { show, action, onClose } = options;
  const calls = BULK_CALLS[action.calls];
  const [step, setStep] = useState<Step>(firstStep(options));
  const [sendPlan] = (calls.plan as unknown as PlanMutation).useMutation();
  const [failed, setFailed] = useState<{ failure: Failure; retry?: Retry }>();
  const { run } = useOneAtATime();
  const isClosed = useIsGone(show ? 'shown' : undefined);
  const operation = useOperation(calls.start as OperationMutation<{ id: string; plan: string }, unknown>, {
    onDone: (_reply, { id }) => setStep({ kind: 'report', id }),
    onRefused: handleRefusal,
    onFinished: () => undefined,
    onClose,
  });

  /** @param value of the field */
  async function plan(ids: readonly string[], value?: string) {
    const { field } = action;
    setFailed(undefined);
    const isPast = field === 'subscriptionEndDate' && value !== undefined && value < utcDay();
    if (isPast) return setStep({ kind: 'field', ids, value, error: messageText(EXPIRY_PAST) });
    setStep({ kind: 'reading', ids });
    const read = await run(() => sendPlan({ action: action.name, ids, ...(field && { [field]: value }) }));
    // A plan changes nothing: once the dialog is closed nobody asks for it.
    if (!read || isClosed()) return;
    if (read.data?.result) return setStep({ kind: 'plan', plan: read.data.result });
    const { error } = read;
    const refused = field && isApiError(error) ? error.errors?.[field]?.[0] : undefined;
    if (field) setStep({ kind: 'field', ids, value, error: refused });
    if (refused === undefined) fail(error, () => void plan(ids, value));
  }
  function start({ id, digest }: BulkPlan) {
    setFailed(undefined);
    return operation.start({ id, plan: digest });
  }
  function fail(error: unknown, again?: () => void) {
    showError(error);
    if (!isCancelled(error)) setFailed({ failure: failureOf(error), retry: again && { onClick: again } });
  }
  function handleRefusal(error: unknown) {
    const { data: changed } = bulkPlan.safeParse(isApiError(error) ? error.result : undefined);
    if (changed) return setStep({ kind: 'plan', plan: changed, conflict: errorText(error as object) });
    fail(error, step.kind === 'plan' ? () => start(step.plan) : undefined);
    if (isCancelled(error) && step.kind === 'plan') setStep({ kind: 'report', id: step.plan.id });
  }
  return {
    step,
    plan,
    isWorking: operation.isBusy,
    progress: operation.progress,
    start,
    failed: operation.isBusy ? undefined : failed,
  };
}
