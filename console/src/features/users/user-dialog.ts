import type { User } from '@apotheca/contract/users';

/** The open dialog of the users page, and its row. */
export type UserDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'createService' }
  | { kind: 'import' }
  | {
      kind: 'edit' | 'view' | 'duplicate' | 'delete' | 'sessions' | 'keys' | 'reset-factors' | 'history';
      user: User;
    };
