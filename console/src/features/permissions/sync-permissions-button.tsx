import { permissionRoutes } from '@apotheca/contract/permissions';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

/** Opens the dialog that syncs permissions. */
export function SyncPermissionsButton({ onOpen }: { onOpen: (dialog: PermissionDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button
      variant="secondary"
      icon={RefreshCw}
      refusal={refusal(permissionRoutes.sync)}
      onClick={() => onOpen({ kind: 'sync' })}
    >
      {t('permissions.sync.open')}
    </Button>
  );
}
