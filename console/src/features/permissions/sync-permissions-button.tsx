import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

/** Opens the dialog that syncs permissions. */
export function SyncPermissionsButton({ onOpen }: { onOpen: (dialog: PermissionDialog) => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="secondary" icon={RefreshCw} onClick={() => onOpen({ kind: 'sync' })}>
      {t('permissions.sync.open')}
    </Button>
  );
}
