import { z } from 'zod';
import { createdBy, updatedBy } from './caller-stamp.ts';
import { camelCase } from './camel-case.ts';
import { byId, changedRecord, count, isActive, tooLong } from './fields.ts';
import { route } from './route.ts';
import { asName, asValue, type RowOrder } from './row-order.ts';
import { moveByOne, sortOrder } from './sort-order.ts';
import { listQuery } from './sorting.ts';
import { id, optionalText, requiredText } from './text.ts';
import { sentVersion, version } from './version.ts';

/** The modules to choose from (SPEC §3). */
export const PERMISSION_MODULES = [
  'ConfigModule',
  'AdminModule',
  'MedicationModule',
  'PatientModule',
  'StandardReports',
  'CustomReports',
  'ChangePassword',
  'AboutSRX',
  'InventoryModule',
  'VISModule',
  'AnalyticsModule',
  'UsageEntryPage',
  'UsageTransaction',
  'AddPatientOnRecordUsage',
  'Rx',
  'UserManagement',
  'Inventory',
  'ReorderLevel',
] as const;
/** The module of every menu (SPEC §3). */
export const MENU_MODULE = 'Menu';
/** The route of a menu that has no parent (SPEC §7.3). */
export const TOP_MENU_ROUTE = '#';

export const PERMISSION_LIMITS = { name: 100, identifier: 100, route: 256, icon: 100 } as const;

const LIMITS = PERMISSION_LIMITS;

/** Empty: it is derived from the name. */
const identifier = optionalText(LIMITS.identifier, tooLong('Identifier', LIMITS.identifier));
const order = sortOrder('Sort Order is required', 'Sort Order must be at least 0');

/** The identifier that a permission or menu has when none is given; empty where the name has neither letter nor digit. */
export const identifierOf = (name: string): string => camelCase(name).slice(0, LIMITS.identifier);

const permissionFields = {
  id: id('Permission id is required'),
  name: requiredText(LIMITS.name, 'Permission Name is Required', tooLong('Permission Name', LIMITS.name)),
  module: z.enum(PERMISSION_MODULES, { error: 'Permission Module is Required' }),
  identifier,
  sortOrder: order,
  isMenu: z.literal(false).optional(),
};

// '#' or a path of the console. Two slashes would lead to another site, also with characters between them that browsers ignore.
const ROUTE = /^(#|\/(?![/\\])\P{Cc}*)$/u;

const menuFields = {
  id: id('Menu id is required.'),
  name: requiredText(LIMITS.name, 'Menu Name is required', tooLong('Menu Name', LIMITS.name)),
  route: requiredText(LIMITS.route, 'Menu Route is required', tooLong('Menu Route', LIMITS.route)).regex(
    ROUTE,
    "Menu Route must be '#' or begin with one slash",
  ),
  icon: requiredText(LIMITS.icon, 'Menu Icon is required', tooLong('Menu Icon', LIMITS.icon)),
  sortOrder: order,
  identifier,
  /** Null or empty: at the top. */
  parentPermissionId: z
    .uuid({ error: 'This parent menu is unknown.' })
    .or(z.literal(''))
    .nullish()
    .transform((value) => (value === '' ? null : value)),
  module: z.literal(MENU_MODULE).default(MENU_MODULE),
  isMenu: z.literal(true),
};

const creation = {
  isActive: isActive.default(true),
  /** Roles that get it at once, besides Administrator; none: the call is as without the field. */
  roleIds: z
    .array(id('This role is unknown.'))
    .max(1000)
    .optional()
    .transform((ids) => (ids?.length ? ids : undefined)),
  ...createdBy,
};
/** An edit keeps what it does not name. */
const edit = { isActive: isActive.optional(), ...sentVersion, ...updatedBy };

/** Only a name with a letter or digit yields an identifier. */
const derivableIdentifier = z.superRefine<{ name: string; identifier: string }>(({ name, identifier }, context) => {
  if (identifier !== '' || identifierOf(name) !== '') return;
  context.addIssue({ code: 'custom', path: ['identifier'], message: 'Identifier is required' });
});

/** The create-permission and the create-menu dialog: limits and messages of SPEC §5. */
export const permissionForm = z.object({ ...permissionFields, ...creation }).check(derivableIdentifier);
export const menuForm = z.object({ ...menuFields, ...creation }).check(derivableIdentifier);
/** The same fields for changing a permission or menu. */
export const editPermissionForm = z.object({ ...permissionFields, ...edit });
export const editMenuForm = z.object({ ...menuFields, ...edit });

/** A new permission or menu: `isMenu` tells which, as in the spec's one call for both. */
const newPermission = z.discriminatedUnion('isMenu', [permissionForm, menuForm]);
const placeKept = { sortOrder: order.optional() };
const permissionEdit = z.discriminatedUnion('isMenu', [
  editPermissionForm.extend(placeKept),
  editMenuForm.extend(placeKept),
]);
export type NewPermission = z.output<typeof newPermission>;
export type PermissionEdit = z.output<typeof permissionEdit>;

/** What is stored of a permission or menu. */
export const storedPermission = z.object({
  id: z.string(),
  name: z.string(),
  module: z.string(),
  identifier: z.string(),
  sortOrder: z.number().int(),
  isActive: z.boolean(),
  isMenu: z.boolean(),
  icon: z.string().nullable(),
  route: z.string().nullable(),
  parentPermissionId: z.string().nullable(),
  /** Named in the code: it cannot be deleted, switched off or given another identifier. */
  isBuiltIn: z.boolean(),
  version,
  createdBy: z.string().nullable(),
  updatedBy: z.string().nullable(),
});
export type StoredPermission = z.infer<typeof storedPermission>;

/** A permission or menu as lists give it. */
export const permission = storedPermission.extend({
  /** Whether it is the first, or the last, in the list where it can be moved: its module, or the menus of its parent. */
  isFirst: z.boolean(),
  isLast: z.boolean(),
});
export type Permission = z.infer<typeof permission>;

/** Sort keys of the permissions list; the first is the default. */
export const PERMISSION_SORT_COLUMNS = ['sortOrder', 'module', 'name', 'identifier'] as const;
export type PermissionSortColumn = (typeof PERMISSION_SORT_COLUMNS)[number];

export const PERMISSION_ORDER: RowOrder<Permission, PermissionSortColumn> = {
  columns: {
    sortOrder: asValue(({ sortOrder }) => sortOrder),
    module: asName(({ module }) => module),
    name: asName(({ name }) => name),
    identifier: asName(({ identifier }) => identifier),
  },
  ties: [asName(({ identifier }) => identifier)],
};

/**
 * What a sync did with one permission. `kept`: the tenant had switched it off, and it stays off. If its name or place changed too, it is
 * listed a second time as `changed`.
 */
export const syncedPermission = z.object({
  identifier: z.string(),
  name: z.string(),
  outcome: z.enum(['added', 'changed', 'removed', 'kept']),
});
export type SyncedPermission = z.infer<typeof syncedPermission>;

/** What a sync of permissions changed (DECISIONS §10). */
export const permissionSync = z.object({
  added: count,
  changed: count,
  removed: count,
  /** Identifiers that the tenant had switched off, and that stay off. */
  kept: z.array(z.string()),
  /** Every permission that is counted or named above, in this order. */
  permissions: z.array(syncedPermission),
});
export type PermissionSync = z.infer<typeof permissionSync>;

/** What a sync of every tenant did. */
export const tenantsSync = z.object({
  tenants: z.array(
    z.object({
      tenantId: z.string(),
      tenantCode: z.string(),
      /** Absent if it failed. Permissions are not named one by one, as there may be thousands of tenants. */
      sync: permissionSync.omit({ permissions: true }).optional(),
      /** Why it failed. */
      problem: z.string().optional(),
    }),
  ),
});
export type TenantsSync = z.infer<typeof tenantsSync>;

export const permissionRoutes = {
  list: route({
    feature: 'permissions',
    summary: 'All permissions, menus among them',
    base: 'api',
    method: 'GET',
    path: '/adminpermission/get',
    permission: 'permissions.read',
    query: listQuery(PERMISSION_SORT_COLUMNS),
    result: z.object({ permissions: z.array(permission) }),
    list: true,
  }),
  listAvailableIds: route({
    feature: 'permissions',
    summary: 'Fresh ids that no permission uses',
    base: 'api',
    method: 'GET',
    path: '/managedatabase/getavailableguids',
    permission: 'permissions.read',
    result: z.array(z.string()),
  }),
  create: route({
    feature: 'permissions',
    summary: 'Create a permission or, with isMenu, a menu',
    base: 'api',
    method: 'POST',
    path: '/adminpermission/create',
    permission: 'permissions.write',
    keyed: true,
    body: newPermission,
    result: changedRecord,
  }),
  edit: route({
    feature: 'permissions',
    summary: 'Change a permission or menu',
    base: 'api',
    method: 'PUT',
    path: '/adminpermission/edit',
    permission: 'permissions.write',
    body: permissionEdit,
    result: changedRecord,
  }),
  move: route({
    feature: 'permissions',
    summary: 'Move a permission within its module, or a menu among its siblings, by one place',
    base: 'api',
    method: 'PATCH',
    path: '/adminpermission/updatesortorder',
    permission: 'permissions.write',
    query: moveByOne,
    result: changedRecord,
  }),
  delete: route({
    feature: 'permissions',
    summary: 'Delete a permission, or a menu that has no menus inside',
    base: 'api',
    method: 'DELETE',
    path: '/adminpermission/delete',
    permission: 'permissions.write',
    query: byId,
    result: changedRecord,
  }),
  sync: route({
    feature: 'permissions',
    summary: 'Bring the permissions of the catalogue into the control database, or into the database of a tenant',
    base: 'api',
    method: 'POST',
    path: '/adminpermission/syncpermissions',
    permission: 'permissions.write',
    query: z.object({ tenantId: id().optional() }),
    result: permissionSync,
  }),
  syncTenants: route({
    feature: 'permissions',
    summary: 'Bring the active permissions into the database of every tenant',
    base: 'api',
    method: 'POST',
    path: '/adminpermission/synctenants',
    permission: 'permissions.write',
    operation: true,
    result: tenantsSync,
  }),
};
