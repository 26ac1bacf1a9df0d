import { useSyncExternalStore } from 'react';
import type { Message, ToastAction, ToastType } from './message.ts';
import { PlainToasts } from './plain-toasts.tsx';

/** What shows toasts, once it is here. */
let code: typeof import('./toasts.tsx') | undefined;
/** The messages of the last moment, where it did not come for them. */
let untold: readonly Message[] = [];
const followers = new Set<() => void>();

function tellFollowers() {
  for (const tell of followers) tell();
}

async function load() {
  if (!code) {
    code = await import('./toasts.tsx').catch(() => undefined);
    tellFollowers();
  }
  return code;
}

/** Loads what shows toasts: before the first one, so that it can tell too that the server is out of reach. */
export function prepareToasts(): void {
  void load();
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

function show(type: ToastType, text: string, more: Pick<Message, 'detail' | 'actions' | 'lasts'> = {}): void {
  const message = { type, text, follows: followsAnother(), cause: document.activeElement, ...more };
  load().then((toasts) => {
    if (toasts) return toasts.show(message);
    untold = message.follows ? [...untold, message] : [message];
    tellFollowers();
  });
}

function forgetUntold() {
  untold = [];
  tellFollowers();
}

const succeed = (text: string, detail: string | undefined, actions: (ToastAction | undefined)[]) =>
  show('success', text, { detail, actions: actions.filter((action) => action !== undefined) });

/** Shows a short message for a moment, at the top right unless it would cover a control there. */
export const notify = {
  success: (text: string, ...actions: (ToastAction | undefined)[]) => succeed(text, undefined, actions),
  /** @param detail what else has happened, in a sentence of its own */
  successWithDetail: (text: string, detail: string | undefined, ...actions: (ToastAction | undefined)[]) =>
    succeed(text, detail, actions),
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
  const shown = useSyncExternalStore(follow, () => code);
  const messages = useSyncExternalStore(follow, () => untold);
  return shown ? <shown.Toasts /> : <PlainToasts messages={messages} onClose={forgetUntold} />;
}
