import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { CreateTenantButton } from '../../features/tenants/screen/create-tenant-button.tsx';
import { TenantDialogs } from '../../features/tenants/screen/tenant-dialogs.tsx';
import { TenantsTable } from '../../features/tenants/screen/tenants-table.tsx';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import { ImportButton } from '../../imports/import-button.tsx';
import { tenantPath } from '../navigation/paths.ts';
import { useOpenTenant } from '../navigation/use-open-tenant.ts';
import { PageHeader } from './page-header.tsx';

/** Tenants: the list and what can be done with each of them (SPEC §2.6 to §2.10). */
export function TenantsPage() {
  const { t } = useTranslation();
  const openPage = useOpenTenant();
  const [dialog, setDialog] = useOpenDialog<TenantDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader
        title={t('tenants.title')}
        actions={
          <>
            <ImportButton call={tenantImportRoutes.start} onClick={() => setDialog({ kind: 'import' })} />
            <CreateTenantButton onOpen={setDialog} />
          </>
        }
      />
      <TenantsTable tenantLink={tenantPath} onOpenPage={openPage} onOpen={setDialog} />
      <TenantDialogs
        dialog={dialog}
        onOpenPage={openPage}
        onOpenPermissions={(code) => openPage(code, 'permissions')}
        onClose={() => setDialog({ kind: 'none' })}
      />
    </>
  );
}
