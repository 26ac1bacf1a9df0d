/**
 * The console's own permissions (DECISIONS §5, §10). `access` decides which seeded role has it:
 * Viewer reads, Operator reads and writes, Administrator does everything.
 */
export type Access = 'read' | 'write' | 'destroy' | 'grant';

interface CatalogueEntry {
  identifier: string;
  name: string;
  module: 'AdminModule' | 'UserManagement';
  access: Access;
}

export const PERMISSION_CATALOGUE = [
  { identifier: 'dashboard.read', name: 'View dashboard', module: 'AdminModule', access: 'read' },
  { identifier: 'dashboard.write', name: 'Snooze what needs attention', module: 'AdminModule', access: 'write' },
  { identifier: 'tenants.read', name: 'View tenants', module: 'AdminModule', access: 'read' },
  { identifier: 'tenants.write', name: 'Create and edit tenants', module: 'AdminModule', access: 'write' },
  { identifier: 'tenants.delete', name: 'Delete tenants', module: 'AdminModule', access: 'destroy' },
  { identifier: 'databases.read', name: 'View databases', module: 'AdminModule', access: 'read' },
  {
    identifier: 'databases.write',
    name: 'Clone, rename and back up databases',
    module: 'AdminModule',
    access: 'write',
  },
  { identifier: 'databases.delete', name: 'Delete databases', module: 'AdminModule', access: 'destroy' },
  { identifier: 'databases.restore', name: 'Restore databases', module: 'AdminModule', access: 'destroy' },
  { identifier: 'databases.purge', name: 'Purge and anonymize data', module: 'AdminModule', access: 'destroy' },
  {
    identifier: 'databases.connect',
    name: 'Reveal and rotate credentials of tenants',
    module: 'AdminModule',
    access: 'grant',
  },
  { identifier: 'databaseservers.read', name: 'View database servers', module: 'AdminModule', access: 'read' },
  {
    identifier: 'databaseservers.write',
    name: 'Add, change and retire database servers',
    module: 'AdminModule',
    access: 'grant',
  },
  { identifier: 'users.read', name: 'View users', module: 'UserManagement', access: 'read' },
  { identifier: 'users.write', name: 'Create and edit users', module: 'UserManagement', access: 'write' },
  { identifier: 'users.delete', name: 'Delete users', module: 'UserManagement', access: 'destroy' },
  {
    identifier: 'sessions.manage',
    name: 'View and end sessions of users',
    module: 'UserManagement',
    access: 'grant',
  },
  { identifier: 'permissions.read', name: 'View permissions', module: 'AdminModule', access: 'read' },
  {
    identifier: 'permissions.write',
    name: 'Change permissions, menus and roles',
    module: 'AdminModule',
    access: 'grant',
  },
  { identifier: 'menus.read', name: 'View menus', module: 'AdminModule', access: 'read' },
  { identifier: 'faqs.read', name: 'View FAQs', module: 'AdminModule', access: 'read' },
  { identifier: 'faqs.write', name: 'Create and edit FAQs', module: 'AdminModule', access: 'write' },
  { identifier: 'faqs.delete', name: 'Delete FAQs', module: 'AdminModule', access: 'destroy' },
  { identifier: 'audit.read', name: 'View the audit trail', module: 'AdminModule', access: 'read' },
  // To read them is to be granted, too: the address of a chat is its secret.
  { identifier: 'webhooks.read', name: 'View webhooks and deliveries', module: 'AdminModule', access: 'grant' },
  {
    identifier: 'webhooks.write',
    name: 'Change webhooks and replay deliveries',
    module: 'AdminModule',
    access: 'grant',
  },
] as const satisfies readonly CatalogueEntry[];

/**
 * Identifiers that the catalogue once had: a sync removes them. One that is neither here nor there is a newer version's, whose grants must outlive
 * a sync by the version before it.
 */
export const RETIRED_PERMISSIONS: readonly string[] = ['menus.write'];

export type PermissionIdentifier = (typeof PERMISSION_CATALOGUE)[number]['identifier'];

/** The seeded role that has every permission, always. */
export const ADMINISTRATOR = 'Administrator';

/** The seeded roles and the kinds of access each one has (DECISIONS §5). */
export const ROLES = [
  { name: ADMINISTRATOR, access: ['read', 'write', 'destroy', 'grant'] },
  { name: 'Operator', access: ['read', 'write'] },
  { name: 'Viewer', access: ['read'] },
] as const satisfies readonly { name: string; access: readonly Access[] }[];

export type RoleName = (typeof ROLES)[number]['name'];
