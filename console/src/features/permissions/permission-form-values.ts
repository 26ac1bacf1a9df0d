import type { Permission } from '@apotheca/contract/permissions';
import type { PermissionFormInput } from './permission-form-types.ts';

/** The initial values of a permission's form. */
export const permissionValues = (permission: Permission): PermissionFormInput => {
  const { id, name, module, identifier, sortOrder, isActive } = permission;
  return { id, name, module, identifier, sortOrder, isActive };
};

/** The initial values of a new permission's form, with the first free id (SPEC §3). */
export const newPermissionValues = ([id = '']: readonly string[]): PermissionFormInput => ({
  id,
  name: '',
  module: '',
  identifier: '',
  sortOrder: 0,
  isActive: true,
  roleIds: [],
});
