import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { CreatePermissionButton } from '../../features/permissions/create-permission-button.tsx';
import type { PermissionDialog } from '../../features/permissions/permission-dialog.ts';
import { PermissionDialogs } from '../../features/permissions/permission-dialogs.tsx';
import { PermissionsTable } from '../../features/permissions/permissions-table.tsx';
import { SyncPermissionsButton } from '../../features/permissions/sync-permissions-button.tsx';
import { PageHeader } from './page-header.tsx';

/** Permission Management: the list and what can be done with it (SPEC §2.14). */
export function PermissionsPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<PermissionDialog>({ kind: 'none' });
  const actions = (
    <>
      <SyncPermissionsButton onOpen={setDialog} />
      <CreatePermissionButton onOpen={setDialog} />
    </>
  );
  return (
    <>
      <PageHeader title={t('permissions.title')} actions={actions} />
      <PermissionsTable onOpen={setDialog} />
      <PermissionDialogs dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
