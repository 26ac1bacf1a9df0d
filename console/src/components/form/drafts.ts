import {
  createContext,
  type Dispatch,
  type SetStateAction,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react';

/** Keeps typed text when the end of a session closes the page, until the same user opens it again. */
export interface Drafts {
  /** @returns the value kept under a name; undefined where there is none */
  read: (name: string) => unknown;
  /** Called by each part of the page when it unmounts, for whatever reason. */
  keep: (name: string, value: unknown) => void;
  /** Whether anything besides the dialog itself is kept. */
  hasChanges: () => boolean;
  forget: () => void;
}

const NOTHING_KEPT: Drafts = {
  read: () => undefined,
  keep: () => undefined,
  hasChanges: () => false,
  forget: () => undefined,
};

export const DraftsContext = createContext(NOTHING_KEPT);

/** The name under which the open dialog is kept. */
const DIALOG = 'dialog';

/** The changed fields of a form, by name. */
export type ChangedValues = Readonly<Record<string, unknown>>;

/** Passwords and other secrets are never kept. */
const SECRET = /password|secret|token/i;

/** @returns the texts, numbers and booleans that differ from the form's initial values, without secrets */
export const changedValues = (values: ChangedValues, before: ChangedValues): ChangedValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => typeof value !== 'object' && !SECRET.test(name) && !Object.is(value, before[name]),
    ),
  );

/**
 * The open dialog of a page. After the end of a session it opens again with what was typed in it.
 * @returns the dialog, of kind 'none' for none, and the way to open another one
 */
export function useOpenDialog<Dialog extends { kind: string }>(
  none: Dialog & { kind: 'none' },
): [Dialog, Dispatch<Dialog>] {
  const drafts = useContext(DraftsContext);
  const [dialog, setDialog] = useState<Dialog>(() =>
    drafts.hasChanges() ? ((drafts.read(DIALOG) as Dialog | undefined) ?? none) : none,
  );
  useKeepOnUnmount(DIALOG, dialog.kind === 'none' ? undefined : dialog);
  const [open] = useState(() => (next: Dialog) => {
    // The kept text belongs to the dialog in which it was typed.
    drafts.forget();
    setDialog(next);
  });
  return [dialog, open];
}

/** State that is kept together with the open dialog's typed text, once it was changed. */
export function useKeptState<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const drafts = useContext(DraftsContext);
  const [before] = useState(initial);
  const [value, setValue] = useState(() => (drafts.read(name) as Value | undefined) ?? initial);
  useKeepOnUnmount(name, Object.is(value, before) ? undefined : value);
  return [value, setValue];
}

function useKeepOnUnmount(name: string, value: unknown) {
  const drafts = useContext(DraftsContext);
  const keep = useEffectEvent(() => value !== undefined && drafts.keep(name, value));
  useEffect(() => () => void keep(), []);
}
