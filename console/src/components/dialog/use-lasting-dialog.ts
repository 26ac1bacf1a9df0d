import { useState } from 'react';

/**
 * Keeps a closed dialog until it has faded out; every opening starts with fresh state.
 * @param dialog which dialog is open, of kind 'none' for none
 * @returns `dialog` to draw, its React `key`, and whether to `show` it
 */
export function useLastingDialog<Dialog extends { kind: string }>(dialog: Dialog) {
  const [last, setLast] = useState({ dialog, opened: 0 });
  const show = dialog.kind !== 'none';
  if (show && dialog !== last.dialog) setLast({ dialog, opened: last.opened + 1 });
  return { dialog: last.dialog, key: last.opened, show };
}
