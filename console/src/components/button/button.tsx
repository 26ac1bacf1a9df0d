import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { type Size, sizeClass, type Variant } from '../variants.ts';
import { Spinner } from '../waiting/spinner.tsx';
import { inertWhile } from './inert-while.ts';

export { IconButton } from './icon-button.tsx';

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: Variant | 'link';
  size?: Size;
  outline?: boolean;
  /** As wide as its container. */
  block?: boolean;
  /** Shows a spinner and takes no clicks, but keeps the focus. */
  loading?: boolean;
  /** Looks disabled and takes no clicks, but keeps the focus: for one that becomes so where it may have it. */
  spent?: boolean | undefined;
  /** Why the user may not do this: the button looks disabled, and a click tells the reason. */
  refusal?: string | undefined;
  icon?: LucideIcon;
}

/** A button with a text; `secondary` is the quiet one next to a primary action. */
export function Button(props: ButtonProps) {
  const { variant = 'primary', size = 'default', outline, block, loading, disabled, onClick, ...others } = props;
  const { icon: Icon, type = 'button', spent, refusal, title = refusal, className, children, ...rest } = others;
  return (
    <button
      {...rest}
      {...inertWhile({ disabled, loading, spent, refusal, onClick })}
      type={type}
      title={title}
      className={classNames(
        'btn',
        outline && variant !== 'link' ? `btn-outline-${variant}` : `btn-${variant}`,
        sizeClass('btn', size),
        block && 'btn-block',
        loading && 'btn-loading',
        className,
      )}
    >
      {loading && <Spinner />}
      {Icon && !loading && <Icon className="icon" aria-hidden="true" />}
      {children !== undefined && <span className={Icon ? undefined : 'btn-label'}>{children}</span>}
    </button>
  );
}
