import { useTranslation } from 'react-i18next';
import { useOpenDialog } from '../../components/drafts.ts';
import { DatabaseActions } from '../../features/databases/database-actions.tsx';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import { DatabaseDialogs } from '../../features/databases/database-dialogs.tsx';
import { DatabasesTable } from '../../features/databases/databases-table.tsx';
import { PageHeader } from '../layout/page-header.tsx';

/** Database Management: the list and what can be done with each database (SPEC §2.13). */
export function DatabasesPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useOpenDialog<DatabaseDialog>({ kind: 'none' });
  return (
    <>
      <PageHeader title={t('databases.title')} actions={<DatabaseActions onOpen={setDialog} />} />
      <DatabasesTable onOpen={setDialog} />
      <DatabaseDialogs dialog={dialog} onOpen={setDialog} onClose={() => setDialog({ kind: 'none' })} />
    </>
  );
}
