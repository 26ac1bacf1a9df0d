import { userRoutes } from '@apotheca/contract/users';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { UserDialog } from './user-dialog.ts';

/** Opens the user modal for a new user. */
export function CreateUserButton({ onOpen }: { onOpen: (dialog: UserDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(userRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('users.create')}
    </Button>
  );
}
