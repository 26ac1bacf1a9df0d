import { bulkKind } from '../../bulks/bulk-kind.ts';
import { permissionBulk } from './permission-bulk.ts';

export const bulkPermissionsOperation = bulkKind(permissionBulk);
