import { type RefObject, useState } from 'react';
import { useBeforeSubmit, useTypedBesideForm } from '../form/unapplied.ts';

/**
 * Looks whether the browser can read what is typed in a field. While it cannot, the form is not submitted: the field has the focus
 * instead. The dialog around it counts it as typed.
 * @returns `isRefused`, whether to say so: once the field was left or the form submitted; `look`, to be called with each event
 */
export function useIncomplete(field: RefObject<HTMLInputElement | null>) {
  const [state, setState] = useState<'read' | 'typed' | 'left'>('read');
  useTypedBesideForm(state !== 'read');
  const isUnreadable = () => field.current?.validity.badInput === true;
  const look = (event: 'typed' | 'left') =>
    setState((before) => {
      if (!isUnreadable()) return 'read';
      return before === 'left' ? before : event;
    });
  useBeforeSubmit(field, (event) => {
    if (!isUnreadable()) return;
    setState('left');
    // Of several fields the first one has the focus.
    if (!event.defaultPrevented) field.current?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  return { isRefused: state === 'left', look };
}
