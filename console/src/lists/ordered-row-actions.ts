import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { RowAction } from '../components/data-table/row-actions.tsx';

interface OrderedRow {
  labels: { moveUp: string; moveDown: string; delete: string };
  isFirst: boolean;
  isLast: boolean;
  canDelete: boolean;
  /** Why the user may neither move nor delete it. */
  refusal: string | undefined;
  onMove: (direction: 'up' | 'down') => void;
  onDelete: () => void;
}

/** Moving a row among its neighbours, and deleting it: the rarer actions of a row that has a place. */
export function orderedRowActions({ labels, isFirst, isLast, canDelete, ...row }: OrderedRow): RowAction[] {
  const { refusal, onMove, onDelete } = row;
  const rare = { inMenu: true, refusal };
  return [
    { ...rare, label: labels.moveUp, icon: ArrowUp, disabled: isFirst, onSelect: () => onMove('up') },
    { ...rare, label: labels.moveDown, icon: ArrowDown, disabled: isLast, onSelect: () => onMove('down') },
    { ...rare, label: labels.delete, icon: Trash2, danger: true, disabled: !canDelete, onSelect: onDelete },
  ];
}
