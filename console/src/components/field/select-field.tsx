import { Field, type FieldProps, useField } from './field.tsx';
import { Select, type SelectProps } from './select.tsx';

export type SelectFieldProps = FieldProps & Omit<SelectProps, 'required' | 'invalid'>;

/** A select with label and messages. */
export function SelectField({ label, error, required, hint, id, className, ...rest }: SelectFieldProps) {
  const field = { label, error, required, hint };
  const { control, errorId, hintId } = useField(field, id);
  const textOf = (value: unknown) => rest.options.find((option) => option.value === value)?.label;
  return (
    <Field
      {...field}
      controlId={control.id}
      shown={{ ...rest, textOf }}
      errorId={errorId}
      hintId={hintId}
      className={className}
    >
      <Select {...rest} {...control} invalid={error !== undefined} />
    </Field>
  );
}
