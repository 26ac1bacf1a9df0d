import type { DatabaseServer } from '@apotheca/contract/databaseservers';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import {
  useActivateDatabaseServerMutation,
  useDeleteDatabaseServerMutation,
  useDrainDatabaseServerMutation,
  useRetireDatabaseServerMutation,
} from '../../api/databaseservers.ts';
import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { DeleteRecordDialog } from '../../forms/delete-record-dialog.tsx';
import { RecordHistoryModal } from '../../history/record-history-modal.tsx';
import { formatCount } from '../../lib/numbers.ts';
import { selectSession } from '../../session/session-slice.ts';
import { CheckModal } from './check-modal.tsx';
import type { DatabaseServerDialog } from './database-server-dialog.ts';
import { DatabaseServerModal } from './database-server-modal.tsx';
import { MoveAwayModal } from './move-away-modal.tsx';

interface DatabaseServerDialogsProps {
  dialog: DatabaseServerDialog;
  onClose: () => void;
}

/** The dialog that is open. */
export function DatabaseServerDialogs({ dialog, onClose }: DatabaseServerDialogsProps) {
  const { key, ...opened } = useLastingDialog(dialog);
  return <DialogOf key={key} {...opened} onClose={onClose} />;
}

function DialogOf({ dialog, ...shared }: DatabaseServerDialogsProps & { show: boolean }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <DatabaseServerModal {...shared} />;
    case 'edit':
      return <DatabaseServerModal server={dialog.server} {...shared} />;
    case 'check':
      return <CheckModal server={dialog.server} {...shared} />;
    case 'move-away':
      return <MoveAwayModal server={dialog.server} {...shared} />;
    case 'history': {
      const { id, name } = dialog.server;
      return <RecordHistoryModal record={{ entity: 'databaseservers', id }} name={name} {...shared} />;
    }
    default:
      return <ChangeDialog change={dialog.kind} server={dialog.server} {...shared} />;
  }
}

interface ChangeDialogProps {
  change: 'drain' | 'retire' | 'activate' | 'delete';
  show: boolean;
  server: DatabaseServer;
  onClose: () => void;
}

/** Asks before the state of a server is changed, or its record deleted. */
function ChangeDialog({ change, server, ...dialog }: ChangeDialogProps) {
  const { t } = useTranslation();
  const { id: by } = useSelector(selectSession);
  const { id, name, databases } = server;
  const [drain] = useDrainDatabaseServerMutation();
  const [retire] = useRetireDatabaseServerMutation();
  const [activate] = useActivateDatabaseServerMutation();
  const [remove] = useDeleteDatabaseServerMutation();
  const send = {
    drain: () => drain({ id, updatedBy: by }),
    retire: () => retire({ id, updatedBy: by }),
    activate: () => activate({ id, updatedBy: by }),
    delete: () => remove({ id, deletedBy: by }),
  };
  return (
    <DeleteRecordDialog<{ message: string }>
      {...dialog}
      title={t(`databaseServers.${change}.title`)}
      message={
        <>
          <p>{t(`databaseServers.${change}.what`, { name })}</p>
          <p>{t('databaseServers.live', { count: databases, shown: formatCount(databases) })}</p>
        </>
      }
      confirmLabel={t(`databaseServers.${change}.confirm`)}
      variant={change === 'delete' || change === 'retire' ? undefined : 'primary'}
      send={send[change]}
    />
  );
}
