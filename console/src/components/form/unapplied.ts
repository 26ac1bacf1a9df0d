import { createContext, type RefObject, useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';

/** Tells the dialog around a field that one more, or one less, has something typed in it that no form knows of. */
export const UnappliedContext = createContext<(change: 1 | -1) => void>(() => undefined);

/** Something is typed that no form knows of: the dialog around it counts it as typed. */
export function useTypedBesideForm(isTyped: boolean): void {
  const tell = useContext(UnappliedContext);
  // In the same moment: a second Escape right after the field is gone would find the dialog still asking whether to discard it.
  useLayoutEffect(() => {
    if (!isTyped) return;
    tell(1);
    return () => tell(-1);
  }, [isTyped, tell]);
}

/** Calls `see` before the form of a field is submitted: it may stop that. */
export function useBeforeSubmit(field: RefObject<HTMLInputElement | null>, see: (event: SubmitEvent) => void): void {
  const seen = useEffectEvent(see);
  useEffect(() => {
    const form = field.current?.form;
    // In the capture phase, before the form's own handler sends what it has.
    form?.addEventListener('submit', seen, true);
    return () => form?.removeEventListener('submit', seen, true);
  }, [field]);
}

/**
 * For a field beside those of a form, whose text is part of the form only once it is applied. Until then the form is not submitted: the
 * field has the focus instead. The dialog around it counts it as typed.
 * @returns whether a submit was stopped, so that the field can say why
 */
export function useUnapplied(isUnapplied: boolean, field: RefObject<HTMLInputElement | null>): boolean {
  const [isStopped, setStopped] = useState(false);
  useTypedBesideForm(isUnapplied);
  useBeforeSubmit(field, (event) => {
    if (!isUnapplied) return;
    event.preventDefault();
    event.stopPropagation();
    setStopped(true);
    field.current?.focus();
  });
  return isStopped && isUnapplied;
}
