import { z } from 'zod';
import { createdBy, deletedBy, updatedBy } from './caller-stamp.ts';
import { changedRecord, count } from './fields.ts';
import { sentPlan } from './plan.ts';
import { route } from './route.ts';
import { id, printableName } from './text.ts';
import { sentVersion, version } from './version.ts';

export const ROLE_LIMITS = { name: 50 } as const;

const roleName = printableName(ROLE_LIMITS.name, 'Role Name', 'Role Name is Required');

/** The dialogs for a new role and for another name of one. */
export const newRoleForm = z.object({
  roleName,
  /** The role whose permissions the new one gets; empty: none. */
  copyOf: id('This role is unknown.')
    .or(z.literal(''))
    .nullish()
    .transform((value) => value || null),
});
export const renameRoleForm = z.object({ roleName });

/** The dialog that deletes a role. */
export const deleteRoleForm = z.object({ moveTo: id('Choose the role that its people get') });

/** A role with its permissions. */
export const role = z.object({
  id: z.string(),
  roleName: z.string(),
  /** Seeded: it keeps its name, and is not deleted. */
  isBuiltIn: z.boolean(),
  /** How many users have it; deleted ones do not count. */
  users: count,
  permissionIds: z.array(z.string()),
  /** Whether its users need a second factor to sign in. */
  requiresSecondFactor: z.boolean(),
  /** Of its name: changes of its permissions are compared by the digest of their plan. */
  version,
});
export type Role = z.infer<typeof role>;

const rolePermissions = z.object({
  roleId: id(),
  permissionIds: z
    .array(z.uuid({ error: 'permissionIds must be ids' }), { error: 'permissionIds is required' })
    .max(10_000),
});

/** The plan of a change of a role's permissions. */
export const rolePlan = z.object({
  roleName: z.string(),
  /** Identifiers that the role gains, and loses. */
  added: z.array(z.string()),
  removed: z.array(z.string()),
  /** The users whom it affects. */
  users: z.array(z.object({ id: z.string(), userName: z.string() })),
  /** Sent as `plan` with the change, so that nothing is changed if things have changed since. */
  digest: z.string(),
});
export type RolePlan = z.infer<typeof rolePlan>;

export const roleRoutes = {
  list: route({
    feature: 'roles',
    summary: 'Roles with their permissions',
    base: 'api',
    method: 'GET',
    path: '/roles/get',
    permission: 'permissions.read',
    result: z.array(role),
    list: true,
  }),
  create: route({
    feature: 'roles',
    summary: "Create a role, without permissions or with another role's",
    base: 'api',
    method: 'POST',
    path: '/roles/create',
    permission: 'permissions.write',
    keyed: true,
    fresh: true,
    body: newRoleForm.extend(createdBy),
    result: changedRecord,
  }),
  edit: route({
    feature: 'roles',
    summary: 'Rename a role',
    base: 'api',
    method: 'PUT',
    path: '/roles/edit',
    permission: 'permissions.write',
    fresh: true,
    body: renameRoleForm.extend({ id: id(), ...sentVersion, ...updatedBy }),
    result: changedRecord,
  }),
  delete: route({
    feature: 'roles',
    summary: 'Delete a role; whoever has it gets another one and is signed out',
    base: 'api',
    method: 'DELETE',
    path: '/roles/delete',
    permission: 'permissions.write',
    fresh: true,
    query: deleteRoleForm.extend({ id: id(), ...deletedBy }),
    result: changedRecord.extend({ moved: count }),
  }),
  planPermissions: route({
    feature: 'roles',
    summary: "Whom a change of a role's permissions would affect",
    base: 'api',
    method: 'POST',
    path: '/rolepermissions/preview',
    permission: 'permissions.read',
    plans: true,
    body: rolePermissions,
    result: rolePlan,
  }),
  editPermissions: route({
    feature: 'roles',
    summary: "Set a role's permissions; the answer says whom it affects",
    base: 'api',
    method: 'PUT',
    path: '/rolepermissions/edit',
    permission: 'permissions.write',
    fresh: true,
    body: rolePermissions.extend({ ...sentPlan, ...updatedBy }),
    result: rolePlan,
  }),
};
