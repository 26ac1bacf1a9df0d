import { NO_CLINICAL_ROLE, type UserImportFields, userImportForm } from '@apotheca/contract/user-form';
import { USER_IMPORT_COLUMNS } from '@apotheca/contract/user-import';
import { AppError } from '../../errors.ts';
import { cellsOf, type ImportSubject, refusalOfIssues, valuesOf } from '../../imports/import-subject.ts';
import { openNameKeys } from '../../name-keys.ts';
import { contentOf } from './user-columns.ts';
import { TAKEN_NAME_MESSAGES } from './user-names.ts';
import { listClinicalRoles, listRoles } from './user-options.repository.ts';
import { openRoles, refuseOwnerOfKey, refuseOwnRecord, requirePerson } from './user-protection.ts';
import { listAllUsers } from './users.repository.ts';
import { createUser, editUser } from './users.service.ts';

const COLUMNS = USER_IMPORT_COLUMNS;

/** A user name as the form has it: with single spaces. */
const nameOf = (cell: string): string => userImportForm.shape.userName.safeParse(cell).data ?? cell;

/**
 * Users by the names that they sign in with. A new one has no password, so gets no link for a forgotten one either: whoever it is signs in by a
 * provider, or once an administrator has set one.
 */
export const userImport: ImportSubject = {
  name: 'users',
  noun: 'user',
  columns: COLUMNS,
  keyOf: ({ userName, email }) => (userName === undefined ? (email ?? '') : nameOf(userName)),
  async openReader(context, actor) {
    const { platform } = context;
    const rows = await listAllUsers(platform);
    const nameKeyOf = openNameKeys();
    const users = indexOf(rows, nameKeyOf);
    const clinicalRoles = await listClinicalRoles(platform);
    const choices = {
      roleId: await listRoles(platform),
      clinicalRoleId: [{ id: NO_CLINICAL_ROLE, name: 'None' }, ...clinicalRoles],
    };
    const refuseRole = openRoles(context, actor);
    const takeNames = openNames(rows, nameKeyOf);
    const cells = (fields: UserImportFields) =>
      cellsOf({ ...fields, clinicalRoleId: fields.clinicalRoleId ?? NO_CLINICAL_ROLE }, COLUMNS, choices);
    return async (row) => {
      const { values, refusal } = valuesOf(row, COLUMNS, choices);
      const there = users.find(row);
      // What a person has, such a record lacks: nothing that is missing there is to be filled in.
      if (there) requirePerson(there, 'has neither a password nor a person, and is not imported');
      const before = there && contentOf(there);
      const { data, error } = userImportForm.safeParse({ ...before, ...values });
      if (!data || Object.keys(refusal).length > 0)
        return { refusal: { ...(error && refusalOfIssues(error)), ...refusal } };
      if (there) {
        refuseOwnerOfKey(actor, there);
        await refuseRole(there.roleId);
        if (data.roleId !== there.roleId) refuseOwnRecord(actor, there, 'change your own user role');
      }
      await refuseRole(data.roleId);
      takeNames(data, there?.id ?? data.userName);
      return {
        ...(there && before && { before: { cells: cells(before), version: there.version } }),
        after: cells(data),
        write: (inContext, by) =>
          there
            ? editUser(inContext, by, there.id, { ...data, password: '', version: there.version })
            : createUser(inContext, by, { ...data, isActive: true, password: null }),
      };
    };
  },
};

/** Users by their user names; those who have none by their e-mail addresses. */
function indexOf<Row extends Named>(
  rows: readonly Row[],
  nameKeyOf: NameKeyOf,
): { find(row: Partial<Named>): Row | undefined } {
  const byName = new Map(rows.map((row) => [nameKeyOf(row.userName), row]));
  const byEmail = new Map(rows.map((row) => [row.userName === '' ? nameKeyOf(row.email) : undefined, row]));
  return {
    find: ({ userName, email }) =>
      userName === undefined ? byEmail.get(nameKeyOf(email ?? '')) : byName.get(nameKeyOf(nameOf(userName))),
  };
}

type Named = Pick<UserImportFields, 'userName' | 'email'>;
type NameKeyOf = ReturnType<typeof openNameKeys>;

/** @returns what takes the names of a user, unless somebody else has one of them as user name or e-mail address */
function openNames(
  rows: readonly (Named & { id: string })[],
  nameKeyOf: NameKeyOf,
): (names: Named, owner: string) => void {
  const owners = new Map<string, string>();
  const fields = ['userName', 'email'] as const;
  const take = (names: Named, owner: string) => {
    for (const field of fields) if (names[field] !== '') owners.set(nameKeyOf(names[field]), owner);
  };
  for (const row of rows) take(row, row.id);
  return (names, owner) => {
    const isTaken = (field: keyof Named) => (owners.get(nameKeyOf(names[field])) ?? owner) !== owner;
    const taken = fields.filter((field) => names[field] !== '' && isTaken(field));
    if (taken.length === 0) return take(names, owner);
    const errors = Object.fromEntries(taken.map((field) => [field, [TAKEN_NAME_MESSAGES[field]]]));
    throw new AppError('already-exists', { errors });
  };
}
