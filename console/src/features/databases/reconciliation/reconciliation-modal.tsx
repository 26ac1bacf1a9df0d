import { useTranslation } from 'react-i18next';
import { useReconcileQuery } from '../../../api/reconciliation.ts';
import { Button } from '../../../components/button/button.tsx';
import { Modal } from '../../../components/dialog/modal.tsx';
import { Notice } from '../../../components/notice/notice.tsx';
import { formatCount } from '../../../lib/numbers.ts';
import { LoadFailed } from '../../../operations/load-failed.tsx';
import { LoadingText } from '../../../operations/loading-text.tsx';
import { FindingList } from './finding-list.tsx';
import { fixName } from './fix-name.ts';

interface ReconciliationModalProps {
  show: boolean;
  onClose: () => void;
}

/** Compares the registry with the PostgreSQL server, and fixes differences (DECISIONS §8). */
export function ReconciliationModal({ show, onClose }: ReconciliationModalProps) {
  const { t } = useTranslation();
  const query = useReconcileQuery(undefined, { refetchOnMountOrArgChange: true });
  const footer = (
    <>
      <Button variant="secondary" loading={query.isFetching} onClick={() => void query.refetch()}>
        {t('databases.reconciliation.again')}
      </Button>
      <Button variant="secondary" onClick={onClose}>
        {t('databases.modal.close')}
      </Button>
    </>
  );
  return (
    <Modal
      show={show}
      title={t('databases.reconciliation.title')}
      size="lg"
      bodyHeight="14rem"
      isText={!query.data?.findings.some((finding) => fixName(finding) !== undefined)}
      footer={footer}
      onClose={onClose}
    >
      <Outcome query={query} />
    </Modal>
  );
}

function Outcome({ query: { data, error, refetch } }: { query: ReturnType<typeof useReconcileQuery> }) {
  const { t } = useTranslation();
  const failed = error && <LoadFailed error={error} onRetry={refetch} />;
  if (data === undefined) return failed ?? <LoadingText>{t('databases.reconciliation.loading')}</LoadingText>;
  const { databases, findings, serversAway } = data;
  const number = formatCount(databases);
  return (
    <>
      {/* What was found before stays: a fix may be open above it. */}
      {failed}
      {serversAway.length > 0 && (
        <Notice tone="warning" role="status">
          {t('databases.reconciliation.serversAway', { names: serversAway.join(', ') })}
        </Notice>
      )}
      {findings.length > 0 && <FindingList findings={findings} />}
      {!error && findings.length === 0 && serversAway.length === 0 && (
        <Notice tone="success" role="status">
          {t('databases.reconciliation.agree', { count: databases, number })}
        </Notice>
      )}
    </>
  );
}
