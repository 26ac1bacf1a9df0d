import { permissionRoutes } from '@apotheca/contract/permissions';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { PermissionDialog } from './permission-dialog.ts';

/** Opens the dialog for a new permission. */
export function CreatePermissionButton({ onOpen }: { onOpen: (dialog: PermissionDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(permissionRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('permissions.create')}
    </Button>
  );
}
