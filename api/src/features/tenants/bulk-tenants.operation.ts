import { bulkKind } from '../../bulks/bulk-kind.ts';
import { tenantBulk } from './tenant-bulk.ts';

export const bulkTenantsOperation = bulkKind(tenantBulk);
