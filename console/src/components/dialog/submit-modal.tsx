import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { Modal, type ModalProps } from './modal.tsx';
import { useFreshButtons } from './use-fresh-buttons.ts';

interface SubmitModalProps extends Omit<ModalProps, 'footer'> {
  busy: boolean;
  /** Id of the form that is submitted. */
  formId: string;
  confirmLabel: string;
  variant?: 'primary' | 'danger';
  /** Nothing can be submitted yet. */
  disabled?: boolean;
  /** Replaces the buttons while the operation runs. */
  progress: ReactNode;
}

/** A modal whose form starts an operation. */
export function SubmitModal({ formId, confirmLabel, variant, disabled, progress, ...modal }: SubmitModalProps) {
  const isFresh = useFreshButtons(progress);
  const buttons = (
    <DialogButtons isBusy={modal.busy}>
      <Button type="submit" form={formId} variant={variant} disabled={disabled || isFresh} loading={modal.busy}>
        {confirmLabel}
      </Button>
    </DialogButtons>
  );
  return <Modal retry={{ type: 'submit', form: formId }} {...modal} footer={progress ?? buttons} />;
}
