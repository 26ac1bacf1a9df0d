import { useState } from 'react';
import { showError } from '../../api/answer-errors.ts';
import { type ApiError, isApiError, isCancelled } from '../../api/api-error.ts';
import type { Reply } from '../../api/transport.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { notify } from '../../components/toast.tsx';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';

interface PlannedOperation<Result> {
  /** Name of the mutation that `send` calls. */
  endpoint: string;
  /** The call that answers the plan. */
  check: { data?: { result: { digest: string } }; isFetching: boolean; refetch: () => unknown };
  /** @param plan digest of the plan that was shown */
  send: (plan: string | undefined) => PromiseLike<{ data?: Reply<Result>; error?: unknown }>;
  /** What to say when it is done; absent: the server's message. */
  doneText?: string;
  onDone?: (result: Result) => void;
  onClose: () => void;
}

/**
 * Runs what a dialog has shown the plan of, if the plan still holds (DECISIONS §8). After a refusal or a
 * cancellation the dialog stays open; where the plan has changed, the new one is read.
 * @returns `refusal`, why the last attempt failed, and `progress`, which stands in the place of the dialog's buttons
 */
export function usePlannedOperation<Result>(options: PlannedOperation<Result>) {
  const { endpoint, check, send, doneText, onDone, onClose } = options;
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
  async function confirm() {
    setRefusal(undefined);
    const outcome = await run(() => send(check.data?.result.digest));
    if (!outcome) return;
    if (outcome.data === undefined) return handleRefusal(outcome.error);
    notify.success(doneText ?? outcome.data.message);
    onDone?.(outcome.data.result);
    if (!isInBackground()) onClose();
  }
  const isReadAnew = refusal?.status === 409 && check.isFetching;
  return { confirm, progress, busy: isBusy || isReadAnew, refusal: isBusy ? undefined : refusal?.message };
}
