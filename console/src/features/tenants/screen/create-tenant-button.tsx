import { tenantRoutes } from '@apotheca/contract/tenants';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import { useRefusal } from '../../../rights/rights.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';

/** Opens the tenant modal for a new tenant. */
export function CreateTenantButton({ onOpen }: { onOpen: (dialog: TenantDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(tenantRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('tenants.create')}
    </Button>
  );
}
