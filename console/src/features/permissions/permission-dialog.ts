import type { Permission } from '@apotheca/contract/permissions';

/** The open dialog of the permissions page, and its row. */
export type PermissionDialog =
  | { kind: 'none' | 'create' | 'sync' }
  | { kind: 'edit' | 'delete'; permission: Permission };
