import { adoptionRoutes } from '@apotheca/contract/adoptions';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { databaseServerRoutes } from '@apotheca/contract/databaseservers';
import { faqImportRoutes } from '@apotheca/contract/faq-import';
import { faqRoutes } from '@apotheca/contract/faqs';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantImportRoutes } from '@apotheca/contract/tenant-import';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userImportRoutes } from '@apotheca/contract/user-import';
import { userRoutes } from '@apotheca/contract/users';
import type { View, ViewList } from '@apotheca/contract/views';
import { webhookRoutes } from '@apotheca/contract/webhooks';
import type { TFunction } from 'i18next';
import {
  Archive,
  ArchiveRestore,
  Bookmark,
  CalendarClock,
  CircleParking,
  CircleQuestionMark,
  CircleUserRound,
  Eye,
  FileUp,
  Import,
  Keyboard,
  KeyRound,
  ListChecks,
  LogOut,
  type LucideIcon,
  MonitorSmartphone,
  Moon,
  Plus,
  RefreshCw,
  Scale,
  Settings,
  Webhook,
} from 'lucide-react';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import type { DatabaseServerDialog } from '../../features/databaseservers/database-server-dialog.ts';
import type { FaqDialog } from '../../features/faqs/content-dialog.ts';
import type { MenuDialog } from '../../features/menus/menu-dialog.ts';
import type { PermissionDialog } from '../../features/permissions/permission-dialog.ts';
import type { RoleDialog } from '../../features/roles/role-dialog.ts';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import type { UserDialog } from '../../features/users/user-dialog.ts';
import type { WebhookDialog } from '../../features/webhooks/webhook-dialog.ts';
import type { RefusalOf } from '../../rights/rights.tsx';
import { viewsOf } from '../../views/views-of.ts';
import { entryPath, MENU_ENTRIES } from '../navigation/menu-entries.ts';
import { PATHS, ROLES_PATH, WEBHOOKS_PATH } from '../navigation/paths.ts';
import { type ActionName, type Choice, type Command, type Entry, RECORD_KINDS } from './entry.ts';
import { KINDS } from './record-kinds.ts';

/** The screens of the menu, and those that have no entry there. */
export function screenEntries(t: TFunction): Entry[] {
  const screens = [
    ...MENU_ENTRIES.map((entry) => ({
      title: t(`menusidebar.label.${entry.label}`),
      icon: entry.icon,
      to: entryPath(entry),
    })),
    { title: t('roles.title'), icon: KeyRound, to: ROLES_PATH },
    { title: t('webhooks.title'), icon: Webhook, to: WEBHOOKS_PATH },
    { title: t('header.user.profile'), icon: CircleUserRound, to: PATHS.profile },
    { title: t('help.open'), icon: CircleQuestionMark, to: PATHS.guide },
  ];
  return screens.map(({ title, icon, to }) => ({
    id: `screens:${to}`,
    group: 'screens',
    title,
    detail: '',
    icon,
    choose: () => ({ to }),
  }));
}

interface Action {
  icon: LucideIcon;
  /** What the user must be allowed to do; absent: everybody may. */
  calls?: readonly ContractRoute[];
  choice: Choice;
}

const command = (name: Command): Choice => ({ command: name });
const ofTenants = (dialog: TenantDialog): Choice => ({ to: PATHS.tenants, dialog });
const ofUsers = (dialog: UserDialog): Choice => ({ to: PATHS.users, dialog });
const ofDatabases = (dialog: DatabaseDialog): Choice => ({ to: PATHS.databases, dialog });
const ofFaqs = (dialog: FaqDialog): Choice => ({ to: PATHS.faqs, dialog });
const ofPermissions = (dialog: PermissionDialog): Choice => ({ to: PATHS.permissions, dialog });
const ofRoles = (dialog: RoleDialog): Choice => ({ to: ROLES_PATH, dialog });
const ofMenus = (dialog: MenuDialog): Choice => ({ to: PATHS.menus, dialog });
const ofServers = (dialog: DatabaseServerDialog): Choice => ({ to: PATHS.databaseServers, dialog });
const ofWebhooks = (dialog: WebhookDialog): Choice => ({ to: WEBHOOKS_PATH, dialog });

/** The saved views of a list: those of the product, one's own, and those that are shared with one's role. */
export function viewEntries(t: TFunction, list: ViewList, saved: readonly View[]): Entry[] {
  const { title, path } = LISTS[list];
  return viewsOf(t, list, saved).map(({ id, name, query }) => ({
    id: `views:${id}`,
    group: 'views',
    title: name,
    detail: t(title),
    icon: Bookmark,
    choose: () => ({ to: `${path}?${query}` }),
  }));
}

/** Where the lists are that have views. */
const LISTS = {
  tenants: { title: 'tenants.title', path: PATHS.tenants },
  databases: { title: 'databases.title', path: PATHS.databases },
  users: { title: 'users.title', path: PATHS.users },
} as const satisfies Record<ViewList, { title: string; path: string }>;

/** What can be done without a record that exists: as the buttons of the screens do it. */
const ACTIONS: Partial<Record<ActionName, Action>> = {
  createTenant: { icon: Plus, calls: [tenantRoutes.create], choice: ofTenants({ kind: 'create' }) },
  importTenants: { icon: FileUp, calls: [tenantImportRoutes.start], choice: ofTenants({ kind: 'import' }) },
  createUser: { icon: Plus, calls: [userRoutes.create], choice: ofUsers({ kind: 'create' }) },
  createServiceAccount: { icon: Plus, calls: [userRoutes.create], choice: ofUsers({ kind: 'createService' }) },
  importUsers: { icon: FileUp, calls: [userImportRoutes.start], choice: ofUsers({ kind: 'import' }) },
  reconcile: { icon: Scale, calls: [databaseRoutes.list], choice: ofDatabases({ kind: 'reconciliation' }) },
  backupSchedules: { icon: CalendarClock, calls: [databaseRoutes.list], choice: ofDatabases({ kind: 'schedules' }) },
  allBackups: { icon: Archive, calls: [databaseRoutes.list], choice: ofDatabases({ kind: 'backups' }) },
  parkedDatabases: { icon: CircleParking, calls: [databaseRoutes.list], choice: ofDatabases({ kind: 'parked' }) },
  adoptDatabase: { icon: Import, calls: [adoptionRoutes.adopt], choice: ofDatabases({ kind: 'adopt' }) },
  restoreBackup: { icon: ArchiveRestore, calls: [backupRoutes.restore], choice: ofDatabases({ kind: 'restore' }) },
  createPermission: { icon: Plus, calls: [permissionRoutes.create], choice: ofPermissions({ kind: 'create' }) },
  syncPermissions: { icon: RefreshCw, calls: [permissionRoutes.sync], choice: ofPermissions({ kind: 'sync' }) },
  createRole: { icon: Plus, calls: [roleRoutes.create], choice: ofRoles({ kind: 'create' }) },
  createMenu: { icon: Plus, calls: [permissionRoutes.create], choice: ofMenus({ kind: 'create' }) },
  createFaq: { icon: Plus, calls: [faqRoutes.create], choice: ofFaqs({ kind: 'create' }) },
  importFaqs: { icon: FileUp, calls: [faqImportRoutes.start], choice: ofFaqs({ kind: 'import' }) },
  previewFaqs: { icon: Eye, calls: [faqRoutes.list], choice: ofFaqs({ kind: 'preview' }) },
  createWebhook: { icon: Plus, calls: [webhookRoutes.create], choice: ofWebhooks({ kind: 'create' }) },
  createDatabaseServer: { icon: Plus, calls: [databaseServerRoutes.create], choice: ofServers({ kind: 'create' }) },
  activity: { icon: ListChecks, choice: command('activity') },
  ownSessions: { icon: MonitorSmartphone, choice: command('sessions') },
  switchTheme: { icon: Moon, choice: command('theme') },
  layoutSettings: { icon: Settings, choice: command('settings') },
  keyboard: { icon: Keyboard, choice: command('keyboard') },
  signOut: { icon: LogOut, choice: command('signOut') },
};

/** What can be done with a record that is chosen next. */
const RECORD_ACTIONS = RECORD_KINDS.flatMap((pick) =>
  Object.entries(KINDS[pick].actions).map(([name, { icon, calls }]): [string, Action] => [
    name,
    { icon, calls, choice: { pick, action: name as ActionName } },
  ]),
);

/** Everything that can be done; what the user would be refused for says so. */
export function actionEntries(t: TFunction, refusal: RefusalOf): Entry[] {
  return [...Object.entries(ACTIONS), ...RECORD_ACTIONS].map(([name, { icon, calls = [], choice }]) => ({
    id: `actions:${name}`,
    group: 'actions',
    title: t(`palette.actions.${name as ActionName}`),
    detail: '',
    icon,
    refusal: refusal(...calls),
    choose: () => choice,
  }));
}
