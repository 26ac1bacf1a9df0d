import type { FieldValues } from 'react-hook-form';
import { useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import { applyServerErrors, type ZodForm } from '../components/form/form.tsx';
import type { ToastAction } from '../components/toast/message.ts';
import { notify } from '../components/toast/toast.tsx';
import { useOneAtATime } from '../lib/use-one-at-a-time.ts';
import { selectSession } from '../session/session-slice.ts';
import { isApiError } from '../transport/api-error.ts';
import { type FailurePlaces, useFailure } from './use-failure.ts';
import type { StaleEdit } from './use-stale-edit.tsx';
import { useUnchanged } from './use-unchanged.ts';

/** Sent with the fields of every record. */
export interface Stamp {
  /** The user who saves. */
  by: string | null;
  /** The version that the edit is based on. */
  version: number | undefined;
  /** The sort order was typed. Otherwise it is not sent, as it would undo a move made meanwhile. */
  isSortOrderTyped: boolean;
}

interface SaveRecordOptions<Input extends FieldValues, Output, Saved> {
  form: ZodForm<Input, Output>;
  /** The record is created, not changed. */
  isNew: boolean;
  /** Absent for a record that can only be created. */
  stale?: StaleEdit;
  /** Creates or changes the record. */
  send: (fields: Output, stamp: Stamp) => PromiseLike<{ data?: { message: string; result?: Saved }; error?: unknown }>;
  /** In a form that stays open: takes the record as it was saved, as `useBegun` does. */
  follow?: (saved: Saved) => void;
  /** The toast after saving; absent: the server's message. */
  savedText?: string;
  /** What the toast after saving leads to. */
  savedAction?: (fields: Output) => ToastAction | undefined;
  /** Where messages are shown that name no field of the form. */
  places?: FailurePlaces;
  /** A refusal that names fields is shown at these only; otherwise a toast shows it too. */
  isShownAtFieldsOnly?: boolean;
  onSaved: () => void;
}

/**
 * Saves the record of a form, one attempt at a time. An edit without changes is not sent, and one that was done while its
 * answer was lost is sent again on the version that it made. Another user's changes are
 * merged into the form; any other refusal is shown at the fields that it names. Typed text is never lost.
 */
export function useSaveRecord<Input extends FieldValues, Output, Saved = unknown>(
  options: SaveRecordOptions<Input, Output, Saved>,
) {
  const { form, isNew, stale, send, follow, places, onSaved } = options;
  const { savedText, savedAction, isShownAtFieldsOnly = false } = options;
  const by = useSelector(selectSession).id || null;
  const { run, isBusy } = useOneAtATime();
  const { failure, fail, clear } = useFailure(form, places);
  const isUnchanged = useUnchanged(form);
  // Read during rendering, so that the form tracks it.
  const isSortOrderTyped = Object.hasOwn(form.formState.dirtyFields, 'sortOrder');

  function refuse(error: unknown): void {
    if (stale?.mergeTheirs(error)) {
      if (!isShownAtFieldsOnly) showError(error);
      return;
    }
    if (!isShownAtFieldsOnly || !isApiError(error) || !error.errors) {
      fail(error);
      return;
    }
    const left = applyServerErrors(form, error.errors);
    if (Object.keys(left).length > 0) fail({ ...error, errors: left });
  }
  async function save(fields: Output): Promise<void> {
    clear();
    if (!isNew && isUnchanged()) return onSaved();
    const sent = structuredClone(form.getValues());
    const outcome = await run(async () => {
      const stamp = { by, version: stale?.version, isSortOrderTyped };
      const first = await send(fields, stamp);
      const agreed = stale?.agreedVersion(first.error, fields);
      return agreed === undefined ? first : send(fields, { ...stamp, version: agreed });
    });
    if (!outcome) return;
    if (!outcome.data) return refuse(outcome.error);
    // A form that stays open has nothing to lose any more, before the record is fetched anew.
    form.resetDefaultValues(sent);
    // The store tells a moment later: who has changed more by then edits what was saved, too.
    if (outcome.data.result) follow?.(outcome.data.result);
    notify.success(savedText ?? outcome.data.message, savedAction?.(fields));
    onSaved();
  }
  return { save, isSaving: isBusy, failure };
}
