import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button/button.tsx';
import { useModalClose } from './use-modal-close.ts';

interface DialogButtonsProps {
  isBusy: boolean;
  /** Text of the button that closes; absent: 'Cancel'. */
  closeText?: string;
  /** Absent: it closes like the cross, which asks before something typed is lost. */
  onClose?: () => void;
  /** The primary button. */
  children?: ReactNode;
}

/** The buttons of a dialog: first the one that closes it, then the primary one. */
export function DialogButtons({ isBusy, closeText, onClose, children }: DialogButtonsProps) {
  const { t } = useTranslation();
  const close = useModalClose();
  return (
    <>
      <Button variant="secondary" disabled={isBusy} onClick={onClose ?? close}>
        {closeText ?? t('components.cancel')}
      </Button>
      {children}
    </>
  );
}
