import { useTranslation } from 'react-i18next';
import { useListBackupSchedulesQuery } from '../../api/backup-schedules.ts';
import { BackupWarning } from './backup-warning.tsx';

/** Warns of databases whose newest backup is older than their schedule allows. Nothing where there are none. */
export function LateBackups({ databasesLink }: { databasesLink: string }) {
  const { t } = useTranslation();
  const { data = [] } = useListBackupSchedulesQuery({ isLate: 'true' }, { refetchOnMountOrArgChange: true });
  const names = data.map(({ databaseName }) => databaseName);
  const title = t('dashboard.lateBackups.title', { count: names.length });
  return <BackupWarning tone="warning" title={title} names={names} databasesLink={databasesLink} />;
}
