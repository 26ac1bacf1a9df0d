import type { Backup } from '@apotheca/contract/backups';
import { useTranslation } from 'react-i18next';
import { useListBackupsQuery } from '../../../../api/backups.ts';
import { Moment } from '../../../../components/display/moment.tsx';
import { formatBytes } from '../../../../lib/numbers.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { LoadingText } from '../../../../operations/loading-text.tsx';
import { unlessForbidden } from '../../../../transport/api-error.ts';
import { Checksum } from './checksum.tsx';

const SHOWN = 5;

/** The newest backups of a database. */
export function BackupList({ databaseName }: { databaseName: string }) {
  const { t } = useTranslation();
  const list = useListBackupsQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const backups = unlessForbidden(list.data, list.error);
  return (
    <section className="manage-card">
      <h3>{t('tenants.manage.database.backups')}</h3>
      {list.isError && <LoadFailed error={list.error} busy={list.isFetching} onRetry={list.refetch} />}
      {list.isFetching && !backups && <LoadingText>{t('tenants.manage.database.loadingBackups')}</LoadingText>}
      {backups && <Backups backups={backups} />}
    </section>
  );
}

function Backups({ backups }: { backups: Backup[] }) {
  const { t } = useTranslation();
  if (backups.length === 0) return <p className="text-muted">{t('tenants.manage.database.noBackups')}</p>;
  return (
    <>
      <ul className="backup-list">
        {backups.slice(0, SHOWN).map((backup) => (
          <li key={backup.id}>
            <Moment moment={backup.createdOnUtc} />
            <span className="num">{formatBytes(backup.sizeBytes)}</span>
            <Checksum sha256={backup.sha256} />
          </li>
        ))}
      </ul>
      {backups.length > SHOWN && (
        <p className="text-muted small">{t('tenants.manage.database.more', { count: backups.length - SHOWN })}</p>
      )}
    </>
  );
}
