import {
  BadgeCheck,
  Building2,
  CircleQuestionMark,
  Database,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  ScrollText,
  Server,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { PATHS } from './paths.ts';

type MenuLabel = keyof typeof import('../../locales/en-pages.json')['menusidebar']['label'];

export interface MenuEntry {
  label: MenuLabel;
  icon: LucideIcon;
  /** Absent: the entry leads to / (SPEC §2.2). */
  path?: string;
  /** More beginnings of addresses that belong to this entry. */
  within?: readonly string[];
  children?: readonly MenuEntry[];
}

/** The sidebar in the order of SPEC §2.2. */
export const MENU_ENTRIES: readonly MenuEntry[] = [
  { label: 'dashboard', icon: LayoutDashboard, path: PATHS.dashboard },
  { label: 'tenants', icon: Building2, path: PATHS.tenants },
  { label: 'users', icon: Users, path: PATHS.users },
  { label: 'databases', icon: Database, path: PATHS.databases },
  { label: 'licences', icon: BadgeCheck, path: PATHS.licences },
  { label: 'permissions', icon: ShieldCheck, path: PATHS.permissions },
  { label: 'menus', icon: ListTree, path: PATHS.menus },
  { label: 'faqs', icon: CircleQuestionMark, path: PATHS.faqs, within: ['/faq', '/section'] },
  { label: 'audit', icon: ScrollText, path: PATHS.audit },
  { label: 'databaseServers', icon: Server, path: PATHS.databaseServers },
];

export const entryPath = (entry: MenuEntry): string => entry.path ?? PATHS.dashboard;

const isBelow = (pathname: string, below: string): boolean =>
  pathname === below || (below !== PATHS.dashboard && pathname.startsWith(`${below}/`));

/**
 * Whether an entry is marked active: the address is its path or a child's (SPEC §2.2), or begins with one of them, so
 * that the pages of an FAQ's sections mark the FAQ entry.
 */
export function isActive(entry: MenuEntry, pathname: string): boolean {
  const own = entry.path === undefined ? [] : [entry.path];
  return (
    [...own, ...(entry.within ?? [])].some((path) => isBelow(pathname, path)) ||
    (entry.children ?? []).some((child) => isActive(child, pathname))
  );
}
