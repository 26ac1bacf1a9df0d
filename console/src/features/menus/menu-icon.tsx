import {
  BadgeCheck,
  Bell,
  Boxes,
  Building2,
  CalendarDays,
  ChartColumn,
  CircleQuestionMark,
  ClipboardList,
  Database,
  FileText,
  Folder,
  House,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  MapPin,
  Package,
  Pill,
  Settings,
  ShieldCheck,
  ShoppingCart,
  Stethoscope,
  Syringe,
  Truck,
  UserRound,
  Users,
  Warehouse,
} from 'lucide-react';

/** The icons that can be drawn, by their names in lucide. */
const ICONS: ReadonlyMap<string, LucideIcon> = new Map([
  ['badge-check', BadgeCheck],
  ['bell', Bell],
  ['boxes', Boxes],
  ['building-2', Building2],
  ['calendar-days', CalendarDays],
  ['chart-column', ChartColumn],
  ['circle-question-mark', CircleQuestionMark],
  ['clipboard-list', ClipboardList],
  ['database', Database],
  ['file-text', FileText],
  ['folder', Folder],
  ['house', House],
  ['layout-dashboard', LayoutDashboard],
  ['list-tree', ListTree],
  ['map-pin', MapPin],
  ['package', Package],
  ['pill', Pill],
  ['settings', Settings],
  ['shield-check', ShieldCheck],
  ['shopping-cart', ShoppingCart],
  ['stethoscope', Stethoscope],
  ['syringe', Syringe],
  ['truck', Truck],
  ['user-round', UserRound],
  ['users', Users],
  ['warehouse', Warehouse],
]);

/** The icons that can be picked. */
export const ICON_NAMES: readonly string[] = [...ICONS.keys()];

/** Whether an icon of that name can be drawn. */
export const isIcon = (name: string): boolean => ICONS.has(name);

/**
 * A menu's icon, or its name where no such icon is known here: any name can be stored. It is decoration next to the
 * menu's own name.
 */
export function MenuIcon({ name }: { name: string }) {
  const Icon = ICONS.get(name);
  if (Icon) return <Icon className="icon" aria-hidden="true" />;
  return (
    <span className="menu-icon-name code" aria-hidden="true">
      {name}
    </span>
  );
}
