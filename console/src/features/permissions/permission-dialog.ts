import type { Permission } from '@apotheca/contract/permissions';

/** Which dialog of the permissions page is open, and for which row. */
export type PermissionDialog =
  | { kind: 'none' | 'create' | 'sync' }
  | { kind: 'edit' | 'delete'; permission: Permission };
