import { roleRoutes } from '@apotheca/contract/roles';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { RoleDialog } from './role-dialog.ts';

/** Opens the dialog for a new role. */
export function CreateRoleButton({ onOpen }: { onOpen: (dialog: RoleDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(roleRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('roles.create')}
    </Button>
  );
}
