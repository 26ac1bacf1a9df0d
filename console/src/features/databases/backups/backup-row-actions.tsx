import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { ArchiveRestore, Download, ShieldCheck, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDownloadBackupMutation } from '../../../api/backups.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { RowActions } from '../../../components/data-table/row-actions.tsx';
import { localDay, localMinute } from '../../../lib/moment.ts';
import { useRefusal } from '../../../rights/rights.tsx';

interface BackupRowActionsProps {
  backup: Backup;
  onRestore: (backup: Backup) => void;
  onProve: (backup: Backup) => void;
  onDelete: (backup: Backup) => void;
}

/** What can be done with one backup. */
export function BackupRowActions({ backup, onRestore, onProve, onDelete }: BackupRowActionsProps) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const [download, { isLoading }] = useDownloadBackupMutation();
  const made = new Date(backup.createdOnUtc);
  const what = { name: backup.databaseName, moment: localMinute(made) };

  async function handleDownload() {
    const fileName = `${backup.databaseName}-${localDay(made)}.dump`;
    await download({ id: backup.id, fileName }).unwrap().catch(showError);
  }
  return (
    <RowActions
      name={t('databases.backups.oneOf', what)}
      actions={[
        {
          icon: Download,
          label: t('databases.backups.download', what),
          loading: isLoading,
          refusal: refusal(backupRoutes.download),
          onSelect: () => void handleDownload(),
        },
        {
          icon: ShieldCheck,
          label: t('databases.backups.proof.label', what),
          refusal: refusal(backupProofRoutes.prove),
          onSelect: () => onProve(backup),
        },
        {
          icon: ArchiveRestore,
          label: t('databases.backups.restore', what),
          refusal: refusal(backupRoutes.restore),
          onSelect: () => onRestore(backup),
        },
        {
          icon: Trash2,
          danger: true,
          label: t('databases.backups.delete', what),
          refusal: refusal(backupRoutes.delete),
          onSelect: () => onDelete(backup),
        },
      ]}
    />
  );
}
