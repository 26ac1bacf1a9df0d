import type { MouseEvent } from 'react';

interface InertProps {
  disabled?: boolean;
  /** Shows a spinner and takes no clicks, but keeps the focus. */
  loading?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/**
 * Attributes of a button that takes no clicks while disabled or loading (SPEC §2.20). While loading the button has no
 * `disabled` attribute, as the browser would move the focus out of the dialog.
 */
export function inertWhile({ disabled = false, loading = false, onClick }: InertProps) {
  return {
    disabled: disabled && !loading,
    'aria-disabled': loading || undefined,
    'aria-busy': loading || undefined,
    onClick(event: MouseEvent<HTMLButtonElement>) {
      // Also stops Enter in a field from submitting: the browser submits by a click on this button.
      if (loading) event.preventDefault();
      else onClick?.(event);
    },
  };
}
