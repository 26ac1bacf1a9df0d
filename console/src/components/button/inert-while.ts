import type { MouseEvent } from 'react';

interface InertProps {
  disabled?: boolean;
  /** Shows a spinner and takes no clicks, but keeps the focus. */
  loading?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
}

/**
 * Attributes of a button that is inert while disabled or loading (SPEC §2.20). A loading one is not `disabled` for
 * the browser: that would throw the focus out of the dialog the person is in.
 */
export function inertWhile({ disabled = false, loading = false, onClick }: InertProps) {
  return {
    disabled: disabled && !loading,
    'aria-disabled': loading || undefined,
    'aria-busy': loading || undefined,
    onClick(event: MouseEvent<HTMLButtonElement>) {
      // Also keeps Enter in a field from submitting: the browser submits through a click on this button.
      if (loading) event.preventDefault();
      else onClick?.(event);
    },
  };
}
