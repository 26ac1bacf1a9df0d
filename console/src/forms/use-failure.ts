import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { failureOf, showError } from '../api/http/answer-errors.ts';
import { applyServerErrors, type ZodForm } from '../components/form/form.tsx';
import type { Failure } from '../components/notice/failure-notice.tsx';
import { type ApiError, isCancelled, isConflict } from '../transport/api-error.ts';

export interface FailurePlaces {
  /** For messages that the server gives under another name: the form's field that shows them. */
  shownAt?: Readonly<Record<string, string>>;
  /** The field that shows a conflict where the server names no field. */
  conflictAt?: string;
}

/**
 * Shows why an attempt failed: by a toast (SPEC §8) and at the fields that the server names. Messages of no field stay
 * in the dialog: `<Modal failure={failure}>`.
 */
export function useFailure<Input extends FieldValues, Output>(
  form?: ZodForm<Input, Output>,
  { shownAt = {}, conflictAt }: FailurePlaces = {},
) {
  const [failure, setFailure] = useState<Failure>();
  function fail(error: unknown): void {
    const errors = showError(error) ?? conflictErrors(error, conflictAt);
    const left = errors && form ? applyServerErrors(form, renamed(errors, shownAt)) : errors;
    const texts = Object.values(left ?? {}).flat();
    const isAtFields = errors !== undefined && texts.length === 0 && Object.keys(errors).length > 0;
    // A cancelled call is no failure.
    const isShownAlready = isAtFields || isCancelled(error);
    setFailure(isShownAlready ? undefined : failureOf(error, texts.join(' ') || undefined));
  }
  return { failure, fail, clear: () => setFailure(undefined) };
}

type FieldErrors = NonNullable<ApiError['errors']>;

const conflictErrors = (error: unknown, field: string | undefined): FieldErrors | undefined =>
  field !== undefined && isConflict(error) ? { [field]: [error.message] } : undefined;

/** Two names may lead to one field with the same message. */
function renamed(errors: FieldErrors, names: Readonly<Record<string, string>>): FieldErrors {
  const result: FieldErrors = {};
  for (const [field, messages] of Object.entries(errors)) {
    const name = names[field] ?? field;
    result[name] = [...new Set([...(result[name] ?? []), ...messages])];
  }
  return result;
}
