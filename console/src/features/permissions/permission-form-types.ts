import type { editPermissionForm, permissionForm } from '@apotheca/contract/permissions';
import type { z } from 'zod';
import type { ZodForm } from '../../components/form/form.tsx';

/** Field values as typed: the module is empty until one is chosen. */
export type PermissionFormInput = Omit<z.input<typeof editPermissionForm>, 'module'> & {
  module: string;
  /** Only of a new one: the roles that get it. */
  roleIds?: string[];
};
export type PermissionFields = z.output<typeof permissionForm> | z.output<typeof editPermissionForm>;

export type PermissionZodForm = ZodForm<PermissionFormInput, PermissionFields>;
