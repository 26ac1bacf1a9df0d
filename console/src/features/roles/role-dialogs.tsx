import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { RecordHistoryModal } from '../../history/record-history-modal.tsx';
import { DeleteRoleDialog } from './delete-role-dialog.tsx';
import { NewRoleModal } from './new-role-modal.tsx';
import { RenameRoleModal } from './rename-role-modal.tsx';
import type { RoleDialog } from './role-dialog.ts';
import { RolePermissionsModal } from './role-permissions-modal.tsx';
import { SecondFactorDialog } from './second-factor-dialog.tsx';

interface RoleDialogsProps {
  dialog: RoleDialog;
  onClose: () => void;
}

/** The dialog that is open. */
export function RoleDialogs({ dialog, onClose }: RoleDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} onClose={onClose} />;
}

function DialogOf({ dialog, ...shared }: { dialog: RoleDialog; show: boolean; onClose: () => void }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <NewRoleModal {...shared} />;
    case 'copy':
      return <NewRoleModal source={dialog.role} {...shared} />;
    case 'rename':
      return <RenameRoleModal role={dialog.role} {...shared} />;
    case 'delete':
      return <DeleteRoleDialog role={dialog.role} {...shared} />;
    case 'permissions':
      return <RolePermissionsModal role={dialog.role} {...shared} />;
    case 'second-factor':
      return <SecondFactorDialog role={dialog.role} {...shared} />;
    case 'history':
      return (
        <RecordHistoryModal record={{ entity: 'roles', id: dialog.role.id }} name={dialog.role.roleName} {...shared} />
      );
  }
}
