import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { useTypedBesideForm } from '../form/unapplied.ts';

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
  const stop = useEffectEvent((event: SubmitEvent) => {
    if (!isUnreadable()) return;
    setState('left');
    // Of several fields the first one has the focus.
    if (!event.defaultPrevented) field.current?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    const form = field.current?.form;
    // In the capture phase, before the form's own handler sends what it has.
    form?.addEventListener('submit', stop, true);
    return () => form?.removeEventListener('submit', stop, true);
  }, [field]);
  return { isRefused: state === 'left', look };
}
