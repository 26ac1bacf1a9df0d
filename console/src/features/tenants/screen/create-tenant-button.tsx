import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../components/button/button.tsx';
import type { TenantDialog } from '../tenant-dialog.ts';

/** Opens the tenant modal for a new tenant. */
export function CreateTenantButton({ onOpen }: { onOpen: (dialog: TenantDialog) => void }) {
  const { t } = useTranslation();
  return (
    <Button icon={Plus} onClick={() => onOpen({ kind: 'create' })}>
      {t('tenants.create')}
    </Button>
  );
}
