import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { classNames } from '../../lib/class-names.ts';
import { type Size, sizeClass } from '../variants.ts';
import { type SelectOption, SelectOptions } from './select-options.tsx';

export interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'multiple' | 'children'> {
  options: readonly SelectOption[];
  /** Text of the first option, whose value is ''. Absent: 'Please pick..' (SPEC §2.20). */
  emptyLabel?: string;
  size?: Size;
  block?: boolean;
  valid?: boolean;
  invalid?: boolean;
}

/** A native select whose first option is empty. Takes `value` and `onChange`, or the props of `form.register`. */
export function Select({
  options,
  emptyLabel,
  size = 'default',
  block = true,
  valid = false,
  invalid = false,
  className,
  ...rest
}: SelectProps) {
  const { t } = useTranslation();
  return (
    <span className={classNames('select', block && 'select-block', className)}>
      <select
        {...rest}
        className={classNames(
          'form-select',
          sizeClass('form-select', size),
          valid && 'is-valid',
          invalid && 'is-invalid',
        )}
        aria-invalid={invalid || undefined}
      >
        <SelectOptions emptyLabel={emptyLabel ?? t('components.select.empty')} options={options} />
      </select>
      <ChevronDown className="icon select-arrow" aria-hidden="true" />
    </span>
  );
}
