import { importKind } from '../../imports/import-kind.ts';
import { userImport } from './user-import.ts';

export const importUsersOperation = importKind(userImport);
