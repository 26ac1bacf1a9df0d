import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { errorText, showError } from '../api/http/answer-errors.ts';
import { applyServerErrors, type ZodForm } from '../components/form/form.tsx';
import { type ApiError, isApiError, isCancelled } from '../transport/api-error.ts';

type FieldErrors = NonNullable<ApiError['errors']>;

/**
 * Why the last attempt of a dialog failed. It is told by a toast (SPEC §8), at the fields of the form that it names, and
 * what belongs to none of them stays in the dialog: `<Modal failure={failure}>`.
 */
export function useFailure<Input extends FieldValues, Output>(form?: ZodForm<Input, Output>) {
  const [failure, setFailure] = useState<string>();
  /** @param toFields gives the messages the names of the form's fields */
  function fail(error: unknown, toFields = (errors: FieldErrors) => errors): void {
    keep(error, showError(error), toFields);
  }
  /** As `fail`, where the error was told already. */
  function keep(error: unknown, errors: ApiError['errors'], toFields = (found: FieldErrors) => found): void {
    const left = errors && form ? applyServerErrors(form, toFields(errors)) : errors;
    const texts = Object.values(left ?? {}).flat();
    const isAtFields = errors !== undefined && texts.length === 0 && Object.keys(errors).length > 0;
    // What was given up is no failure.
    const isTold = isAtFields || isCancelled(error);
    setFailure(isTold ? undefined : texts.join(' ') || errorText(isApiError(error) ? error : {}));
  }
  return { failure, fail, keep, clear: () => setFailure(undefined) };
}
