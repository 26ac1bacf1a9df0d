import { Badge } from '../display/badge.tsx';
import type { Column } from './data-table-types.ts';

interface FlagColumnOptions<Row> extends Omit<Column<Row>, 'cell' | 'text'> {
  isOn: (row: Row) => boolean;
  onText: string;
  offText: string;
}

/** A column that shows a boolean of the row as a badge. */
export function flagColumn<Row>({ isOn, onText, offText, ...column }: FlagColumnOptions<Row>): Column<Row> {
  const text = (row: Row) => (isOn(row) ? onText : offText);
  return { ...column, cell: (row) => <Badge tone={isOn(row) ? 'success' : 'muted'}>{text(row)}</Badge>, text };
}
