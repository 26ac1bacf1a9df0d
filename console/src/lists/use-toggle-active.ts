import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { showError } from '../api/http/answer-errors.ts';
import type { ToastAction } from '../components/toast/message.ts';
import { notify } from '../components/toast/toast.tsx';
import { selectSession } from '../session/session-slice.ts';

/** The function of a mutation's hook. */
type Send = (query: { id: string; updatedBy: string }) => { unwrap: () => Promise<{ message: string }> };

/** The record before the change. */
interface Toggled {
  id: string;
  isActive: boolean;
}

interface ToggleActive<Row extends Toggled> {
  activate: Send;
  deactivate: Send;
  /** What the toasts say; absent: the server's own messages. */
  activatedText?: string;
  deactivatedText?: string;
  /** What deactivating has ended for good, which Undo does not bring back. */
  deactivatedDetail?: string;
  /** What the toast leads to, beside Undo; absent: nowhere, as the record is in sight. */
  openAction?: ((row: Row) => ToastAction) | undefined;
}

/**
 * Activates an inactive record or deactivates an active one (SPEC §4), and offers to undo that; one record is changed
 * once at a time. A list may show the change before its call is answered, which waits for what follows it: the way back that is pressed
 * then comes after that call. A second press of the same does nothing.
 */
export function useToggleActive<Row extends Toggled>(options: ToggleActive<Row>) {
  const { activate, deactivate, activatedText, deactivatedText, deactivatedDetail, openAction } = options;
  const { id: updatedBy } = useSelector(selectSession);
  const { t } = useTranslation();
  const lastSent = useRef(new Map<string, { isActive: boolean; ended: Promise<void> }>());
  const call = useCallback(
    async (row: Row, isActive: boolean, onUndo?: () => void): Promise<void> => {
      const { id } = row;
      try {
        const { message } = await (isActive ? deactivate : activate)({ id, updatedBy }).unwrap();
        const undo = onUndo && { label: t('components.toast.undo'), onSelect: onUndo };
        const [text, detail] = isActive ? [deactivatedText, deactivatedDetail] : [activatedText];
        notify.successWithDetail(text ?? message, detail, undo, openAction?.(row));
      } catch (error) {
        showError(error);
      }
    },
    [t, updatedBy, activate, deactivate, activatedText, deactivatedText, deactivatedDetail, openAction],
  );
  const send = useCallback(
    async (row: Row, isActive: boolean, onUndo?: () => void): Promise<void> => {
      const { id } = row;
      const before = lastSent.current.get(id);
      if (before?.isActive === isActive) return;
      const ended = (before?.ended ?? Promise.resolve()).then(() => call(row, isActive, onUndo));
      const sent = { isActive, ended };
      lastSent.current.set(id, sent);
      await ended;
      if (lastSent.current.get(id) === sent) lastSent.current.delete(id);
    },
    [call],
  );
  return useCallback((row: Row) => send(row, row.isActive, () => void send(row, !row.isActive)), [send]);
}
