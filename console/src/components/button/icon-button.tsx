import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { Spinner } from '../waiting/spinner.tsx';
import { inertWhile } from './inert-while.ts';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label' | 'title'> {
  /** The accessible name and the tooltip. */
  label: string;
  icon: LucideIcon;
  variant?: 'default' | 'danger';
  loading?: boolean;
  /** Looks disabled and takes no clicks, but keeps the focus: for one that becomes so where it may have it. */
  spent?: boolean | undefined;
  /** Why the user may not do this: the button looks disabled, and a click tells the reason. */
  refusal?: string | undefined;
  /** For a button that switches something: whether it is on. */
  pressed?: boolean;
}

/** A square button with an icon and no text. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, variant = 'default', loading, disabled, pressed, onClick, ...others } = props;
  const { className, type = 'button', spent, refusal, 'aria-disabled': ariaDisabled, ...rest } = others;
  const inert = inertWhile({ disabled, loading, spent, refusal, onClick });
  return (
    <button
      {...rest}
      {...inert}
      aria-disabled={inert['aria-disabled'] || ariaDisabled}
      type={type}
      className={classNames('icon-button', variant === 'danger' && 'icon-button-danger', className)}
      aria-label={label}
      title={refusal === undefined ? label : `${label}: ${refusal}`}
      aria-pressed={pressed}
    >
      {loading ? <Spinner /> : <Icon className="icon" aria-hidden="true" />}
    </button>
  );
}
