import { BULK_RESULTS, type BulkReport as Report } from '@apotheca/contract/bulks';
import { isEnded } from '@apotheca/contract/operations';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BULK_CALLS, type BulkCalls } from '../api/bulks.ts';
import { Button } from '../components/button/button.tsx';
import { formatList } from '../locales/formats.ts';
import { LoadFailed } from '../operations/load-failed.tsx';
import { LoadingText } from '../operations/loading-text.tsx';
import { ReportState } from '../operations/report-state.tsx';
import { ResultsButton } from '../operations/results-button.tsx';
import { usePolling } from '../rights/use-polling.ts';
import { BulkRows, type ShownRecord } from './bulk-rows.tsx';

/** How often the report of an operation that goes on is asked for, in milliseconds. */
const POLL = 2_000;

interface BulkReportProps {
  calls: BulkCalls;
  id: string;
  /** Plans the same for those that failed, or were not reached. @param value of the action's field */
  onRetry: (ids: string[], value: string | undefined) => void;
}

interface ReportQuery {
  data?: Report<{ action: string; subscriptionEndDate?: string; roleId?: string }> | null;
  error?: { message?: string };
  isFetching: boolean;
  refetch: () => void;
}

/** The last step: what became of each record. */
export function BulkReport({ calls, id, onRetry }: BulkReportProps) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const { paced, heed } = usePolling(BULK_CALLS[calls].route);
  const query = BULK_CALLS[calls].report.useQuery({ id }, { pollingInterval: paced(isOver ? 0 : POLL) });
  const { data, error, isFetching, refetch } = query as ReportQuery;
  heed(error);
  if (!isOver && (data === null || (data && isEnded(data.state)))) setOver(true);
  if (error) return <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  if (data === null) return <p role="status">{t('bulks.none')}</p>;
  if (!data) return <LoadingText>{t('bulks.loading')}</LoadingText>;
  const { asked, counts } = data;
  const rows = data.rows.map(({ result, ...row }): ShownRecord => ({ ...row, word: result }));
  const failed = rows.filter(({ word }) => word === 'refused' || word === 'waiting').map((row) => row.id);
  const words = BULK_RESULTS.filter((word) => counts[word] > 0);
  const summary = formatList(words.map((word) => t(`bulks.counts.${word}`, { count: counts[word] })));
  return (
    <div className="bulk-step">
      <ReportState {...data} started={t('bulks.startedBy', { who: data.startedBy })}>
        {`${summary}.`}
      </ReportState>
      <div className="bulk-links">
        <ResultsButton operationId={data.operationId} />
        {/* After what was there before the end, which so keeps its place. */}
        {isEnded(data.state) && failed.length > 0 && (
          <Button
            variant="secondary"
            size="small"
            icon={RotateCcw}
            onClick={() => onRetry(failed, asked.subscriptionEndDate ?? asked.roleId)}
          >
            {t('bulks.retry', { count: failed.length })}
          </Button>
        )}
      </div>
      <BulkRows rows={rows} words={BULK_RESULTS} />
    </div>
  );
}
