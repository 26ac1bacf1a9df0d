import { bulkKind } from '../../bulks/bulk-kind.ts';
import { userBulk } from './user-bulk.ts';

export const bulkUsersOperation = bulkKind(userBulk);
