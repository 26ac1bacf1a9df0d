import { isRecord } from '../../lib/is-record.ts';

/** A page's dialog that its screen opens at once. */
export interface OpenedDialog {
  kind: string;
}

/** The state of a history entry that opens a dialog. It is no part of the address, so that no link from elsewhere opens one. */
export const stateWith = (dialog: OpenedDialog | undefined) => (dialog ? { dialog } : null);

/** The dialog that the state of a history entry opens. */
export function dialogIn(state: unknown): OpenedDialog | undefined {
  const dialog = isRecord(state) ? state.dialog : undefined;
  return isRecord(dialog) && typeof dialog.kind === 'string' ? { ...dialog, kind: dialog.kind } : undefined;
}
