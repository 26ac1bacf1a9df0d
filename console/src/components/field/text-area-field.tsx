import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Field, type FieldProps, useField } from './field.tsx';

export type TextAreaFieldProps = FieldProps & Omit<ComponentProps<'textarea'>, 'required'>;

/** A field of several lines. */
export function TextAreaField({ label, error, required, hint, id, className, rows = 3, ...rest }: TextAreaFieldProps) {
  const field = { label, error, required, hint };
  const { control, errorId, hintId } = useField(field, id);
  return (
    <Field {...field} controlId={control.id} shown={rest} errorId={errorId} hintId={hintId} className={className}>
      <textarea
        {...rest}
        {...control}
        rows={rows}
        className={classNames('form-control', error !== undefined && 'is-invalid')}
      />
    </Field>
  );
}
