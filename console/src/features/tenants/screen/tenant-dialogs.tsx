import { useLastingDialog } from '../../../components/dialog/use-lasting-dialog.ts';
import { ImportModal } from '../../../imports/import-modal.tsx';
import { DeleteTenantDialog } from '../delete-tenant-dialog.tsx';
import { DuplicateTenantModal } from '../duplicate-tenant-modal.tsx';
import { TenantModal } from '../form/tenant-modal.tsx';
import { ManageTenantModal } from '../manage/manage-tenant-modal.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';

interface TenantDialogsProps {
  dialog: TenantDialog;
  onDeleted?: () => void;
  /** Leads to the page of a new tenant. */
  onOpenPage?: (code: string) => void;
  /** Leads to the permissions on a tenant's page; absent on that page. */
  onOpenPermissions?: (code: string) => void;
  onClose: () => void;
}

/** The dialog that is open. */
export function TenantDialogs({ dialog, ...handlers }: TenantDialogsProps) {
  const { key, ...shown } = useLastingDialog(dialog);
  return <DialogOf key={key} {...shown} {...handlers} />;
}

function DialogOf({ dialog, ...rest }: TenantDialogsProps & { show: boolean }) {
  const { onDeleted, onOpenPage, onOpenPermissions, ...shared } = rest;
  switch (dialog.kind) {
    case 'none':
      return null;
    case 'create':
      return <TenantModal mode="create" onOpenPage={onOpenPage} {...shared} />;
    case 'import':
      return <ImportModal what="tenants" {...shared} />;
    case 'edit':
    case 'view':
      return <TenantModal mode={dialog.kind} tenant={dialog.tenant} {...shared} />;
    case 'manage':
      return <ManageTenantModal tenant={dialog.tenant} onOpenPermissions={onOpenPermissions} {...shared} />;
    case 'duplicate':
      return <DuplicateTenantModal tenant={dialog.tenant} onOpenPage={onOpenPage} {...shared} />;
    case 'delete':
      return <DeleteTenantDialog tenant={dialog.tenant} onDeleted={onDeleted} {...shared} />;
  }
}
