import { tenantRoutes } from '@apotheca/contract/tenants';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Button } from '../../components/button/button.tsx';
import { LicencesTable } from '../../features/licences/licences-table.tsx';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import { useRefusal } from '../../rights/rights.tsx';
import { stateWith } from '../navigation/opened-dialog.ts';
import { PATHS, tenantPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

const CREATE = stateWith({ kind: 'create' } satisfies TenantDialog);

/** Licence Management: what each tenant has subscribed to (SPEC §2.12). */
export function LicencesPage() {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const navigate = useNavigate();
  const create = (
    <Button
      icon={Plus}
      refusal={refusal(tenantRoutes.create)}
      onClick={() => void navigate(PATHS.tenants, { state: CREATE })}
    >
      {t('licences.toTenants')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('licences.title')} />
      <LicencesTable tenantLink={tenantPath} emptyAction={create} />
    </>
  );
}
