import type { FieldValues } from 'react-hook-form';
import { applyServerErrors, type ZodForm } from '../../../components/form/form.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import type { StaleEdit } from '../../../forms/use-stale-edit.tsx';
import { useUnchanged } from '../../../forms/use-unchanged.ts';
import { useOneAtATime } from '../../../lib/use-one-at-a-time.ts';
import { isApiError } from '../../../transport/api-error.ts';

interface SaveContentOptions<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  isNew: boolean;
  stale: Pick<StaleEdit, 'takeIn'>;
  /** Creates or edits. */
  send: (fields: Output) => PromiseLike<{ data?: { message: string }; error?: unknown }>;
  onSaved: () => void;
}

/**
 * Saves an FAQ, section or question and shows the server's message. A refusal is shown at the fields it names, in place of a toast
 * (SPEC §8); only what belongs to no field is one.
 */
export function useSaveContent<Input extends FieldValues, Output>(options: SaveContentOptions<Input, Output>) {
  const { form, isNew, stale, send, onSaved } = options;
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure(form);
  const isUnchanged = useUnchanged(form);

  function handleRefusal(error: unknown) {
    if (stale.takeIn(error)) return;
    if (!isApiError(error) || !error.errors) return fail(error);
    const errors = applyServerErrors(form, error.errors);
    if (Object.keys(errors).length > 0) fail({ ...error, errors });
    else clear();
  }
  async function save(fields: Output) {
    if (!isNew && isUnchanged()) return onSaved();
    const outcome = await run(() => send(fields));
    if (!outcome) return;
    if (!outcome.data) return handleRefusal(outcome.error);
    notify.success(outcome.data.message);
    form.reset();
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}
