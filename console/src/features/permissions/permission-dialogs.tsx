import { useLastingDialog } from '../../components/dialog/use-lasting-dialog.ts';
import { DeletePermissionDialog } from './delete-permission-dialog.tsx';
import type { PermissionDialog } from './permission-dialog.ts';
import { PermissionModal } from './permission-modal.tsx';
import { SyncPermissionsModal } from './sync-permissions-modal.tsx';

interface PermissionDialogsProps {
  dialog: PermissionDialog;
  /** Leads to the permissions of a tenant that was synced. */
  onOpenTenant: (code: string) => void;
  onClose: () => void;
}

/** The dialog that is open. */
export function PermissionDialogs({ dialog, ...handlers }: PermissionDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} {...handlers} />;
}

function DialogOf({ dialog, onOpenTenant, ...shared }: PermissionDialogsProps & { show: boolean }) {
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <PermissionModal {...shared} />;
    case 'edit':
      return <PermissionModal permission={dialog.permission} {...shared} />;
    case 'delete':
      return <DeletePermissionDialog permission={dialog.permission} {...shared} />;
    case 'sync':
      return <SyncPermissionsModal onOpenTenant={onOpenTenant} {...shared} />;
  }
}
