import { ArrowDown, ArrowUp, Ellipsis, Trash2 } from 'lucide-react';
import { MenuButton } from '../components/popup/menu-button.tsx';

interface OrderedRowMenuProps {
  id: string;
  labels: { more: string; moveUp: string; moveDown: string; delete: string };
  isFirst: boolean;
  isLast: boolean;
  canDelete: boolean;
  /** Why the user may neither move nor delete it. */
  refusal: string | undefined;
  onMove: (id: string, direction: 'up' | 'down') => void;
  onDelete: () => void;
}

/** The menu of a row that can be moved among its neighbours and deleted. */
export function OrderedRowMenu({ id, labels, isFirst, isLast, canDelete, ...props }: OrderedRowMenuProps) {
  const { refusal, onMove, onDelete } = props;
  const items = [
    { label: labels.moveUp, icon: ArrowUp, disabled: isFirst, refusal, onSelect: () => onMove(id, 'up') },
    { label: labels.moveDown, icon: ArrowDown, disabled: isLast, refusal, onSelect: () => onMove(id, 'down') },
    { label: labels.delete, icon: Trash2, danger: true, disabled: !canDelete, refusal, onSelect: onDelete },
  ];
  return <MenuButton icon={Ellipsis} label={labels.more} items={items} />;
}
