import type { BulkReport } from '@apotheca/contract/bulks';
import { isKnownKind, type Operation, type OperationKindName } from '@apotheca/contract/operations';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { BULK_CALLS, type BulkCalls } from '../../api/bulks.ts';
import { showError } from '../../api/http/answer-errors.ts';
import { IMPORT_CALLS, type Imported } from '../../api/imports.ts';
import { BULK_ACTIONS, type Many } from '../../bulks/bulk-actions.ts';
import { BulkModal } from '../../bulks/bulk-modal.tsx';
import { Button } from '../../components/button/button.tsx';
import { ImportModal } from '../../imports/import-modal.tsx';
import { operationCalls, useRefusal } from '../../rights/rights.tsx';

type Source = { calls: BulkCalls; what: Many } | { imported: Imported };

/** Where the results of operations on many records are. */
const SOURCES: Partial<Record<OperationKindName, Source>> = {
  'bulk-tenants': { calls: 'tenants', what: 'tenants' },
  'bulk-permissions': { calls: 'syncs', what: 'tenants' },
  'bulk-databases': { calls: 'databases', what: 'databases' },
  'bulk-users': { calls: 'users', what: 'users' },
  'import-tenants': { imported: 'tenants' },
  'import-users': { imported: 'users' },
  'import-faqs': { imported: 'faqs' },
};

type Report = Pick<BulkReport, 'id' | 'asked'>;

/** What was done with each record, and of which records it tells. */
export interface OpenReport {
  kind: 'report';
  source: Source;
  report: Report;
}

/** The reports of all kinds of record are asked for and begin alike. */
type ReportQuery = {
  useLazyQuery: () => readonly [
    (asked: { operationId: string }) => PromiseLike<{ data?: Report | null; error?: unknown }>,
    { isFetching: boolean },
  ];
};

interface ResultsProps {
  operation: Operation;
  /** 'Import of tenants' */
  what: string;
  /** Shows a report: not in the row, which may leave the list meanwhile. */
  onReport: (report: OpenReport) => void;
}

/** Opens again what an import or a change of many records did with each; nothing for other operations. */
export function Results(props: ResultsProps) {
  const { kind } = props.operation;
  const source = isKnownKind(kind) ? SOURCES[kind] : undefined;
  return source && <ResultsOf source={source} {...props} />;
}

function ResultsOf({ operation: { id, kind }, what, source, onReport }: ResultsProps & { source: Source }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const query = 'calls' in source ? BULK_CALLS[source.calls].report : IMPORT_CALLS[source.imported].report;
  const [load, { isFetching }] = (query as unknown as ReportQuery).useLazyQuery();

  async function openReport() {
    const { data, error } = await load({ operationId: id });
    if (error) return void showError(error);
    if (data) onReport({ kind: 'report', source, report: data });
  }
  return (
    <Button
      variant="secondary"
      size="small"
      icon={ListChecks}
      aria-label={t('activity.results.of', { what })}
      refusal={refusal(...operationCalls(kind))}
      loading={isFetching}
      onClick={() => void openReport()}
    >
      {t('activity.results.open')}
    </Button>
  );
}

interface ReportProps {
  show: boolean;
  opened: OpenReport;
  onClose: () => void;
}

/** The dialog of what was done, at its end. */
export function ReportDialog({ opened: { source, report }, ...dialog }: ReportProps) {
  const { id, asked } = report;
  if ('imported' in source) return <ImportModal what={source.imported} report={id} {...dialog} />;
  const { calls, what } = source;
  const action = BULK_ACTIONS[what].find((one) => one.calls === calls && one.name === asked.action);
  return action && <BulkModal what={what} action={action} ids={[]} report={id} {...dialog} />;
}
