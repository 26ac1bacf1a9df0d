import type { AnonymizedClone } from '@apotheca/contract/anonymized-clones';
import type { Database } from '@apotheca/contract/databases';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGetAnonymizedCloneQuery } from '../../../api/anonymized-clones.ts';
import { Button } from '../../../components/button/button.tsx';
import { DialogButtons } from '../../../components/dialog/dialog-buttons.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Badge } from '../../../components/display/badge.tsx';
import { Moment } from '../../../components/display/moment.tsx';
import { FormPlaceholder } from '../../../components/form/form-placeholder.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { messageText } from '../../../locales/messages.ts';
import { RefreshDialog } from './refresh-dialog.tsx';
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
  const [isConfirming, setConfirming] = useState(false);
  const [isDirty, setDirty] = useState(false);
  const source = query.data?.copiedFrom ?? null;
  const buttons = (
    <DialogButtons isBusy={false}>
      <Button disabled={source === null} onClick={() => setConfirming(true)}>
        {t('databases.staging.refresh.now')}
      </Button>
    </DialogButtons>
  );
  return (
    <Modal
      show={show}
      title={t('databases.staging.refresh.title')}
      subtitle={<span className="code">{databaseName}</span>}
      bodyHeight="65vh"
      dirty={isDirty}
      footer={buttons}
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
          <RefreshScheduleForm found={query.data} onDirty={setDirty} />
        </div>
      ) : (
        <FormPlaceholder
          loadingText={t('databases.staging.refresh.loading')}
          isError={query.isError && !query.isFetching}
          onRetry={query.refetch}
          failedText={t('databases.staging.refresh.failed')}
        />
      )}
      {isConfirming && (
        <RefreshDialog
          show={show}
          databaseName={databaseName}
          onFinished={() => (isDirty ? setConfirming(false) : onClose())}
          onClose={() => setConfirming(false)}
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
          <dd>{nextRunOnUtc ? <Moment moment={nextRunOnUtc} zoned /> : t('backupSchedule.none')}</dd>
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
      {lastRefresh?.state === 'failed' && <Notice tone="danger">{messageText(lastRefresh.message)}</Notice>}
    </>
  );
}
