import type { AnonymizationReport } from '@apotheca/contract/anonymization';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../components/button/button.tsx';
import { Notice } from '../../../../components/notice/notice.tsx';
import { formatCount } from '../../../../lib/numbers.ts';
import { useReportDownload } from './use-report-download.ts';

/** The report of an anonymization: what was changed, and the result of the scan for old values (DECISIONS §9). */
export function AnonymizationOutcome({ report }: { report: AnonymizationReport }) {
  const { t } = useTranslation();
  const download = useReportDownload(report);
  const { columns, rows, scan } = report;
  const isClean = scan.found === 0;
  const figures = {
    values: formatCount(scan.values),
    columns: formatCount(scan.columns),
    found: formatCount(scan.found),
  };
  return (
    <section className="manage-card" aria-label={t('tenants.manage.report.title')}>
      <div className="manage-head">
        <h3>{t('tenants.manage.report.title')}</h3>
        <Button variant="secondary" size="small" icon={Download} onClick={download}>
          {t('tenants.manage.report.download')}
        </Button>
      </div>
      <p>
        {t('tenants.manage.report.summary', { count: columns.length, rows: t('tenants.manage.rows', { count: rows }) })}
      </p>
      <Notice tone={isClean ? 'success' : 'danger'}>
        {t(isClean ? 'tenants.manage.report.clean' : 'tenants.manage.report.found', figures)}
      </Notice>
      <ReportTable columns={columns} />
    </section>
  );
}

function ReportTable({ columns }: Pick<AnonymizationReport, 'columns'>) {
  const { t } = useTranslation();
  const label = t('tenants.manage.report.columns');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
    <section className="report-table" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('tenants.manage.report.table')}</th>
            <th scope="col">{t('tenants.manage.report.column')}</th>
            <th scope="col">{t('tenants.manage.report.kind')}</th>
            <th scope="col">{t('tenants.manage.report.rows')}</th>
          </tr>
        </thead>
        <tbody>
          {columns.map(({ table, column, kind, rows }) => (
            <tr key={`${table}.${column}`}>
              <td className="code">{table}</td>
              <td className="code">{column}</td>
              <td>{kind}</td>
              <td className="num">{formatCount(rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
