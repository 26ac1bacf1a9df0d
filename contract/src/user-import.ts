import { type ImportColumn, importRoutes } from './imports.ts';
import type { UserImportFields } from './user-form.ts';

/** The columns of a CSV file of users. It has no passwords: a file is no place for them. */
export const USER_IMPORT_COLUMNS = [
  { field: 'userName', heading: 'User Name', needed: 'key', example: 'ada.jensen' },
  { field: 'email', heading: 'Email', example: 'ada.jensen@example.com' },
  { field: 'fName', heading: 'First Name', needed: 'new', example: 'Ada' },
  { field: 'lName', heading: 'Last Name', needed: 'new', example: 'Jensen' },
  { field: 'mi', heading: 'Middle Initial', example: '' },
  { field: 'roleId', heading: 'Access Role', needed: 'new', type: 'choice', example: 'Viewer' },
  { field: 'clinicalRoleId', heading: 'Clinical Role', needed: 'new', type: 'choice', example: 'None' },
  { field: 'title', heading: 'Credentials', example: '' },
  { field: 'deaNumber', heading: 'NPI', example: 'NA' },
  { field: 'phone', heading: 'Phone', example: '(425) 555-0134' },
  { field: 'notes', heading: 'Notes', example: '' },
] as const satisfies readonly (ImportColumn & { field: keyof UserImportFields })[];

export const userImportRoutes = importRoutes({
  feature: 'users',
  noun: 'users',
  path: '/users',
  permission: 'users.write',
  fresh: true,
});
