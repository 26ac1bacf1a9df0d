import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../../lib/class-names.ts';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  /** Neither on nor off: some of the things it stands for are ticked. */
  indeterminate?: boolean;
}

/** A checkbox with its label; a click on either ticks it. */
export function Checkbox({ label, indeterminate = false, className, id, ref, ...rest }: CheckboxProps) {
  const ownId = useId();
  const input = useRef<HTMLInputElement | null>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate;
  });
  function setRef(node: HTMLInputElement | null) {
    input.current = node;
    if (typeof ref === 'function') return ref(node);
    if (ref) ref.current = node;
    return undefined;
  }
  return (
    <span className={classNames('form-check', className)}>
      <input {...rest} ref={setRef} id={id ?? ownId} type="checkbox" className="form-check-input" />
      <label className="form-check-label" htmlFor={id ?? ownId}>
        {label}
      </label>
    </span>
  );
}
