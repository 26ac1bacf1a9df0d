import type { AdoptionReport as Report } from '@apotheca/contract/adoptions';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../components/notice/notice.tsx';
import { formatCount } from '../../../lib/numbers.ts';
import { RejectedRows } from './rejected-rows.tsx';

/** What became of every row. */
export function AdoptionReport({ message, report }: { message: string; report: Report }) {
  const { t } = useTranslation();
  const { databaseName, tables, extra, rejected } = report;
  const leftOut = tables.flatMap(({ table, leftOut: columns }) =>
    columns.filter(({ values }) => values > 0).map((column) => ({ table, ...column })),
  );
  return (
    <div className="restore-form">
      <Notice tone={rejected > 0 ? 'warning' : 'success'} role="status">
        {message}
        {rejected > 0 && <RejectedRows databaseName={databaseName} rejected={rejected} />}
      </Notice>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys. */}
      <section className="database-tables" aria-label={t('databases.adoption.report.title')} tabIndex={0}>
        <table aria-label={t('databases.adoption.report.title')}>
          <thead>
            <tr>
              <th scope="col">{t('databases.adoption.report.table')}</th>
              <th scope="col">{t('databases.adoption.report.read')}</th>
              <th scope="col">{t('databases.adoption.report.loaded')}</th>
              <th scope="col">{t('databases.adoption.report.rejected')}</th>
            </tr>
          </thead>
          <tbody>
            {tables.map((table) => (
              <tr key={table.table}>
                <th scope="row">{table.table}</th>
                <td>{formatCount(table.read)}</td>
                <td>{formatCount(table.loaded)}</td>
                <td>{formatCount(table.rejected)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {(extra.length > 0 || leftOut.length > 0) && (
        <Notice tone="info" title={t('databases.adoption.report.behind')}>
          <ul className="left-out">
            {extra.map(({ name, rows }) => (
              <li key={name}>
                <span className="code">{name}</span>{' '}
                {rows === null
                  ? t('databases.restore.notCounted')
                  : t('databases.restore.rows', { count: rows, rows: formatCount(rows) })}
              </li>
            ))}
            {leftOut.map(({ table, column, values }) => (
              <li key={`${table} ${column}`}>
                <span className="code">
                  {table}.{column}
                </span>{' '}
                {t('databases.adoption.report.values', { count: values, values: formatCount(values) })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}
