import type { Role } from '@apotheca/contract/roles';

/** The open dialog of the list of roles, and its row. */
export type RoleDialog =
  | { kind: 'none' | 'create' }
  | { kind: 'copy' | 'rename' | 'delete' | 'permissions' | 'second-factor' | 'history'; role: Role };
