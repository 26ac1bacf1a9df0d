import { showError } from '../../api/answer-errors.ts';
import type { ApiError } from '../../api/api-error.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { useFailure } from '../../api/use-failure.ts';
import type { ZodForm } from '../../components/form.tsx';
import { notify } from '../../components/toast.tsx';
import { useOneAtATime } from '../../components/use-one-at-a-time.ts';

export interface NameValues {
  databaseName: string;
}
type NameForm = ZodForm<NameValues, NameValues>;

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
  const { failure, fail } = useFailure(form);
  async function sendName({ databaseName }: NameValues) {
    const outcome = await run(() => send(databaseName).then(succeeded, failed));
    if (!outcome) return;
    if ('error' in outcome) return isInBackground() ? void showError(outcome.error) : fail(outcome.error, atTheName);
    notify.success(outcome.message);
    if (!isInBackground()) onClose();
  }
  return { sendName, isSending: isBusy, progress, failure };
}

const succeeded = (message: string) => ({ message });
const failed = (error: unknown) => ({ error });

/** The one field stands for the new name, whatever the call's parameter for it is called. */
function atTheName({ newName, ...others }: NonNullable<ApiError['errors']>): NonNullable<ApiError['errors']> {
  return newName ? { ...others, databaseName: newName } : others;
}
