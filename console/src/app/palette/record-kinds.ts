import { backupRoutes } from '@apotheca/contract/backups';
import { type Database, databaseRoutes } from '@apotheca/contract/databases';
import { type Faq, faqRoutes } from '@apotheca/contract/faqs';
import type { ContractRoute } from '@apotheca/contract/route';
import { type Tenant, tenantRoutes } from '@apotheca/contract/tenants';
import { type User, userRoutes } from '@apotheca/contract/users';
import {
  Archive,
  ArchiveRestore,
  Building2,
  CircleQuestionMark,
  Copy,
  Database as DatabaseIcon,
  Eye,
  type LucideIcon,
  Pencil,
  SlidersHorizontal,
  UserRound,
} from 'lucide-react';
import type { DatabaseDialog } from '../../features/databases/database-dialog.ts';
import type { FaqDialog } from '../../features/faqs/content-dialog.ts';
import type { TenantDialog } from '../../features/tenants/tenant-dialog.ts';
import type { UserDialog } from '../../features/users/user-dialog.ts';
import { fullName, signInName } from '../../lib/user-name.ts';
import { faqPath, PATHS, tenantPath } from '../navigation/paths.ts';
import type { TenantPageDialog } from '../pages/tenant-page.tsx';
import type { ActionName, Entry, RecordKind, Target } from './entry.ts';

interface RecordAction<Row> {
  icon: LucideIcon;
  /** What the user must be allowed to do. */
  calls: readonly ContractRoute[];
  leadsTo: (row: Row) => Target;
}

interface Kind<Row> {
  icon: LucideIcon;
  titleOf: (row: Row) => string;
  detailOf: (row: Row) => string;
  opens: (row: Row) => Target;
  actions: Partial<Record<ActionName, RecordAction<Row>>>;
}

const ofTenant = (dialog: (tenant: Tenant) => TenantDialog) => (tenant: Tenant) => ({
  to: tenantPath(tenant.code),
  dialog: { kind: 'tenant', of: dialog(tenant) } satisfies TenantPageDialog,
});
const ofUser = (dialog: (user: User) => UserDialog) => (user: User) => ({ to: PATHS.users, dialog: dialog(user) });
const ofDatabase = (dialog: (database: Database) => DatabaseDialog) => (database: Database) => ({
  to: PATHS.databases,
  dialog: dialog(database),
});
const ofFaq = (dialog: (faq: Faq) => FaqDialog) => (faq: Faq) => ({ to: PATHS.faqs, dialog: dialog(faq) });

const tenants: Kind<Tenant> = {
  icon: Building2,
  titleOf: ({ customerCode }) => customerCode,
  detailOf: ({ code }) => code,
  opens: ({ code }) => ({ to: tenantPath(code) }),
  actions: {
    editTenant: {
      icon: Pencil,
      calls: [tenantRoutes.edit],
      leadsTo: ofTenant((tenant) => ({ kind: 'edit', tenant })),
    },
    manageTenant: {
      icon: SlidersHorizontal,
      calls: [tenantRoutes.list],
      leadsTo: ofTenant((tenant) => ({ kind: 'manage', tenant })),
    },
    duplicateTenant: {
      icon: Copy,
      calls: [tenantRoutes.create, databaseRoutes.copy],
      leadsTo: ofTenant((tenant) => ({ kind: 'duplicate', tenant })),
    },
  },
};

const users: Kind<User> = {
  icon: UserRound,
  titleOf: (user) => fullName(user) || signInName(user),
  detailOf: ({ userName, email }) => [userName, email].filter(Boolean).join(' · '),
  opens: ofUser((user) => ({ kind: 'view', user })),
  actions: {
    editUser: { icon: Pencil, calls: [userRoutes.edit], leadsTo: ofUser((user) => ({ kind: 'edit', user })) },
  },
};

const databases: Kind<Database> = {
  icon: DatabaseIcon,
  titleOf: ({ databaseName }) => databaseName,
  detailOf: ({ customerCode }) => customerCode ?? '',
  opens: ofDatabase((database) => ({ kind: 'view', database })),
  actions: {
    backUpDatabase: {
      icon: Archive,
      calls: [backupRoutes.create],
      leadsTo: ofDatabase((database) => ({ kind: 'backup', database })),
    },
    restoreDatabase: {
      icon: ArchiveRestore,
      calls: [backupRoutes.restore],
      leadsTo: ofDatabase(({ databaseName }) => ({ kind: 'restore', databaseName })),
    },
    cloneDatabase: {
      icon: Copy,
      calls: [databaseRoutes.copy],
      leadsTo: ofDatabase((database) => ({ kind: 'clone', database })),
    },
    renameDatabase: {
      icon: Pencil,
      calls: [databaseRoutes.rename],
      leadsTo: ofDatabase((database) => ({ kind: 'rename', database })),
    },
  },
};

const faqs: Kind<Faq> = {
  icon: CircleQuestionMark,
  titleOf: ({ name }) => name,
  detailOf: ({ code }) => code,
  opens: ({ id, name }) => ({ to: faqPath({ faqId: id, faqName: name }) }),
  actions: {
    editFaq: { icon: Pencil, calls: [faqRoutes.edit], leadsTo: ofFaq((faq) => ({ kind: 'edit', faq })) },
    previewFaq: { icon: Eye, calls: [faqRoutes.list], leadsTo: ofFaq((faq) => ({ kind: 'preview', faq })) },
  },
};

/** What the palette shows of each kind of record, and what can be done with one. */
export const KINDS = { tenants, users, databases, faqs };

/** The entries of the loaded records of a kind. */
export function recordEntries<Row extends { id: string }>(
  group: RecordKind,
  kind: Kind<Row>,
  rows: readonly Row[],
): Entry[] {
  return rows.map((row) => ({
    id: `${group}:${row.id}`,
    group,
    title: kind.titleOf(row),
    detail: kind.detailOf(row),
    icon: kind.icon,
    choose: (action) => (action && kind.actions[action]?.leadsTo(row)) ?? kind.opens(row),
  }));
}
