import type { ReactNode } from 'react';
import { ConfirmDialog } from '../components/dialog/confirm-dialog.tsx';
import { notify } from '../components/toast/toast.tsx';
import { useIsGone } from '../lib/use-is-gone.ts';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { useFailure } from './use-failure.ts';

interface DeleteRecordDialogProps<Answer> {
  show: boolean;
  title: string;
  message: ReactNode;
  /** Verb and object: 'Delete user'. */
  confirmLabel: string;
  /** Absent: danger. */
  variant?: 'primary';
  /** Nothing can be confirmed yet: the plan is still loaded, or could not be. */
  disabled?: boolean;
  send: () => PromiseLike<{ data?: Answer; error?: unknown }>;
  /** Tells that the record is deleted; absent: a toast with the server's message. */
  tell?: (answer: Answer) => void;
  /** Called on a refusal, in addition to the toast; not once the page was left. */
  onRefused?: (error: unknown) => void;
  onClose: () => void;
  /** More to fill in or to read, under the message. */
  children?: ReactNode;
}

/** Asks before a record is deleted or changed at once, one attempt at a time; a refusal leaves the dialog open. */
export function DeleteRecordDialog<Answer extends { message: string }>(props: DeleteRecordDialogProps<Answer>) {
  const { send, tell = tellMessage, onRefused, onClose, ...dialog } = props;
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure();
  const isGone = useIsGone();

  async function handleConfirm(): Promise<void> {
    clear();
    const outcome = await run(send);
    if (!outcome) return;
    if (!outcome.data) {
      fail(outcome.error);
      if (!isGone()) onRefused?.(outcome.error);
      return;
    }
    tell(outcome.data);
    onClose();
  }
  return <ConfirmDialog {...dialog} busy={isBusy} failure={failure} onConfirm={handleConfirm} onCancel={onClose} />;
}

const tellMessage = ({ message }: { message: string }) => notify.success(message);
