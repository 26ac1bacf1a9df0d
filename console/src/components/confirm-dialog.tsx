import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import { Modal } from './modal.tsx';

interface ConfirmDialogProps {
  show: boolean;
  title: string;
  message: ReactNode;
  /** Verb and object: 'Delete user'. */
  confirmLabel: string;
  variant?: 'danger' | 'primary';
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
  /** More to fill in or to read, under the message. */
  children?: ReactNode;
}

/** Asks before something is done. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { show, title, message, confirmLabel, variant = 'danger', busy = false, onConfirm, onCancel, children } = props;
  const { t } = useTranslation();
  const buttons = (
    <>
      <Button variant="secondary" disabled={busy} onClick={onCancel}>
        {t('components.cancel')}
      </Button>
      <Button variant={variant} loading={busy} onClick={onConfirm}>
        {confirmLabel}
      </Button>
    </>
  );
  return (
    <Modal show={show} title={title} footer={buttons} busy={busy} onClose={onCancel}>
      <div>{message}</div>
      {children}
    </Modal>
  );
}
