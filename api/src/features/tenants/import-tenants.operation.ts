import { importKind } from '../../imports/import-kind.ts';
import { tenantImport } from './tenant-import.ts';

export const importTenantsOperation = importKind(tenantImport);
