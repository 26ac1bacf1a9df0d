import { backupRoutes } from '@apotheca/contract/backups';
import { DatabaseBackup } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { failureOf } from '../../../../api/http/answer-errors.ts';
import { Button } from '../../../../components/button/button.tsx';
import { Moment } from '../../../../components/display/moment.tsx';
import { PendingFigure } from '../../../../components/display/pending-figure.tsx';
import { FailureNotice } from '../../../../components/notice/failure-notice.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { CopyButton } from '../../../../components/toast/copy-button.tsx';
import { BackupScheduleEditor } from '../../../../forms/backup-schedule-form.tsx';
import { formatBytes, formatCount } from '../../../../lib/numbers.ts';
import { LoadFailed } from '../../../../operations/load-failed.tsx';
import { useRefusal } from '../../../../rights/rights.tsx';
import type { DatabaseTabProps } from '../../manage-tab.ts';
import { BackupList } from './backup-list.tsx';
import { Checksum } from './checksum.tsx';
import type { BackupTask } from './use-backup.ts';

/** Facts about the tenant's database, and a button that backs it up (SPEC §2.8, Database Setting). */
export function DatabaseTab({
  databaseName,
  details,
  backup,
  onScheduleDirty,
}: DatabaseTabProps & { backup: BackupTask; onScheduleDirty: (isDirty: boolean) => void }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  return (
    <div className="manage-stack">
      <div className="manage-head">
        <div className="manage-database">
          <span className="text-muted">{t('tenants.manage.database.name')}</span>
          <span className="code">{databaseName}</span>
          <CopyButton text={databaseName} label={t('tenants.manage.database.copy')} />
        </div>
        <Button
          icon={DatabaseBackup}
          loading={backup.isBusy}
          refusal={refusal(backupRoutes.create)}
          onClick={backup.backUp}
        >
          {t('tenants.manage.database.backUp')}
        </Button>
      </div>
      {details.isError && <LoadFailed error={details.error} busy={details.isFetching} onRetry={details.refetch} />}
      <Facts details={details} />
      <BackupOutcome backup={backup} />
      <BackupList databaseName={databaseName} />
      <section className="manage-card">
        <h3>{t('backupSchedule.title')}</h3>
        <BackupScheduleEditor databaseName={databaseName} onDirty={onScheduleDirty} />
      </section>
    </div>
  );
}

function Facts({ details: { data, isError } }: Pick<DatabaseTabProps, 'details'>) {
  const { t } = useTranslation();
  const isPending = !(data || isError);
  const pending = <PendingFigure isPending={isPending} />;
  const newest = data?.newestBackupOnUtc;
  return (
    <dl className="manage-facts" aria-busy={isPending}>
      <div>
        <dt>{t('tenants.manage.database.size')}</dt>
        <dd className="num">{data ? formatBytes(data.sizeBytes) : pending}</dd>
      </div>
      <div>
        <dt>{t('tenants.manage.database.sessions')}</dt>
        <dd className="num">{data ? formatCount(data.connections) : pending}</dd>
      </div>
      <div>
        <dt>{t('tenants.manage.database.newestBackup')}</dt>
        <dd>
          {newest === null && t('databases.noBackup')}
          {newest === undefined && pending}
          {newest && <Moment moment={newest} />}
        </dd>
      </div>
    </dl>
  );
}

/** The result of the last backup, or why it failed. */
function BackupOutcome({ backup: { made, refusal, backUp } }: { backup: BackupTask }) {
  const { t } = useTranslation();
  if (refusal) {
    const title = t('tenants.manage.database.notBackedUp');
    return <FailureNotice title={title} failure={failureOf(refusal)} retry={{ onClick: backUp }} />;
  }
  if (!made) return null;
  return (
    <Notice tone="success" role="status" title={t('tenants.manage.database.backedUp')}>
      {formatBytes(made.sizeBytes)} · {t('tenants.manage.database.sha256')} <Checksum sha256={made.sha256} />
    </Notice>
  );
}
