export type ToastType = 'success' | 'error' | 'warning';

/** A button with what can be done about it, such as Undo. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
}

export interface Message {
  type: ToastType;
  text: string;
  action?: ToastAction;
  /** The toast stays until the user closes it. */
  lasts?: boolean;
  /** The element that had the focus when the toast came, and gets it back. */
  cause: Element | null;
}
