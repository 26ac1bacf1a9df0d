import { IMPORT_RESULTS } from '@apotheca/contract/imports';
import { isEnded } from '@apotheca/contract/operations';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IMPORT_CALLS, type Imported } from '../api/imports.ts';
import { LoadFailed } from '../operations/load-failed.tsx';
import { LoadingText } from '../operations/loading-text.tsx';
import { ReportState } from '../operations/report-state.tsx';
import { ResultsButton } from '../operations/results-button.tsx';
import { usePolling } from '../rights/use-polling.ts';
import { type Counts, countsText } from './counts-text.ts';
import { ImportRows, type ShownRow } from './import-rows.tsx';

/** How often the report of an import that goes on is asked for, in milliseconds. */
const POLL = 2_000;

/** The last step: what became of each row. @param id absent: of the newest import */
export function ImportReport({ what, id }: { what: Imported; id: string | undefined }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const asked = id === undefined ? {} : { id };
  const { paced, heed } = usePolling(IMPORT_CALLS[what].route);
  const report = IMPORT_CALLS[what].report.useQuery(asked, { pollingInterval: paced(isOver ? 0 : POLL) });
  const { data, error, isFetching, refetch } = report;
  heed(error);
  if (!isOver && (data === null || (data && isEnded(data.state)))) setOver(true);
  if (error) return <LoadFailed error={error} busy={isFetching} onRetry={refetch} />;
  if (data === null) return <p role="status">{t('imports.none')}</p>;
  if (!data) return <LoadingText>{t('imports.loading')}</LoadingText>;
  const counts: Counts = IMPORT_RESULTS.map((result) => [result, data.counts[result]]);
  const rows = data.rows.map(({ result, ...row }): ShownRow => ({ ...row, word: result }));
  return (
    <div className="import-step">
      <ReportState {...data} started={t('imports.startedBy', { who: data.startedBy })}>
        {countsText(t, counts)}
      </ReportState>
      <div className="import-links">
        <ResultsButton operationId={data.operationId} />
      </div>
      <ImportRows label={t('imports.rows')} rows={rows} counts={counts} />
    </div>
  );
}
