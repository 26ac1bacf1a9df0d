import type { AnonymizedClone } from '@apotheca/contract/anonymized-clones';
import type { Database } from '@apotheca/contract/databases';
import { useTranslation } from 'react-i18next';
import { refreshClone, useGetAnonymizedCloneQuery } from '../../../api/anonymized-clones.ts';
import { Button } from '../../../components/button/button.tsx';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { FormPlaceholder } from '../../../components/form/form-placeholder.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { useFailure } from '../../../forms/use-failure.ts';
import { useOperation } from '../../../operations/use-operation.tsx';
import { RefreshScheduleForm } from './refresh-schedule-form.tsx';

interface RefreshModalProps {
  show: boolean;
  database: Database;
  onClose: () => void;
}

/** Makes an anonymized clone anew from its source, now or by a schedule (DECISIONS §13). */
export function RefreshModal({ show, database: { databaseName }, onClose }: RefreshModalProps) {
  const { t } = useTranslation();
  const query = useGetAnonymizedCloneQuery({ databaseName }, { refetchOnMountOrArgChange: true });
  const { failure, fail } = useFailure();
  const { start, isBusy, progress } = useOperation(refreshClone, { onRefused: fail, onClose });
  const source = query.data?.copiedFrom ?? null;
  const buttons = (
    <DialogButtons isBusy={isBusy} onClose={onClose}>
      <Button loading={isBusy} disabled={source === null} onClick={() => start({ databaseName })}>
        {t('databases.staging.refresh.now')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t('databases.staging.refresh.title')}
      subtitle={<span className="code">{databaseName}</span>}
      busy={isBusy}
      failure={failure}
      retry={{ onClick: () => start({ databaseName }) }}
      footer={progress ?? buttons}
      onClose={onClose}
    >
      {query.data ? (
        <div className="manage-stack">
          <Facts clone={query.data} />
          {source === null ? (
            <Notice tone="warning">{t('databases.staging.refresh.sourceGone')}</Notice>
          ) : (
            <Notice tone="warning">{t('databases.staging.refresh.what', { name: databaseName, source })}</Notice>
          )}
          <RefreshScheduleForm found={query.data} />
        </div>
      ) : (
        <FormPlaceholder
          loadingText={t('databases.staging.refresh.loading')}
          isError={query.isError && !query.isFetching}
          onRetry={query.refetch}
          failedText={t('databases.staging.refresh.failed')}
        />
      )}
    </Modal>
  );
}

const TONES = {
  queued: 'info',
  running: 'info',
  succeeded: 'success',
  failed: 'danger',
  cancelled: 'warning',
} as const;

function Facts({ clone: { copiedFrom, refreshedOnUtc, nextRunOnUtc, lastRefresh } }: { clone: AnonymizedClone }) {
  const { t } = useTranslation();
  return (
    <>
      <dl className="manage-facts">
        <div>
          <dt>{t('databases.columns.copiedFrom')}</dt>
          <dd className="code">{copiedFrom ?? t('databases.staging.refresh.gone')}</dd>
        </div>
        <div>
          <dt>{t('databases.staging.refresh.rowsOf')}</dt>
          <dd>
            <Moment moment={refreshedOnUtc} />
          </dd>
        </div>
        <div>
          <dt>{t('databases.staging.refresh.next')}</dt>
          <dd>{nextRunOnUtc ? <Moment moment={nextRunOnUtc} /> : t('backupSchedule.none')}</dd>
        </div>
        <div>
          <dt>{t('databases.staging.refresh.last')}</dt>
          <dd>
            {lastRefresh ? (
              <Badge tone={TONES[lastRefresh.state]}>{t(`activity.states.${lastRefresh.state}`)}</Badge>
            ) : (
              t('backupSchedule.never')
            )}
          </dd>
        </div>
      </dl>
      {lastRefresh?.state === 'failed' && <Notice tone="danger">{lastRefresh.message}</Notice>}
    </>
  );
}
