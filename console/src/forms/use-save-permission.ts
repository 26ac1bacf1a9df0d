import type { permissionRoutes } from '@apotheca/contract/permissions';
import type { BodyInput } from '@apotheca/contract/route';
import type { FieldValues } from 'react-hook-form';
import { useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import { useCreatePermissionMutation, useEditPermissionMutation } from '../api/permissions.ts';
import type { ZodForm } from '../components/form/form.tsx';
import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { selectSession } from '../session/session-slice.ts';
import type { ApiError } from '../transport/api-error.ts';
import { useFailure } from './use-failure.ts';
import type { StaleEdit } from './use-stale-edit.tsx';
import { useUnchanged } from './use-unchanged.ts';

interface SavePermissionOptions<Input extends FieldValues, Output> {
  form: ZodForm<Input, Output>;
  isNew: boolean;
  stale: Pick<StaleEdit, 'version' | 'takeIn'>;
  /** The permission or menu to send. */
  bodyOf: (fields: Output) => BodyInput<typeof permissionRoutes.create>;
  /** Where the messages of a field stand that the form does not show, by its name. */
  shownAt?: Readonly<Record<string, string>>;
  onSaved: () => void;
}

/**
 * Creates or changes a permission or menu (SPEC §7.3: one call for both) and shows the server's message; what it refuses is shown at the
 * fields, and nothing that was typed is lost.
 */
export function useSavePermission<Input extends FieldValues, Output>({
  form,
  isNew,
  stale,
  bodyOf,
  shownAt = {},
  onSaved,
}: SavePermissionOptions<Input, Output>) {
  const { id } = useSelector(selectSession);
  const [create] = useCreatePermissionMutation();
  const [edit] = useEditPermissionMutation();
  const { run, isBusy } = useOneAtATime();
  const { failure, fail } = useFailure(form);
  const isUnchanged = useUnchanged(form);
  // Read while rendering, so that the form keeps track of it.
  const isPlaced = Object.hasOwn(form.formState.dirtyFields, 'sortOrder');

  function send(fields: Output) {
    const body = bodyOf(fields);
    const by = id || null;
    if (isNew) return create({ ...body, createdBy: by });
    // A place that nobody typed is not sent: it would undo a move that was made meanwhile.
    const { sortOrder, ...kept } = body;
    return edit({ ...kept, ...(isPlaced && { sortOrder }), version: stale.version, updatedBy: by });
  }
  async function save(fields: Output) {
    if (!isNew && isUnchanged()) return onSaved();
    const outcome = await run(() => send(fields));
    if (!outcome) return;
    if (outcome.error) {
      if (stale.takeIn(outcome.error)) return void showError(outcome.error);
      return fail(outcome.error, (errors) => moved(errors, shownAt));
    }
    notify.success(outcome.data.message);
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}

const moved = (errors: NonNullable<ApiError['errors']>, shownAt: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(errors).map(([field, messages]) => [shownAt[field] ?? field, messages]));
