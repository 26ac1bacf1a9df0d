export type ToastType = 'success' | 'error' | 'warning';

/** A button with what can be done about it, such as Undo, or that leads to what was changed. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
}

export interface Message {
  type: ToastType;
  text: string;
  /** What else is to be known of it, below the text. */
  detail?: string | undefined;
  /** The first of them is the one that the keyboard reaches first. */
  actions?: readonly ToastAction[];
  /** The toast stays until the user closes it. */
  lasts?: boolean;
  /** It came at the same moment as the one before, and waits until that one is closed. */
  follows: boolean;
  /** The element that had the focus when the toast came, and gets it back. */
  cause: Element | null;
}
