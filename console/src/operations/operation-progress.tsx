import type { Operation } from '@apotheca/contract/operations';
import { X } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../components/button/button.tsx';
import { OperationMeter } from './operation-meter.tsx';

interface OperationProgressProps {
  operation: Operation;
  onCancel: () => void;
  /** Closes the dialog; the operation continues. */
  onBackground: () => void;
}

/** Replaces a dialog's buttons while the operation that they started runs: `footer={progress ?? buttons}`. */
export function OperationProgress({ operation, onCancel, onBackground }: OperationProgressProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useDialogFocus(box);
  const { cancellable, cancelRequested } = operation;
  return (
    <div ref={box} className="operation-progress">
      <OperationMeter operation={operation} announced />
      <div className="operation-progress-buttons">
        {(cancellable || cancelRequested) && (
          <Button variant="secondary" icon={X} loading={cancelRequested} onClick={onCancel}>
            {t(cancelRequested ? 'components.operation.cancelling' : 'components.operation.cancel')}
          </Button>
        )}
        <Button variant="secondary" onClick={onBackground}>
          {t('components.operation.background')}
        </Button>
      </div>
    </div>
  );
}

/** The replaced buttons lose the focus: it moves to the dialog, both when they go and when they come back. */
function useDialogFocus(box: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const node = box.current;
    const dialog = node?.closest<HTMLElement>('[role="dialog"]');
    if (document.activeElement === document.body) dialog?.focus();
    return () => {
      if (node?.contains(document.activeElement)) dialog?.focus();
    };
  }, [box]);
}
