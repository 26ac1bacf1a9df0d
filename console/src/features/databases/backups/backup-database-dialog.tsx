import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { backUpDatabase } from '../../../api/backups.ts';
import { ConfirmDialog } from '../../../components/dialog/confirm-dialog.tsx';
import { notify } from '../../../components/toast/toast.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { formatBytes } from '../../../lib/numbers.ts';
import { useOperation } from '../../../operations/use-operation.tsx';

interface BackupDatabaseDialogProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Backs a database up, after saying what that does (SPEC §2.13). */
export function BackupDatabaseDialog({ show, database: { databaseName }, onClose }: BackupDatabaseDialogProps) {
  const { t } = useTranslation();
  const { failure, fail } = useFailure();
  const { start, isBusy, progress } = useOperation(backUpDatabase, {
    tell({ message, result }) {
      const size = result && formatBytes(result.sizeBytes);
      notify.success(size === undefined ? message : t('databases.backup.done', { name: databaseName, size }));
    },
    onRefused: fail,
    onClose,
  });
  return (
    <ConfirmDialog
      show={show}
      title={t('databases.backup.title')}
      message={t('databases.backup.what', { name: databaseName })}
      confirmLabel={t('databases.backup.confirm', { name: databaseName })}
      variant="primary"
      busy={isBusy}
      failure={failure}
      progress={progress}
      onConfirm={() => start({ databaseName })}
      onCancel={onClose}
    >
      <p className="backup-store">{t('databases.backup.where')}</p>
    </ConfirmDialog>
  );
}
