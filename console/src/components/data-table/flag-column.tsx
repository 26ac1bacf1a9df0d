import { Badge } from '../display/badge.tsx';
import type { Column } from './data-table-types.ts';

interface FlagColumnOptions<Row> extends Omit<Column<Row>, 'cell' | 'text' | 'filterBy' | 'filterValues'> {
  isOn: (row: Row) => boolean;
  onText: string;
  offText: string;
  /** What the filter has in the address for rows that are on, and for the others. Both can be chosen where no row is so. */
  values: readonly [on: string, off: string];
}

/** A column that shows a boolean of the row as a badge. */
export function flagColumn<Row>({ isOn, onText, offText, values, ...column }: FlagColumnOptions<Row>): Column<Row> {
  const [on, off] = values;
  const text = (row: Row) => (isOn(row) ? onText : offText);
  return {
    ...column,
    filterBy: (row) => (isOn(row) ? on : off),
    filterValues: { [on]: onText, [off]: offText },
    cell: (row) => <Badge tone={isOn(row) ? 'success' : 'muted'}>{text(row)}</Badge>,
    text,
  };
}
