import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/form/drafts.ts';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import { DatabaseActions } from '../../features/databases/screen/database-actions.tsx';
import { DatabaseDialogs } from '../../features/databases/screen/database-dialogs.tsx';
import { DatabasesTable } from '../../features/databases/screen/databases-table.tsx';
import { tenantPath } from '../navigation/paths.ts';
import { PageHeader } from './page-header.tsx';

/** Database Management: the list and what can be done with each database (SPEC §2.13). */
export function DatabasesPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<DatabaseDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader title={t('databases.title')} actions={<DatabaseActions onOpen={setDialog} />} />
      <DatabasesTable tenantLink={tenantPath} onOpen={setDialog} />
      <DatabaseDialogs dialog={dialog} onOpen={setDialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
