import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { useFailure } from './use-failure.ts';

interface DeleteRecordOptions {
  send: () => PromiseLike<{ data?: { message: string }; error?: unknown }>;
  /** Told once it is deleted; absent: the server's message. */
  deletedText?: string;
  /** Deals with a refusal beside the toast. */
  onRefused?: (error: unknown) => void;
  onDeleted: () => void;
}

/** Deletes the record that a dialog has asked about, one attempt at a time; a refusal leaves the dialog open. */
export function useDeleteRecord({ send, deletedText, onRefused, onDeleted }: DeleteRecordOptions) {
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure();
  async function remove(): Promise<void> {
    const outcome = await run(send);
    if (!outcome) return;
    if (!outcome.data) {
      fail(outcome.error);
      onRefused?.(outcome.error);
      return;
    }
    notify.success(deletedText ?? outcome.data.message);
    onDeleted();
  }
  return { remove, isBusy, failure };
}
