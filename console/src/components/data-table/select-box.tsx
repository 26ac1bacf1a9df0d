import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { ROLES } from './table-roles.ts';
import type { Selection } from './use-selection.ts';

interface SelectRowProps {
  /** What the row is called. */
  name: string;
  rowKey: string;
  selection: Pick<Selection<unknown>, 'isSelected' | 'toggle'>;
  /** Where it stands in its row. */
  style: CSSProperties;
}

/** The check box of a row; with Shift it selects all rows from the one before to this one. */
export function SelectRow({ name, rowKey, selection, style }: SelectRowProps) {
  const { t } = useTranslation();
  return (
    <td {...ROLES.cell} className="select-cell" style={style}>
      <input
        type="checkbox"
        className="form-check-input"
        aria-label={t('components.selection.row', { name })}
        checked={selection.isSelected(rowKey)}
        onChange={({ nativeEvent }) =>
          selection.toggle(rowKey, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </td>
  );
}

interface SelectAllProps {
  /** How many rows can be selected. */
  total: number;
  selection: Selection<unknown>;
  style: CSSProperties | undefined;
}

/** The check box of the head, which selects all rows that match. */
export function SelectAll({ total, selection, style }: SelectAllProps) {
  const { t } = useTranslation();
  const { length } = selection.selected;
  const isSome = length > 0 && length < total;
  return (
    <th {...ROLES.heading} className="select-cell" style={style}>
      <input
        type="checkbox"
        className="form-check-input"
        aria-label={t('components.selection.all', { count: total })}
        disabled={total === 0}
        checked={total > 0 && length === total}
        ref={(input) => {
          if (input) input.indeterminate = isSome;
        }}
        onChange={selection.toggleAll}
      />
    </th>
  );
}
