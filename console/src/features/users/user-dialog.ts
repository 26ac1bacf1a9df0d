import type { User } from '@apotheca/contract/users';

/** Which dialog of the users page is open, and for which row. */
export type UserDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'edit' | 'view' | 'duplicate' | 'delete' | 'sessions'; user: User };
