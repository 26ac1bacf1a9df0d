import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { ArchiveRestore, Download, ShieldCheck, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useDownloadBackupMutation } from '../../../api/backups.ts';
import { showError } from '../../../api/http/answer-errors.ts';
import { IconButton } from '../../../components/button/button.tsx';
import { localDay, localMinute } from '../../../lib/expiry.ts';
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
    <>
      <IconButton
        icon={Download}
        label={t('databases.backups.download', what)}
        loading={isLoading}
        refusal={refusal(backupRoutes.download)}
        onClick={handleDownload}
      />
      <IconButton
        icon={ShieldCheck}
        label={t('databases.backups.proof.label', what)}
        refusal={refusal(backupProofRoutes.prove)}
        onClick={() => onProve(backup)}
      />
      <IconButton
        icon={ArchiveRestore}
        label={t('databases.backups.restore', what)}
        refusal={refusal(backupRoutes.restore)}
        onClick={() => onRestore(backup)}
      />
      <IconButton
        icon={Trash2}
        variant="danger"
        label={t('databases.backups.delete', what)}
        refusal={refusal(backupRoutes.delete)}
        onClick={() => onDelete(backup)}
      />
    </>
  );
}
