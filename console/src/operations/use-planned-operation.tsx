import { type ReactNode, useState } from 'react';
import { showError } from '../api/http/answer-errors.ts';
import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { type ApiError, isApiError, isCancelled } from '../transport/api-error.ts';
import type { Reply } from '../transport/transport.ts';
import { Checking } from './checking.tsx';
import { LoadFailed } from './load-failed.tsx';
import { useCallProgress } from './use-call-progress.tsx';

/** The call that answers the plan. */
interface Check {
  data?: { result: { digest: string } };
  isError: boolean;
  error?: { message?: string; status?: unknown };
  isFetching: boolean;
  refetch: () => unknown;
}

interface PlannedOperation<Result> {
  /** Name of the mutation that `send` calls. */
  endpoint: string;
  check: Check;
  /** What is being found out. */
  checkingText: string;
  /** @param plan digest of the plan that was shown */
  send: (plan: string | undefined) => PromiseLike<{ data?: Reply<Result | undefined>; error?: unknown }>;
  /** What to say when it is done; absent: the server's message. */
  doneText?: string;
  /** @param result absent where the server does not tell what it did */
  onDone?: (result: Result | undefined) => void;
  onClose: () => void;
}

/**
 * Runs what a dialog has shown the plan of, if the plan still holds (DECISIONS §8). After a refusal or a
 * cancellation the dialog stays open; where the plan has changed, the new one is read.
 * @returns props of `TypeToConfirmDialog`
 */
export function usePlannedOperation<Result>(options: PlannedOperation<Result>) {
  const { endpoint, check, checkingText, send, doneText, onDone, onClose } = options;
  const { run, isBusy } = useOneAtATime();
  const { progress, isInBackground } = useCallProgress(endpoint, isBusy, onClose);
  const [refusal, setRefusal] = useState<ApiError>();

  function handleRefusal(error: unknown) {
    if (isCancelled(error)) return void showError(error);
    const isConflict = isApiError(error) && error.status === 409;
    // Beside the form it is read in peace; a toast is for whoever has left, and for what no new plan explains.
    if (isInBackground() || !isConflict) showError(error);
    if (isApiError(error)) setRefusal(error);
    if (isConflict) void check.refetch();
  }
  async function handleConfirm() {
    setRefusal(undefined);
    const outcome = await run(() => send(check.data?.result.digest));
    if (!outcome) return;
    if (outcome.data === undefined) return handleRefusal(outcome.error);
    notify.success(doneText ?? outcome.data.message);
    onDone?.(outcome.data.result);
    if (!isInBackground()) onClose();
  }
  const isReadAnew = refusal?.status === 409 && check.isFetching;
  return {
    instead: insteadOfPlan(check, checkingText),
    progress,
    busy: isBusy || isReadAnew,
    error: isBusy ? undefined : refusal?.message,
    onConfirm: handleConfirm,
  };
}

function insteadOfPlan({ data, isError, error, isFetching, refetch }: Check, checkingText: string): ReactNode {
  if (isError) return <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  return data === undefined ? <Checking label={checkingText} /> : undefined;
}
