import {
  createContext,
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';

/** What was typed, by the names of its parts. */
export type DraftParts = Readonly<Record<string, unknown>>;

/** Keeps what is typed on a page until it is saved or discarded, so that it can be taken up again. */
export interface Drafts {
  /** The draft that is taken up again: dialogs and forms fill themselves with it. */
  resumed: DraftParts | undefined;
  /** @param value undefined: nothing is typed there, or no longer */
  keep: (name: string, value: unknown) => void;
  /** Nothing more is filled with the draft that was taken up. */
  forget: () => void;
}

export const DraftsContext = createContext<Drafts>({
  resumed: undefined,
  keep: () => undefined,
  forget: () => undefined,
});

/** The names of the open dialog, and of its title. */
export const DIALOG = 'dialog';
export const TITLE = 'title';

/** The changed fields of a form, by name. */
export type ChangedValues = Readonly<Record<string, unknown>>;

/** Passwords and other secrets are never kept. */
const SECRET = /password|secret|token/i;

/** Texts, numbers, booleans and lists of them; no files. */
const canKeep = (value: unknown) => typeof value !== 'object' || Array.isArray(value);

/** @returns what differs from the form's initial values, without secrets */
export const changedValues = (values: ChangedValues, before: ChangedValues): ChangedValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => canKeep(value) && !SECRET.test(name) && JSON.stringify(value) !== JSON.stringify(before[name]),
    ),
  );

/**
 * The open dialog of a page. It is kept together with what is typed in it.
 * @param record what the page shows, where from one to another the page stays: a dialog is closed with it; undefined until it is known
 * @returns the dialog, of kind 'none' for none, and the way to open another one
 */
export function useOpenDialog<Dialog extends { kind: string }>(
  none: Dialog & { kind: 'none' },
  record?: string,
): [Dialog, Dispatch<Dialog>] {
  const { resumed, forget } = useContext(DraftsContext);
  const [{ dialog, of }, setOpen] = useState<{ dialog: Dialog; of: string | undefined }>({ dialog: none, of: record });
  // During rendering, so that it is not drawn over the other record.
  if (record !== undefined && record !== of) setOpen({ dialog: of === undefined ? dialog : none, of: record });
  useKept(DIALOG, dialog.kind === 'none' ? undefined : dialog);
  useEffect(() => {
    if (resumed?.[DIALOG]) setOpen((before) => ({ ...before, dialog: resumed[DIALOG] as Dialog }));
  }, [resumed]);
  const open = useCallback(
    (next: Dialog) => {
      // The draft belongs to the dialog in which it was typed.
      forget();
      setOpen((before) => ({ ...before, dialog: next }));
    },
    [forget],
  );
  return [dialog, open];
}

/** State that is kept together with the open dialog's typed text, once it was changed. */
export function useKeptState<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const { resumed } = useContext(DraftsContext);
  const [before] = useState(initial);
  const [value, setValue] = useState(() => (resumed?.[name] as Value | undefined) ?? initial);
  useKept(name, Object.is(value, before) ? undefined : value);
  return [value, setValue];
}

/** Names the draft after the dialog in which something was typed. @param heading holds its title and its subtitle */
export function useDraftTitle(isDirty: boolean, heading: RefObject<HTMLElement | null>): void {
  const { keep } = useContext(DraftsContext);
  useEffect(() => {
    if (!isDirty) return;
    keep(TITLE, [...(heading.current?.children ?? [])].map(({ textContent }) => textContent).join(': '));
    return () => keep(TITLE, undefined);
  }, [isDirty, heading, keep]);
}

function useKept(name: string, value: unknown) {
  const { keep } = useContext(DraftsContext);
  useEffect(() => keep(name, value), [keep, name, value]);
  useEffect(() => () => keep(name, undefined), [keep, name]);
}
