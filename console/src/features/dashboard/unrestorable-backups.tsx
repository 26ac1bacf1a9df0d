import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../api/backups.ts';
import { BackupWarning } from './backup-warning.tsx';

/** Warns of databases whose newest backup failed its proof, with the tables that it failed for. Nothing where there are none. */
export function UnrestorableBackups({ databasesLink }: { databasesLink: string }) {
  const { t } = useTranslation();
  const { data = [] } = useListBackupsQuery({ isUnrestorable: 'true' }, { refetchOnMountOrArgChange: true });
  const names = data.map(({ databaseName, proof }) => {
    const tables = proof?.tables ?? [];
    return tables.length > 0 ? `${databaseName} (${tables.join(', ')})` : databaseName;
  });
  const title = t('dashboard.unrestorableBackups.title', { count: names.length });
  return <BackupWarning tone="danger" title={title} names={names} databasesLink={databasesLink} />;
}
