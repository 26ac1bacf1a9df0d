import { Ellipsis, type LucideIcon } from 'lucide-react';
import { Fragment, useEffect, useId } from 'react';
import { Link } from 'react-router';
import { classNames } from '../../lib/class-names.ts';
import { IconButton } from '../button/icon-button.tsx';
import { usePopup } from './use-popup.ts';

export type MenuItem = {
  label: string;
  icon?: LucideIcon;
  /** What takes something away: it stands last, behind a line. */
  /** Tells items of the same label apart. */
  id?: string;
  danger?: boolean;
  disabled?: boolean;
  /** Why the user may not do this: the item looks disabled, and choosing it tells the reason. */
  refusal?: string | undefined;
} & ({ onSelect: () => void; to?: undefined } | { to: string; onSelect?: undefined });

interface MenuButtonProps {
  /** Accessible name and tooltip of the button. */
  label: string;
  icon?: LucideIcon;
  items: readonly MenuItem[];
  /** What was chosen is being done: the button shows a spinner and keeps the focus. */
  loading?: boolean;
}

/** An icon button that opens a menu of actions, such as a row's "…". */
export function MenuButton({ label, icon = Ellipsis, items, loading }: MenuButtonProps) {
  const menuId = useId();
  const { open, close, hostProps, headProps, panelProps } = usePopup('end');
  useEffect(() => {
    if (open) panelProps.ref.current?.querySelector<HTMLElement>('[role="menuitem"]:not(:disabled)')?.focus();
  }, [open, panelProps.ref]);
  const [harmless, dangerous] = [items.filter(({ danger }) => !danger), items.filter(({ danger }) => danger)];
  return (
    // An arrow key opens the menu too.
    <div {...hostProps} {...(loading && { onKeyDown: undefined })} className="dropdown">
      <IconButton
        {...headProps}
        {...{ label, icon, loading }}
        aria-haspopup="menu"
        aria-controls={open ? menuId : undefined}
      />
      {open && (
        <div {...panelProps} id={menuId} className="dropdown-panel" role="menu" aria-label={label}>
          {[...harmless, ...dangerous].map((item) => (
            <Fragment key={item.id ?? item.label}>
              {item === dangerous[0] && harmless.length > 0 && <hr className="dropdown-divider" />}
              <MenuItemFace item={item} onChosen={close} />
            </Fragment>
          ))}
        </div>
      )}
    </div>
  );
}

function MenuItemFace({ item, onChosen }: { item: MenuItem; onChosen: () => void }) {
  const { label, icon: Icon, danger, disabled, refusal, to, onSelect } = item;
  const face = (
    <>
      {Icon && <Icon className="icon" aria-hidden="true" />}
      {label}
    </>
  );
  const role = {
    role: 'menuitem',
    tabIndex: -1,
    className: classNames('dropdown-item', danger && 'dropdown-item-danger'),
  };
  if (to !== undefined) {
    return (
      <Link {...role} to={to} onClick={onChosen}>
        {face}
      </Link>
    );
  }
  function handleClick() {
    // Closing first gives the focus back to the head, so that a dialog opened by the action returns it there.
    onChosen();
    if (refusal === undefined) onSelect?.();
  }
  return (
    <button
      {...role}
      type="button"
      disabled={disabled}
      aria-disabled={refusal === undefined ? undefined : true}
      data-refusal={refusal}
      title={refusal}
      onClick={handleClick}
    >
      {face}
    </button>
  );
}
