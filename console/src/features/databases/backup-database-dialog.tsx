import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { showError } from '../../api/answer-errors.ts';
import { useBackUpDatabaseMutation } from '../../api/backups.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { notify } from '../../components/toast.tsx';
import { formatBytes } from '../../lib/numbers.ts';

interface BackupDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Backs a database up, after saying what that does (SPEC §2.13). */
export function BackupDatabaseDialog({ show, database: { databaseName }, onClose }: BackupDatabaseDialogProps) {
  const { t } = useTranslation();
  const [backUp, { isLoading }] = useBackUpDatabaseMutation();
  const { progress, isInBackground } = useCallProgress('backUpDatabase', isLoading, onClose);

  async function handleConfirm() {
    try {
      const { result } = await backUp({ databaseName }).unwrap();
      notify.success(t('databases.backup.done', { name: databaseName, size: formatBytes(result.sizeBytes) }));
      if (!isInBackground()) onClose();
    } catch (error) {
      showError(error);
    }
  }
  return (
    <ConfirmDialog
      show={show}
      title={t('databases.backup.title')}
      message={t('databases.backup.what', { name: databaseName })}
      confirmLabel={t('databases.backup.confirm')}
      variant="primary"
      busy={isLoading}
      progress={progress}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <p className="backup-store">{t('databases.backup.where')}</p>
    </ConfirmDialog>
  );
}
