import { classNames } from '../../lib/class-names.ts';
import { Checkbox, type CheckboxProps } from './checkbox.tsx';
import { FieldMessages, type FieldProps, useField } from './field.tsx';

export type CheckboxFieldProps = FieldProps & Omit<CheckboxProps, 'required' | 'label'>;

/** A checkbox with messages below it. */
export function CheckboxField({ label, error, required, hint, id, className, ...rest }: CheckboxFieldProps) {
  const { control, errorId, hintId } = useField({ label, error, required, hint }, id);
  return (
    <div className={classNames('field', className)}>
      <Checkbox {...rest} {...control} label={label} />
      <FieldMessages error={error} errorId={errorId} hint={hint} hintId={hintId} />
    </div>
  );
}
