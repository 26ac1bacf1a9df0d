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
 * once at a time.
 */
export function useToggleActive<Row extends Toggled>(options: ToggleActive<Row>) {
  const { activate, deactivate, activatedText, deactivatedText, deactivatedDetail, openAction } = options;
  const { id: updatedBy } = useSelector(selectSession);
  const { t } = useTranslation();
  const runningIds = useRef(new Set<string>());
  const send = useCallback(
    async (row: Row, isActive: boolean, onUndo?: () => void): Promise<void> => {
      const { id } = row;
      if (runningIds.current.has(id)) return;
      runningIds.current.add(id);
      try {
        const { message } = await (isActive ? deactivate : activate)({ id, updatedBy }).unwrap();
        const undo = onUndo && { label: t('components.toast.undo'), onSelect: onUndo };
        const [text, detail] = isActive ? [deactivatedText, deactivatedDetail] : [activatedText];
        notify.successWithDetail(text ?? message, detail, undo, openAction?.(row));
      } catch (error) {
        showError(error);
      } finally {
        runningIds.current.delete(id);
      }
    },
    [t, updatedBy, activate, deactivate, activatedText, deactivatedText, deactivatedDetail, openAction],
  );
  return useCallback((row: Row) => send(row, row.isActive, () => void send(row, !row.isActive)), [send]);
}
