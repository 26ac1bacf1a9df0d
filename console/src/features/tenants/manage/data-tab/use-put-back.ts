import { showError } from '../../../../api/http/answer-errors.ts';
import { usePutTablesBackMutation } from '../../../../api/tenant-data.ts';
import { notify } from '../../../../components/toast/toast.tsx';
import { useOneAtATime } from '../../../../lib/use-one-at-a-time.ts';
import { useCallProgress } from '../../../../operations/use-call-progress.tsx';
import { isCancelled } from '../../../../transport/api-error.ts';
import type { PutBack } from './use-data-tab.ts';

interface PutBackOptions {
  databaseName: string;
  /** The purge. */
  operationId: string;
  onPutBack: (outcome: PutBack) => void;
  onClose: () => void;
}

/** Puts tables of a purge back; `error` is why nothing was. */
export function usePutBack({ databaseName, operationId, onPutBack, onClose }: PutBackOptions) {
  const [send, { error }] = usePutTablesBackMutation();
  const { run, isBusy } = useOneAtATime();
  const { progress, isInBackground } = useCallProgress('putTablesBack', isBusy, onClose);

  async function putBack(tables: string[]) {
    const outcome = await run(() => send({ query: { databaseName, operationId }, body: tables }));
    if (!outcome) return;
    if (outcome.error) return void showError(outcome.error);
    notify.success(outcome.data.message);
    onPutBack({ operationId, tables, message: outcome.data.message });
    if (!isInBackground()) onClose();
  }
  return { putBack, isBusy, progress, error: isBusy || isCancelled(error) ? undefined : error };
}
