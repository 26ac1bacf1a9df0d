import { useLastingDialog } from '../../components/use-lasting-dialog.ts';
import { CloneDatabaseModal } from './clone-database-modal.tsx';
import type { DatabaseDialog } from './database-dialog.ts';
import { DeleteDatabaseDialog } from './delete-database-dialog.tsx';
import { RenameDatabaseModal } from './rename-database-modal.tsx';
import { ViewDatabaseModal } from './view-database-modal.tsx';

interface DatabaseDialogsProps {
  dialog: DatabaseDialog;
  onClose: () => void;
}

/** The dialog that is open. */
export function DatabaseDialogs({ dialog, onClose }: DatabaseDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} onClose={onClose} />;
}

function DialogOf({ dialog, ...shared }: { dialog: DatabaseDialog; show: boolean; onClose: () => void }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'view':
      return <ViewDatabaseModal database={dialog.database} {...shared} />;
    case 'rename':
      return <RenameDatabaseModal database={dialog.database} {...shared} />;
    case 'clone':
      return <CloneDatabaseModal database={dialog.database} {...shared} />;
    case 'delete':
      return <DeleteDatabaseDialog database={dialog.database} {...shared} />;
  }
}
