import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { useBackUpDatabaseMutation } from '../../api/backups.ts';
import { useCallProgress } from '../../api/use-call-progress.tsx';
import { useFailure } from '../../api/use-failure.ts';
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
  const { failure, fail } = useFailure();
  const { progress, isInBackground } = useCallProgress('backUpDatabase', isLoading, onClose);

  async function handleConfirm() {
    try {
      const { message, result } = await backUp({ databaseName }).unwrap();
      const size = result && formatBytes(result.sizeBytes);
      notify.success(size === undefined ? message : t('databases.backup.done', { name: databaseName, size }));
      if (!isInBackground()) onClose();
    } catch (error) {
      fail(error);
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
      failure={failure}
      progress={progress}
      onConfirm={handleConfirm}
      onCancel={onClose}
    >
      <p className="backup-store">{t('databases.backup.where')}</p>
    </ConfirmDialog>
  );
}
