import type { Database } from '@apotheca/contract/databases';

/** Which dialog of the databases page is open, and for which row. */
export type DatabaseDialog = { kind: 'none' } | { kind: 'view' | 'rename' | 'clone' | 'delete'; database: Database };
