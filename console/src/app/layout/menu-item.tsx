import { ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { classNames } from '../../lib/class-names.ts';
import { entryPath, isActive, type MenuEntry } from '../navigation/menu-entries.ts';

interface MenuItemProps {
  entry: MenuEntry;
  /** The icon rail hides the names, so they become tooltips. */
  isRail: boolean;
}

/** An entry of the menu sidebar: a link, or a list that expands. */
export function MenuItem({ entry, isRail }: MenuItemProps) {
  return entry.children ? <MenuTree entry={entry} isRail={isRail} /> : <MenuLink entry={entry} isRail={isRail} />;
}

function MenuLink({ entry, isRail }: MenuItemProps) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const active = isActive(entry, pathname);
  const name = t(`menusidebar.label.${entry.label}`);
  return (
    <li className="nav-item">
      <Link
        to={entryPath(entry)}
        className={classNames('nav-link', active && 'active')}
        aria-current={active ? 'page' : undefined}
        title={isRail ? name : undefined}
      >
        <MenuFace entry={entry} name={name} />
      </Link>
    </li>
  );
}

function MenuTree({ entry, isRail }: MenuItemProps) {
  const { t } = useTranslation();
  const listId = useId();
  const { pathname } = useLocation();
  const active = isActive(entry, pathname);
  // A list that the user opened or closed stays so until the address changes; then it is open only if it is active.
  const [toggled, setToggled] = useState<{ at: string; open: boolean }>();
  const open = toggled?.at === pathname ? toggled.open : active;
  const name = t(`menusidebar.label.${entry.label}`);
  return (
    <li className={classNames('nav-item', open && 'menu-open')}>
      <button
        type="button"
        className={classNames('nav-link', active && 'active')}
        aria-expanded={open}
        aria-controls={listId}
        title={isRail ? name : undefined}
        onClick={() => setToggled({ at: pathname, open: !open })}
      >
        <MenuFace entry={entry} name={name} />
        <ChevronRight className="nav-arrow" aria-hidden="true" />
      </button>
      <ul id={listId} className="nav nav-treeview" hidden={!open}>
        {entry.children?.map((child) => (
          <MenuItem key={child.label} entry={child} isRail={isRail} />
        ))}
      </ul>
    </li>
  );
}

function MenuFace({ entry, name }: { entry: MenuEntry; name: string }) {
  return (
    <>
      <entry.icon className="icon nav-icon" aria-hidden="true" />
      <span className="nav-name">{name}</span>
    </>
  );
}
