import { downloadCsv, toCsv } from '../../lib/csv.ts';
import { localDay } from '../../lib/moment.ts';
import type { Column } from './data-table.tsx';

/**
 * Saves rows of a list as a CSV file with the list's columns.
 * @param name what the rows are; the file is named `<name>-<today>.csv`
 */
export const exportRows = <Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void => {
  const head = columns.map((column) => column.header);
  const cells = rows.map((row) => columns.map((column) => column.text?.(row) ?? ''));
  downloadCsv(`${name}-${localDay()}.csv`, toCsv([head, ...cells]));
};
