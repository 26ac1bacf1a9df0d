import type { Finding } from '@apotheca/contract/reconciliation';
import { useTranslation } from 'react-i18next';
import { showError } from '../../../api/http/answer-errors.ts';
import { useFixFindingMutation } from '../../../api/reconciliation.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { fixName } from './fix-name.ts';

interface FixFindingDialogProps {
  show: boolean;
  finding: Finding;
  onClose: () => void;
}

/** Asks before a difference between registry and server is fixed. */
export function FixFindingDialog({ show, finding, onClose }: FixFindingDialogProps) {
  const { t } = useTranslation();
  const [fix, { isLoading }] = useFixFindingMutation();
  const { kind, subject, explanation } = finding;
  const name = fixName(finding) ?? 'databases.reconciliation.fix';

  async function handleConfirm() {
    try {
      await fix({ kind, subject }).unwrap();
      notify.success(t('databases.reconciliation.fixed', { fix: t(name), subject }));
    } catch (error) {
      showError(error);
    }
    // Also after a refusal: the finding may be gone, and the list is loaded again.
    onClose();
  }
  return (
    <ConfirmDialog
      show={show}
      title={`${t(name)}: ${subject}`}
      message={explanation}
      confirmLabel={t(name)}
      variant={DESTRUCTIVE.test(finding.fix) ? 'danger' : 'primary'}
      busy={isLoading}
      onConfirm={handleConfirm}
      onCancel={onClose}
    />
  );
}

/** Fixes that delete something for good. */
const DESTRUCTIVE = /^(drop|remove|forget)/;
