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
  /** For a button that switches something: whether it is on. */
  pressed?: boolean;
}

/** A square button with an icon and no text. */
export function IconButton(props: IconButtonProps) {
  const { label, icon: Icon, variant = 'default', loading, disabled, pressed, onClick, ...others } = props;
  const { className, type = 'button', 'aria-disabled': ariaDisabled, ...rest } = others;
  return (
    <button
      {...rest}
      {...inertWhile({ disabled, loading, onClick })}
      aria-disabled={loading || ariaDisabled}
      type={type}
      className={classNames('icon-button', variant === 'danger' && 'icon-button-danger', className)}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
    >
      {loading ? <Spinner /> : <Icon className="icon" aria-hidden="true" />}
    </button>
  );
}
