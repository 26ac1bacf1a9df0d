import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../components/button/button.tsx';
import { useRefusal } from '../../rights/rights.tsx';
import type { DatabaseServerDialog } from './database-server-dialog.ts';

/** Opens the dialog for a new database server. */
export function CreateDatabaseServerButton({ onOpen }: { onOpen: (dialog: DatabaseServerDialog) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <Button icon={Plus} refusal={refusal(databaseServerRoutes.create)} onClick={() => onOpen({ kind: 'create' })}>
      {t('databaseServers.create.open')}
    </Button>
  );
}
