import { zodResolver } from '@hookform/resolvers/zod';
import { useContext, useEffect, useEffectEvent } from 'react';
import {
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  type UseFormProps,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { ZodType } from 'zod';
import { isRecord } from '../../lib/is-record.ts';
import { changedValues, DraftsContext } from './drafts.ts';

/** A form over `Input` values whose submit handler gets the schema's `Output`. */
export type ZodForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

interface FormOptions<Input extends FieldValues, Output>
  extends Omit<UseFormProps<Input, unknown, Output>, 'resolver' | 'mode'> {
  /** The name under which the dialog's drafts have this form, where it has several; null: nothing of it is kept. */
  draft?: string | null;
}

/**
 * `useForm` checked by a contract schema; errors appear once a field was left, or after the first submit (SPEC §5). What
 * was typed survives the end of the session.
 */
export function useZodForm<Input extends FieldValues, Output>(
  schema: ZodType<Output, Input>,
  { draft = 'form', ...options }: FormOptions<Input, Output> = {},
): ZodForm<Input, Output> {
  const form = useForm<Input, unknown, Output>({ ...options, mode: 'onTouched', resolver: zodResolver(schema) });
  useEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ name }) => name !== undefined && form.clearErrors(refusalOf(name)),
    });
  }, [form]);
  useFormDraft(form, draft, options.values !== undefined || options.defaultValues !== undefined);
  return form;
}

/** @param isReady the values that the form begins with are there */
function useFormDraft<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: string | null,
  isReady: boolean,
) {
  const drafts = useContext(DraftsContext);
  const restore = useEffectEvent(() => {
    const left = name === null ? undefined : drafts.read(name);
    if (!isRecord(left)) return;
    for (const [field, value] of Object.entries(left)) {
      const path = field as FieldPath<Input>;
      form.setValue(path, value as FieldPathValue<Input, FieldPath<Input>>, { shouldDirty: true, shouldTouch: true });
    }
  });
  const leave = useEffectEvent(() => {
    const changed = changedValues(form.getValues(), form.control._defaultValues);
    if (name !== null && Object.keys(changed).length > 0) drafts.leave(name, changed);
  });
  useEffect(() => {
    if (isReady) restore();
  }, [isReady]);
  useEffect(() => () => leave(), []);
}

/**
 * Where the server's word on a field is kept: under `root`, which lasts until the next submit. In the field's own
 * place the schema would take it away as soon as this field, or one that depends on it, is left unchanged.
 */
const refusalOf = (name: string) => `root.${name}` as const;

/** The message to show under a field: the schema's if it was touched or the form submitted, or else the server's. */
export function fieldError<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: FieldPath<Input>,
): string | undefined {
  const { error, isTouched } = form.getFieldState(name, form.formState);
  const { root } = form.formState.errors;
  if (error !== undefined && (isTouched || form.formState.isSubmitted)) return error.message;
  return root?.[name as string]?.message;
}

/**
 * Whether to warn about a text that is taken all the same: it does not look right, and is not being typed for the first time.
 */
export function looksWrong<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: FieldPath<Input>,
  looksRight: (text: string) => boolean,
): boolean {
  const { isDirty, isTouched } = form.getFieldState(name, form.formState);
  const text: unknown = form.watch(name);
  return typeof text === 'string' && text !== '' && (isTouched || !isDirty) && !looksRight(text);
}

/**
 * Puts the server's messages under the fields they name, where they stay until the field changes or the form is
 * submitted again, and moves the focus to the first of them.
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
    form.setError(refusalOf(name), { type: 'server', message: errors[name]?.join('\n') });
    // At once: setFocus waits for a timer, and the user may be elsewhere by then.
    if (index === 0) (get(form.control._fields, `${name}._f.ref`) as HTMLElement | undefined)?.focus();
    delete remaining[name];
  }
  return remaining;
}
