import { useSyncExternalStore } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import type { Message, ToastAction, ToastType } from './message.ts';

const load = () => import('./toasts.tsx');
const useToasts = lazyPart(load);

let isPrepared = false;
const followers = new Set<() => void>();

/** Loads what shows toasts: before the first one, so that it can tell too that the server is out of reach. */
export function prepareToasts(): void {
  isPrepared = true;
  for (const tell of followers) tell();
}

let isSameMoment = false;

/** Whether another message came just now. Asked as each comes: those that wait for the code come to it all at once. */
function followsAnother(): boolean {
  if (isSameMoment) return true;
  isSameMoment = true;
  setTimeout(() => {
    isSameMoment = false;
  });
  return false;
}

function show(type: ToastType, text: string, more: Pick<Message, 'actions' | 'lasts'> = {}): void {
  const message = { type, text, follows: followsAnother(), cause: document.activeElement, ...more };
  prepareToasts();
  load().then(
    (toasts) => toasts.show(message),
    // What could not be loaded shows nothing; the page that reports an error does so in its content too.
    () => undefined,
  );
}

/** Shows a short message for a moment, at the top right unless it would cover a control there. */
export const notify = {
  success: (text: string, ...actions: (ToastAction | undefined)[]) =>
    show('success', text, { actions: actions.filter((action) => action !== undefined) }),
  error: (text: string) => show('error', text),
  warning: (text: string) => show('warning', text),
  /** For a warning that is too long to read in a moment. */
  lasting: (text: string) => show('warning', text, { lasts: true }),
};

function follow(tell: () => void) {
  followers.add(tell);
  return () => void followers.delete(tell);
}

/** The place of the toasts; mounted once, at the root of the app. What shows them is loaded when it is needed. */
export function ToastHost() {
  return useSyncExternalStore(follow, () => isPrepared) && <LoadedToasts />;
}

function LoadedToasts() {
  const { value } = useToasts();
  return value && <value.Toasts />;
}
