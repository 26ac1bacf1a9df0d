import type { UserImportFields } from '@apotheca/contract/user-form';
import type { UserRow } from './users.repository.ts';

/** The names with which a user signs in; one of them may be empty. */
export type Names = Pick<UserRow, 'userName' | 'email'>;

type SharedFields = Omit<UserImportFields, 'deaNumber'>;

/** The form's fields that creating and editing treat alike, as columns. Everything else in a call is dropped here. */
export const columnsOf = ({ fName, lName, mi, ...fields }: SharedFields) => ({
  userName: fields.userName,
  email: fields.email,
  firstName: fName,
  lastName: lName,
  middleInitial: mi,
  title: fields.title,
  phone: fields.phone,
  notes: fields.notes,
  clinicalRoleId: fields.clinicalRoleId,
  roleId: fields.roleId,
});

type EditedColumns = Pick<UserRow, keyof ReturnType<typeof columnsOf> | 'deaNumber'>;

/** The fields that an edit may change, in the contract's names. */
export const contentOf = ({ firstName, lastName, middleInitial, ...columns }: EditedColumns) => ({
  userName: columns.userName,
  email: columns.email,
  fName: firstName,
  lName: lastName,
  mi: middleInitial,
  title: columns.title,
  deaNumber: columns.deaNumber,
  phone: columns.phone,
  notes: columns.notes,
  clinicalRoleId: columns.clinicalRoleId,
  roleId: columns.roleId,
});
