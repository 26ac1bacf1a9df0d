import type { DatabaseDetails } from '@apotheca/contract/databases';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { formatBytes, formatCount } from '../../../lib/numbers.ts';

type Table = DatabaseDetails['tables'][number];

const bySize = (one: Table, other: Table) => other.sizeBytes - one.sizeBytes || one.name.localeCompare(other.name);

/** The tables of a database, the largest first, with the totals. */
export function DatabaseTables({ tables }: { tables: Table[] }) {
  const { t } = useTranslation();
  const sorted = useMemo(() => tables.toSorted(bySize), [tables]);
  const label = t('databases.view.tables');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable for the arrow keys.
    <section className="database-tables" aria-label={label} tabIndex={0}>
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('databases.view.table')}</th>
            <th scope="col">{t('databases.view.rows')}</th>
            <th scope="col">{t('databases.view.tableSize')}</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((table) => (
            <FiguresRow key={table.name} {...table} />
          ))}
        </tbody>
        <tfoot>
          <FiguresRow name={t('databases.view.total')} {...sumOf(tables)} />
        </tfoot>
      </table>
    </section>
  );
}

function FiguresRow({ name, rows, sizeBytes }: Table) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{formatCount(rows)}</td>
      <td>{formatBytes(sizeBytes)}</td>
    </tr>
  );
}

const sumOf = (tables: Table[]) => ({
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  sizeBytes: tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
});
