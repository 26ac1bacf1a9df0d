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
