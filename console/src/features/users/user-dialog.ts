import type { User } from '@apotheca/contract/users';

/** The open dialog of the users page, and its row. */
export type UserDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'edit' | 'view' | 'duplicate' | 'delete' | 'sessions'; user: User };
