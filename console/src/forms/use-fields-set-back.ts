import { useEffect } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import type { ZodForm } from '../components/form/form.tsx';

/**
 * Sets fields back that another choice has taken away: what was typed there is checked all the same, and saving would be refused by a
 * message at a field that is not there.
 * @param gone the names of the fields that do not count, and are not shown
 */
export function useFieldsSetBack<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  gone: readonly FieldPath<Input>[],
): void {
  const names = gone.join(' ');
  useEffect(() => {
    for (const name of names.split(' ').filter(Boolean)) form.resetField(name as FieldPath<Input>);
  }, [form, names]);
}

/**
 * The fields that count for a choice; the others are set back. Of 'Please pick..' none counts, and what was typed stays.
 * @param fieldsOf the fields of each choice
 */
export function useFieldsOf<Input extends FieldValues, Output, Name extends FieldPath<Input>>(
  form: ZodForm<Input, Output>,
  fieldsOf: Partial<Record<string, readonly Name[]>>,
  choice: string,
): readonly Name[] {
  const fields = fieldsOf[choice];
  const all = new Set(Object.values(fieldsOf).flatMap((names) => names ?? []));
  useFieldsSetBack(form, fields ? [...all].filter((name) => !fields.includes(name)) : []);
  return fields ?? [];
}
