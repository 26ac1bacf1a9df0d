import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useEffect, useId } from 'react';
import { classNames } from '../../lib/class-names.ts';
import { usePopup } from './use-popup.ts';

interface MenuItem {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
  disabled?: boolean;
  /** Why the user may not do this: the item looks disabled, and choosing it tells the reason. */
  refusal?: string | undefined;
  onSelect: () => void;
}

interface MenuButtonProps {
  /** Accessible name and tooltip of the button. */
  label: string;
  icon?: LucideIcon;
  items: readonly MenuItem[];
}

/** An icon button that opens a menu of actions, such as a row's "…". */
export function MenuButton({ label, icon: Icon = Ellipsis, items }: MenuButtonProps) {
  const menuId = useId();
  const { open, close, hostProps, headProps, panelProps } = usePopup('end');
  useEffect(() => {
    if (open) panelProps.ref.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
  }, [open, panelProps.ref]);
  return (
    <div {...hostProps} className="dropdown">
      <button
        {...headProps}
        type="button"
        className="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-controls={open ? menuId : undefined}
      >
        <Icon className="icon" aria-hidden="true" />
      </button>
      {open && (
        <div {...panelProps} id={menuId} className="dropdown-panel" role="menu" aria-label={label}>
          {items.map((item) => (
            <MenuItemButton key={item.label} item={item} onChosen={close} />
          ))}
        </div>
      )}
    </div>
  );
}

function MenuItemButton({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { label, icon: Icon, danger, disabled, refusal, onSelect } = item;
  function handleClick() {
    // Closing first gives the focus back to the head, so that a dialog opened by the action returns it there.
    onChosen();
    if (refusal === undefined) onSelect();
  }
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={classNames('dropdown-item', danger && 'dropdown-item-danger')}
      disabled={disabled}
      aria-disabled={refusal === undefined ? undefined : true}
      data-refusal={refusal}
      title={refusal}
      onClick={handleClick}
    >
      {Icon && <Icon className="icon" aria-hidden="true" />}
      {label}
    </button>
  );
}
