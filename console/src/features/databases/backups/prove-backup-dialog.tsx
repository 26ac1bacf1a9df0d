import type { Backup } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { proveBackup } from '../../../api/backups.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { localMinute } from '../../../lib/moment.ts';
import { useOperation } from '../../../operations/use-operation.tsx';
import { proofText } from './backup-proof.tsx';

interface ProveBackupDialogProps {
  show: boolean;
  backup: Backup;
  onClose: () => void;
}

/** Proves that a backup can be restored, after saying what that does. */
export function ProveBackupDialog({ show, backup, onClose }: ProveBackupDialogProps) {
  const { t } = useTranslation();
  const { failure, fail } = useFailure();
  const { start, isBusy, progress } = useOperation(proveBackup, { onRefused: fail, onClose });
  const what = { name: backup.databaseName, moment: localMinute(new Date(backup.createdOnUtc)) };
  return (
    <ConfirmDialog
      show={show}
      title={t('databases.backups.proof.dialog.title')}
      message={t('databases.backups.proof.dialog.what', what)}
      confirmLabel={t('databases.backups.proof.dialog.confirm')}
      variant="primary"
      busy={isBusy}
      failure={failure}
      progress={progress}
      onConfirm={() => start({ id: backup.id })}
      onCancel={onClose}
    >
      <p className="backup-store">
        {t('databases.backups.proof.dialog.last')}: {proofText(t, backup)}
      </p>
    </ConfirmDialog>
  );
}
