import type { MouseEvent } from 'react';

interface InertProps {
  disabled?: boolean;
  /** Shows a spinner and takes no clicks, but keeps the focus. */
  loading?: boolean;
  /** What it does is done, or there is nothing left to do it to: takes no clicks, but keeps the focus. */
  spent?: boolean | undefined;
  /** Why the user may not do this; the button can still be reached, and who listens to clicks tells the reason. */
  refusal?: string | undefined;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/**
 * Attributes of a button that takes no clicks while disabled or loading (SPEC §2.20). While loading, or spent, it has no
 * `disabled` attribute, as the browser would move the focus out of the dialog. Nor has one that is refused: it has to be
 * reached to tell why, whatever else is missing.
 */
export function inertWhile({ disabled = false, loading = false, spent = false, refusal, onClick }: InertProps) {
  const isIdle = loading || spent || refusal !== undefined;
  return {
    disabled: disabled && !isIdle,
    'aria-disabled': isIdle || undefined,
    'aria-busy': loading || undefined,
    'data-refusal': refusal,
    onClick(event: MouseEvent<HTMLButtonElement>) {
      // Also stops Enter in a field from submitting: the browser submits by a click on this button.
      if (isIdle) event.preventDefault();
      else onClick?.(event);
    },
  };
}
