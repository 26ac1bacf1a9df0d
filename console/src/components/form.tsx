import { zodResolver } from '@hookform/resolvers/zod';
import { type FieldPath, type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';
import type { ZodType } from 'zod';

/** A form over `Input` values whose submit handler gets the schema's `Output`. */
export type ZodForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

type FormOptions<Input extends FieldValues, Output> = Omit<UseFormProps<Input, unknown, Output>, 'resolver' | 'mode'>;

/** `useForm` checked by a contract schema; errors appear once a field was left, or after the first submit (SPEC §5). */
export function useZodForm<Input extends FieldValues, Output>(
  schema: ZodType<Output, Input>,
  options?: FormOptions<Input, Output>,
): ZodForm<Input, Output> {
  return useForm<Input, unknown, Output>({ ...options, mode: 'onTouched', resolver: zodResolver(schema) });
}

/** The message to show under a field: only if it was touched, the form was submitted, or the server sent it. */
export function fieldError<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: FieldPath<Input>,
): string | undefined {
  const { error, isTouched } = form.getFieldState(name, form.formState);
  if (error === undefined) return undefined;
  return isTouched || form.formState.isSubmitted || error.type === 'server' ? error.message : undefined;
}

/**
 * Puts the server's messages under the fields they name and moves the focus to the first of them.
 * @param errors field name to messages, as a failed answer carries them
 * @returns the messages that belong to no field of this form
 */
export function applyServerErrors<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  errors: Record<string, string[]>,
): Record<string, string[]> {
  const remaining = { ...errors };
  // Only fields that are on the screen: a message under a hidden one would be lost.
  const fields = [...form.control._names.mount].filter((name): name is FieldPath<Input> => Object.hasOwn(errors, name));
  for (const [index, name] of fields.entries()) {
    form.setError(name, { type: 'server', message: errors[name]?.join(' ') }, { shouldFocus: index === 0 });
    delete remaining[name];
  }
  return remaining;
}
