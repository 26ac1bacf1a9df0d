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
import { messageText } from '../../locales/messages.ts';
import { changedValues, DraftsContext } from './drafts.ts';

/** A form over `Input` values; its submit handler gets the schema's `Output`. */
export type ZodForm<Input extends FieldValues, Output> = UseFormReturn<Input, unknown, Output>;

interface FormOptions<Input extends FieldValues, Output>
  extends Omit<UseFormProps<Input, unknown, Output>, 'resolver' | 'mode'> {
  /** The name of this form among the dialog's drafts, where the dialog has several; null: its text is not kept. */
  draft?: string | null;
}

/**
 * `useForm` with validation by a contract schema; errors appear after a field was left, or after the first submit (SPEC
 * §5). What is typed is kept as a draft until it is saved or discarded.
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

/** @param isReady the form's initial values are loaded */
function useFormDraft<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: string | null,
  isReady: boolean,
) {
  const { resumed, keep } = useContext(DraftsContext);
  const restore = useEffectEvent(() => {
    const kept = name === null ? undefined : resumed?.[name];
    if (!isRecord(kept)) return;
    for (const [field, value] of Object.entries(kept)) {
      const path = field as FieldPath<Input>;
      form.setValue(path, value as FieldPathValue<Input, FieldPath<Input>>, { shouldDirty: true, shouldTouch: true });
    }
  });
  useEffect(() => {
    if (isReady && resumed) restore();
  }, [isReady, resumed]);
  useEffect(() => {
    if (name === null) return;
    const stop = form.subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        const changed = changedValues(values, form.control._defaultValues);
        keep(name, Object.keys(changed).length > 0 ? changed : undefined);
      },
    });
    return () => {
      stop();
      keep(name, undefined);
    };
  }, [form, name, keep]);
}

/**
 * Where the server's message about a field is stored: under `root`, which lasts until the next submit. At the field
 * itself the resolver would remove it as soon as this field, or one that depends on it, is left.
 */
const refusalOf = (name: string) => `root.${name}` as const;

/** The message under a field: the schema's if the field was touched or the form submitted, else the server's. */
export function fieldError<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  name: FieldPath<Input>,
): string | undefined {
  const { error, isTouched } = form.getFieldState(name, form.formState);
  const { root } = form.formState.errors;
  if (error !== undefined && (isTouched || form.formState.isSubmitted))
    return error.message && messageText(error.message);
  return root?.[name as string]?.message;
}

/** Whether to warn about an accepted text that looks wrong; not while it is typed for the first time. */
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
 * Shows the server's messages at the fields that they name, and focuses the first of these. A message stays until its
 * field changes or the form is submitted again.
 * @param errors field name to messages, from the failed answer
 * @returns the messages that belong to no field of this form
 */
export function applyServerErrors<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  errors: Record<string, string[]>,
): Record<string, string[]> {
  const remaining = { ...errors };
  // Mounted fields only: a message at a hidden field would not be seen.
  const fields = [...form.control._names.mount].filter((name): name is FieldPath<Input> => Object.hasOwn(errors, name));
  for (const [index, name] of fields.entries()) {
    form.setError(refusalOf(name), { type: 'server', message: errors[name]?.join('\n') });
    // Focused at once: setFocus uses a timer, and the user may have moved on by then.
    if (index === 0) (get(form.control._fields, `${name}._f.ref`) as HTMLElement | undefined)?.focus();
    delete remaining[name];
  }
  return remaining;
}
