import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import type { Failure } from '../notice/failure-notice.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { Modal } from './modal.tsx';
import { useFreshButtons } from './use-fresh-buttons.ts';

interface ConfirmDialogProps {
  show: boolean;
  title: string;
  message: ReactNode;
  /** Verb and object: 'Delete user'. */
  confirmLabel: string;
  variant?: 'danger' | 'primary';
  /** Nothing can be confirmed yet. */
  disabled?: boolean;
  busy?: boolean;
  /** Replaces the buttons while the operation runs. */
  progress?: ReactNode;
  /** Why the last attempt failed. */
  failure?: Failure;
  onConfirm: () => void;
  onCancel: () => void;
  /** More to fill in or to read, under the message. */
  children?: ReactNode;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { show, title, message, confirmLabel, variant = 'danger', busy = false, onConfirm, onCancel, ...rest } = props;
  const { progress, disabled, failure, children } = rest;
  const isFresh = useFreshButtons(progress);
  const buttons = (
    <DialogButtons isBusy={busy} onClose={onCancel}>
      <Button variant={variant} disabled={disabled || isFresh} loading={busy} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      {...{ show, title, busy, failure }}
      retry={disabled ? undefined : { onClick: onConfirm }}
      footer={progress ?? buttons}
      onClose={onCancel}
    >
      <div>{message}</div>
      {children}
    </Modal>
  );
}
