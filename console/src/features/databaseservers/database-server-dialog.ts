import type { DatabaseServer } from '@apotheca/contract/databaseservers';

/** The open dialog of the list of database servers, and its row. */
export type DatabaseServerDialog =
  | { kind: 'none' | 'create' }
  | {
      kind: 'edit' | 'check' | 'drain' | 'retire' | 'activate' | 'move-away' | 'delete' | 'history';
      server: DatabaseServer;
    };
