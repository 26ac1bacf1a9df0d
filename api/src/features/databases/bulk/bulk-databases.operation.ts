import { bulkKind } from '../../../bulks/bulk-kind.ts';
import { databaseBulk } from './database-bulk.ts';

export const bulkDatabasesOperation = bulkKind(databaseBulk);
