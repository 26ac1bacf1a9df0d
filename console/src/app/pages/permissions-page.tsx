import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { CreatePermissionButton } from '../../features/permissions/create-permission-button.tsx';
import type { PermissionDialog } from '../../features/permissions/permission-dialog.ts';
import { PermissionDialogs } from '../../features/permissions/permission-dialogs.tsx';
import { PermissionsTable } from '../../features/permissions/permissions-table.tsx';
import { SyncPermissionsButton } from '../../features/permissions/sync-permissions-button.tsx';
import { CreateRoleButton } from '../../features/roles/create-role-button.tsx';
import type { RoleDialog } from '../../features/roles/role-dialog.ts';
import { RoleDialogs } from '../../features/roles/role-dialogs.tsx';
import { RolesTable } from '../../features/roles/roles-table.tsx';
import { VIEW } from '../navigation/paths.ts';
import { useOpenTenant } from '../navigation/use-open-tenant.ts';
import { PageHeader } from './page-header.tsx';
import { PermissionViews } from './permission-views.tsx';

/** Permission Management: the list and what can be done with it (SPEC §2.14), and beside it the roles (DECISIONS §13). */
export function PermissionsPage() {
  const [params] = useSearchParams();
  return params.get(VIEW.param) === VIEW.roles ? <RolesView /> : <PermissionsView />;
}

function PermissionsView() {
  const { t } = useTranslation();
  const openTenant = useOpenTenant();
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
      <PermissionViews current="permissions" />
      <PermissionsTable onOpen={setDialog} />
      <PermissionDialogs
        dialog={dialog}
        onOpenTenant={(code) => openTenant(code, 'permissions')}
        onClose={() => setDialog({ kind: 'none' })}
      />
    </>
  );
}

function RolesView() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<RoleDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader title={t('permissions.title')} actions={<CreateRoleButton onOpen={setDialog} />} />
      <PermissionViews current="roles" />
      <RolesTable onOpen={setDialog} />
      <RoleDialogs dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
