import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { Fact } from '../display/facts.tsx';
import { useShownValues } from '../form/form-view.tsx';
import { Checkbox, type CheckboxProps } from './checkbox.tsx';
import { FieldMessages, type FieldProps, useField } from './field.tsx';

export type CheckboxFieldProps = FieldProps & Omit<CheckboxProps, 'required' | 'label'>;

/** A checkbox with messages below it; Yes or No where its form is shown as text. */
export function CheckboxField({ label, error, required, hint, id, className, ...rest }: CheckboxFieldProps) {
  const { control, errorId, hintId } = useField({ label, error, required, hint }, id);
  const { t } = useTranslation();
  const readValue = useShownValues();
  if (readValue) {
    const isOn = rest.checked ?? readValue(rest.name ?? '') === true;
    return <Fact label={label}>{t(isOn ? 'components.yes' : 'components.no')}</Fact>;
  }
  return (
    <div className={classNames('field', className)}>
      <Checkbox {...rest} {...control} label={label} />
      <FieldMessages error={error} errorId={errorId} hint={hint} hintId={hintId} />
    </div>
  );
}
