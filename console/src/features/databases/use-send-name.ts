import { showError } from '../../api/http/answer-errors.ts';
import type { ZodForm } from '../../components/form/form.tsx';
import { notify } from '../../components/toast/toast.tsx';
import { useFailure } from '../../forms/use-failure.ts';
import { useOneAtATime } from '../../lib/use-one-at-a-time.ts';
import { useCallProgress } from '../../operations/use-call-progress.tsx';

export interface NameValues {
  databaseName: string;
}
type NameForm = ZodForm<NameValues, NameValues>;

/** The one field stands for the new name, whatever the call's parameter for it is called. */
const AT_THE_NAME = { shownAt: { newName: 'databaseName' } };

interface SendNameOptions {
  form: NameForm;
  /** Sends the checked name; resolves to the message to show, rejects with what was refused. */
  send: (name: string) => Promise<string>;
  /** Name of the mutation that `send` runs, whose operation is then shown. */
  endpoint: string;
  /** Closes the dialog: the name was sent, or is being dealt with in the background. */
  onClose: () => void;
}

/** Sends a new name; what the server refuses is shown at the field, and nothing that was typed is lost. */
export function useSendName({ form, send, endpoint, onClose }: SendNameOptions) {
  const { run, isBusy } = useOneAtATime();
  const { progress, isInBackground } = useCallProgress(endpoint, isBusy, onClose);
  const { failure, fail } = useFailure(form, AT_THE_NAME);
  async function sendName({ databaseName }: NameValues) {
    const outcome = await run(() => send(databaseName).then(succeeded, failed));
    if (!outcome) return;
    if ('error' in outcome) return isInBackground() ? void showError(outcome.error) : fail(outcome.error);
    notify.success(outcome.message);
    if (!isInBackground()) onClose();
  }
  return { sendName, isSending: isBusy, progress, failure };
}

const succeeded = (message: string) => ({ message });
const failed = (error: unknown) => ({ error });
