import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { BackupDatabaseDialog } from '../backups/backup-database-dialog.tsx';
import { BackupsModal } from '../backups/backups-modal.tsx';
import { CloneDatabaseModal } from '../clone-database-modal.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import { DeleteDatabaseDialog } from '../delete-database-dialog.tsx';
import { ReconciliationModal } from '../reconciliation/reconciliation-modal.tsx';
import { RenameDatabaseModal } from '../rename-database-modal.tsx';
import { RestoreDatabaseModal } from '../restore/restore-database-modal.tsx';
import { ViewDatabaseModal } from '../view/view-database-modal.tsx';

interface DatabaseDialogsProps {
  dialog: DatabaseDialog;
  /** Opens another dialog in place of the open one. */
  onOpen: (dialog: DatabaseDialog) => void;
  onClose: () => void;
}

/** The dialog that is open. */
export function DatabaseDialogs({ dialog, ...handlers }: DatabaseDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} {...handlers} />;
}

function DialogOf({ dialog, onOpen, ...shared }: DatabaseDialogsProps & { show: boolean }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'view':
      return <ViewDatabaseModal database={dialog.database} onOpen={onOpen} {...shared} />;
    case 'rename':
      return <RenameDatabaseModal database={dialog.database} {...shared} />;
    case 'backup':
      return <BackupDatabaseDialog database={dialog.database} {...shared} />;
    case 'clone':
      return <CloneDatabaseModal database={dialog.database} {...shared} />;
    case 'delete':
      return <DeleteDatabaseDialog database={dialog.database} {...shared} />;
    case 'backups':
      return <BackupsModal onOpen={onOpen} {...shared} />;
    case 'restore':
      return <RestoreDatabaseModal start={dialog} {...shared} />;
    case 'reconciliation':
      return <ReconciliationModal {...shared} />;
  }
}
