import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/form/drafts.ts';
import { CreateDatabaseServerButton } from '../../features/databaseservers/create-database-server-button.tsx';
import type { DatabaseServerDialog } from '../../features/databaseservers/database-server-dialog.ts';
import { DatabaseServerDialogs } from '../../features/databaseservers/database-server-dialogs.tsx';
import { DatabaseServersTable } from '../../features/databaseservers/database-servers-table.tsx';
import { PageHeader } from './page-header.tsx';

/** Database Servers: the PostgreSQL servers that tenants' databases live on. */
export function DatabaseServersPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<DatabaseServerDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader title={t('databaseServers.title')} actions={<CreateDatabaseServerButton onOpen={setDialog} />} />
      <DatabaseServersTable onOpen={setDialog} />
      <DatabaseServerDialogs dialog={dialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
