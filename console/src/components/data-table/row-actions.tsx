import type { LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { IconButton } from '../button/icon-button.tsx';
import { MenuButton, type MenuItem } from '../popup/menu-button.tsx';
import { useCardScreen } from './use-media.ts';

/** What can be done with a row. Its label names the row too: a screen reader lists the buttons of all rows. */
export type RowAction = MenuItem & {
  icon: LucideIcon;
  /** Also where there is room for buttons. */
  inMenu?: boolean;
  loading?: boolean;
};

interface RowActionsProps {
  /** What the row is called. */
  name: string;
  actions: readonly RowAction[];
}

/** The actions of a row: buttons, with a menu of the rarer ones; on a card all of them are one menu. */
export function RowActions({ name, actions }: RowActionsProps) {
  const { t } = useTranslation();
  const isCard = useCardScreen();
  const isInMenu = ({ inMenu = false }: RowAction) => (isCard ? actions.length > 1 : inMenu);
  const items = actions.filter(isInMenu).map(({ loading, ...item }) => (loading ? { ...item, disabled: true } : item));
  return (
    <>
      {actions
        .filter((action) => !isInMenu(action))
        .map((action) => (
          <RowButton key={action.label} {...action} />
        ))}
      {items.length > 0 && (
        <MenuButton
          label={t(isCard ? 'components.rowActions.all' : 'components.rowActions.more', { name })}
          items={items}
        />
      )}
    </>
  );
}

function RowButton({ label, icon: Icon, to, danger, disabled, loading, refusal, onSelect }: RowAction) {
  if (to !== undefined) {
    return (
      <Link to={to} className="icon-button" aria-label={label} title={label}>
        <Icon className="icon" aria-hidden="true" />
      </Link>
    );
  }
  return (
    <IconButton
      icon={Icon}
      label={label}
      variant={danger ? 'danger' : 'default'}
      // Not `disabled`: the arrow keys would end there, and a row that reaches the edge of its list would lose the focus.
      aria-disabled={disabled || undefined}
      {...{ loading, refusal }}
      onClick={() => !disabled && onSelect()}
    />
  );
}
