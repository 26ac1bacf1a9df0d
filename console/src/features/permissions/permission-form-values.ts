import type { Permission } from '@apotheca/contract/permissions';
import type { PermissionFormInput } from './permission-form-types.ts';

/** What the form of a permission begins with. */
export const permissionValues = (permission: Permission): PermissionFormInput => {
  const { id, name, module, identifier, sortOrder, isActive } = permission;
  return { id, name, module, identifier, sortOrder, isActive };
};

/** What the form of a new permission begins with: the first of the ids that nobody uses (SPEC §3). */
export const newPermissionValues = ([id = '']: readonly string[]): PermissionFormInput => ({
  id,
  name: '',
  module: '',
  identifier: '',
  sortOrder: 0,
  isActive: true,
});
