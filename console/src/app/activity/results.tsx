import type { BulkReport } from '@apotheca/contract/bulks';
import type { Operation, OperationKindName } from '@apotheca/contract/operations';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
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
}

/** Opens again what an import or a change of many records did with each; nothing for other operations. */
export function Results(props: ResultsProps) {
  const source = SOURCES[props.operation.kind];
  return source && <ResultsOf source={source} {...props} />;
}

function ResultsOf({ operation: { id, kind }, what, source }: ResultsProps & { source: Source }) {
  const { t } = useTranslation();
  const refusal = useRefusal();
  const query = 'calls' in source ? BULK_CALLS[source.calls].report : IMPORT_CALLS[source.imported].report;
  const [load, { isFetching }] = (query as unknown as ReportQuery).useLazyQuery();
  const [report, setReport] = useState<Report>();
  const [isOpen, setOpen] = useState(false);

  async function open() {
    const { data, error } = await load({ operationId: id });
    if (error) return void showError(error);
    if (!data) return;
    setReport(data);
    setOpen(true);
  }
  const shared = { show: isOpen, onClose: () => setOpen(false) };
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        icon={ListChecks}
        aria-label={t('activity.results.of', { what })}
        refusal={refusal(...operationCalls(kind))}
        loading={isFetching}
        onClick={() => void open()}
      >
        {t('activity.results.open')}
      </Button>
      {report && 'calls' in source && <BulkResults source={source} report={report} {...shared} />}
      {report && 'imported' in source && <ImportModal what={source.imported} report={report.id} {...shared} />}
    </>
  );
}

interface BulkResultsProps {
  show: boolean;
  source: { calls: BulkCalls; what: Many };
  report: Report;
  onClose: () => void;
}

/** The dialog of the action that was done, at its end. */
function BulkResults({ source: { calls, what }, report: { id, asked }, ...dialog }: BulkResultsProps) {
  const action = BULK_ACTIONS[what].find((one) => one.calls === calls && one.name === asked.action);
  return action && <BulkModal what={what} action={action} ids={[]} report={id} {...dialog} />;
}
