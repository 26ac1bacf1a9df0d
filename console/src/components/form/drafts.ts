import {
  createContext,
  type Dispatch,
  type SetStateAction,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';

/** Keeps what was typed when the end of a session takes the page away, for when the same person is back on it. */
export interface Drafts {
  /** @returns what was left under a name, undefined for nothing */
  read: (name: string) => unknown;
  /** Called by a part of the page as it goes, whatever takes it away. */
  leave: (name: string, value: unknown) => void;
  /** Whether anything was left but the dialog itself. */
  hasChanges: () => boolean;
  forget: () => void;
}

const NOTHING_KEPT: Drafts = {
  read: () => undefined,
  leave: () => undefined,
  hasChanges: () => false,
  forget: () => undefined,
};

export const DraftsContext = createContext(NOTHING_KEPT);

/** The name that the open dialog is left under. */
export const DIALOG = 'dialog';

/** What a form holds by field, as far as it was changed. */
export type ChangedValues = Readonly<Record<string, unknown>>;

/** Nothing that opens a door is kept anywhere. */
const SECRET = /password|secret|token/i;

/** @returns the texts, numbers and switches that differ from what the form began with, but no secrets */
export const changedValues = (values: ChangedValues, before: ChangedValues): ChangedValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => typeof value !== 'object' && !SECRET.test(name) && !Object.is(value, before[name]),
    ),
  );

/**
 * The open dialog of a page. It is open again with what was typed in it when a session has ended meanwhile.
 * @returns the dialog, of kind 'none' for none, and the way to open another one
 */
export function useOpenDialog<Dialog extends { kind: string }>(
  none: Dialog & { kind: 'none' },
): [Dialog, Dispatch<Dialog>] {
  const drafts = useContext(DraftsContext);
  const [dialog, setDialog] = useState<Dialog>(() =>
    drafts.hasChanges() ? ((drafts.read(DIALOG) as Dialog | undefined) ?? none) : none,
  );
  useLeave(DIALOG, dialog.kind === 'none' ? undefined : dialog);
  const [open] = useState(() => (next: Dialog) => {
    // What was left belongs to the dialog that it was typed in.
    drafts.forget();
    setDialog(next);
  });
  return [dialog, open];
}

/** State that is kept with the open dialog's typed text, once it was changed. */
export function useKeptState<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const drafts = useContext(DraftsContext);
  const [before] = useState(initial);
  const [value, setValue] = useState(() => (drafts.read(name) as Value | undefined) ?? initial);
  useLeave(name, Object.is(value, before) ? undefined : value);
  return [value, setValue];
}

function useLeave(name: string, value: unknown) {
  const drafts = useContext(DraftsContext);
  const leave = useEffectEvent(() => value !== undefined && drafts.leave(name, value));
  useEffect(() => () => void leave(), []);
}
