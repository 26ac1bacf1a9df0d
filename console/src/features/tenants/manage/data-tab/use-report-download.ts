import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import { useTranslation } from 'react-i18next';
import { downloadCsv, toCsv } from '../../../../lib/csv.ts';
import { localDay } from '../../../../lib/moment.ts';

/** Saves the report of an anonymization as a CSV file: its columns, then the figures of the scan. */
export function useReportDownload({ databaseName, columns, scan }: AnonymizationReport): () => void {
  const { t } = useTranslation();
  return () => {
    const head = (['table', 'column', 'kind', 'rows'] as const).map((name) => t(`tenants.manage.report.${name}`));
    const rows = columns.map(({ table, column, kind, rows: count }) => [table, column, kind, String(count)]);
    const figures = (['values', 'columns', 'found'] as const).map((name) => [
      t(`tenants.manage.report.scan.${name}`),
      '',
      '',
      String(scan[name]),
    ]);
    downloadCsv(`anonymization-${databaseName}-${localDay()}.csv`, toCsv([head, ...rows, ...figures]));
  };
}
