import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Field, type FieldProps, useField } from './field.tsx';

export type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, 'required' | 'size'>;

/** A one-line field: `<TextField label=… error={fieldError(form, 'city')} {...form.register('city')} />`. */
export function TextField({
  label,
  error,
  required,
  hint,
  warning,
  id,
  className,
  type = 'text',
  ...rest
}: TextFieldProps) {
  const field = { label, error, required, hint, warning };
  const { control, ...ids } = useField(field, id);
  return (
    <Field {...field} controlId={control.id} shown={rest} {...ids} className={className}>
      <input
        {...rest}
        {...control}
        type={type}
        className={classNames('form-control', error !== undefined && 'is-invalid')}
      />
    </Field>
  );
}
