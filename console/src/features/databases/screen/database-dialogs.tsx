import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { RecordHistoryModal } from '../../../history/record-history-modal.tsx';
import { AdoptDatabaseModal } from '../adoption/adopt-database-modal.tsx';
import { BackupDatabaseDialog } from '../backups/backup-database-dialog.tsx';
import { BackupsModal } from '../backups/backups-modal.tsx';
import { CloneDatabaseModal } from '../clone-database-modal.tsx';
import type { DatabaseDialog } from '../database-dialog.ts';
import { DeleteDatabaseDialog } from '../delete-database-dialog.tsx';
import { RestoreMomentModal } from '../moments/restore-moment-modal.tsx';
import { MoveDatabaseDialog } from '../moving/move-database-dialog.tsx';
import { ParkedModal } from '../parking/parked-modal.tsx';
import { ReconciliationModal } from '../reconciliation/reconciliation-modal.tsx';
import { RenameDatabaseModal } from '../rename-database-modal.tsx';
import { RestoreDatabaseModal } from '../restore/restore-database-modal.tsx';
import { BackupSchedulesModal } from '../schedules/backup-schedules-modal.tsx';
import { CloneAnonymizedModal } from '../staging/clone-anonymized-modal.tsx';
import { RefreshModal } from '../staging/refresh-modal.tsx';
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
    case 'clone-anonymized':
      return <CloneAnonymizedModal database={dialog.database} {...shared} />;
    case 'refresh':
      return <RefreshModal database={dialog.database} {...shared} />;
    case 'moment':
      return <RestoreMomentModal database={dialog.database} {...shared} />;
    case 'move':
      return <MoveDatabaseDialog database={dialog.database} {...shared} />;
    case 'history': {
      const { id, databaseName } = dialog.database;
      return <RecordHistoryModal record={{ entity: 'databases', id }} name={databaseName} {...shared} />;
    }
    case 'delete':
      return <DeleteDatabaseDialog database={dialog.database} {...shared} />;
    case 'backups':
      return <BackupsModal onOpen={onOpen} {...shared} />;
    case 'schedules':
      return <BackupSchedulesModal {...shared} />;
    case 'restore':
      return <RestoreDatabaseModal start={dialog} {...shared} />;
    case 'adopt':
      return <AdoptDatabaseModal {...shared} />;
    case 'parked':
      return <ParkedModal {...shared} />;
    case 'reconciliation':
      return <ReconciliationModal {...shared} />;
  }
}
