import { z } from 'zod';
import { createdBy, deletedBy, recordStamps, updatedBy } from './caller-stamp.ts';
import { byId, changedRecord, tooLong } from './fields.ts';
import { route } from './route.ts';
import { asName, asValue, type RowOrder } from './row-order.ts';
import { listQuery } from './sorting.ts';
import { id, optionalText } from './text.ts';
import { creation, credentials, editedFields, eitherName, matchingPasswords, names } from './user-form.ts';
import { sentVersion } from './version.ts';

/** A user as lists give it; never a password or its hash. */
export const user = z.object({
  id: z.string(),
  /** The platform's number of the user, read only. */
  spSRXID: z.string(),
  userName: z.string(),
  fName: z.string(),
  lName: z.string(),
  mi: z.string(),
  /** Credentials, such as 'PharmD'. */
  title: z.string(),
  /** Labelled NPI. */
  deaNumber: z.string(),
  isActive: z.boolean(),
  email: z.string(),
  phone: z.string(),
  notes: z.string(),
  /** null: none. */
  clinicalRoleId: z.string().nullable(),
  roleId: z.string(),
  role: z.object({ roleName: z.string() }),
  /** Without a password nobody can sign in as this user yet. */
  hasPassword: z.boolean(),
  /** A service account, which never signs in and has API keys only (DECISIONS §13). */
  isService: z.boolean(),
  /** An authenticator app or a passkey. */
  hasSecondFactor: z.boolean(),
  ...recordStamps,
  deletedBy: z.string().nullable(),
});
export type User = z.infer<typeof user>;

/** Sort keys of the users list (SPEC §2.11); the first is the default. */
export const USER_SORT_COLUMNS = ['userName', 'fName', 'email', 'role'] as const;
export type UserSortColumn = (typeof USER_SORT_COLUMNS)[number];

export const USER_ORDER: RowOrder<User, UserSortColumn> = {
  columns: {
    userName: asName(({ userName }) => userName),
    fName: asName(({ fName }) => fName),
    email: asName(({ email }) => email),
    role: asName(({ role }) => role.roleName),
  },
  ties: [asName(({ userName }) => userName), asValue(({ id }) => id)],
};

/** What the selects of the user form offer. */
export const userOptions = z.object({
  clinicalRoles: z.array(z.object({ id: z.string(), roleDescription: z.string() })),
  roles: z.array(z.object({ id: z.string(), roleName: z.string() })),
});
export type UserOptions = z.infer<typeof userOptions>;

export const userRoutes = {
  list: route({
    feature: 'users',
    summary: 'All users but the deleted ones',
    base: 'api',
    method: 'GET',
    path: '/users/get',
    permission: 'users.read',
    query: listQuery(USER_SORT_COLUMNS),
    result: z.array(user),
    list: true,
  }),
  options: route({
    feature: 'users',
    summary: 'Clinical roles and roles to choose from',
    base: 'api',
    method: 'GET',
    path: '/users/renderuserpage',
    permission: 'users.read',
    result: userOptions,
    list: true,
  }),
  create: route({
    feature: 'users',
    summary: 'Create a user',
    base: 'api',
    method: 'POST',
    path: '/users/create',
    permission: 'users.write',
    keyed: true,
    fresh: true,
    body: z.object({ ...creation, ...createdBy }).check(eitherName, credentials, matchingPasswords),
    result: changedRecord,
  }),
  edit: route({
    feature: 'users',
    summary: "Change a user's fields; a new password or role ends the user's sessions",
    base: 'api',
    method: 'PUT',
    path: '/users/edit',
    permission: 'users.write',
    fresh: true,
    body: editedFields
      .extend({ id: id(), ...sentVersion, ...updatedBy })
      .check(eitherName, credentials, matchingPasswords),
    result: changedRecord,
  }),
  activate: route({
    feature: 'users',
    summary: 'Activate a user',
    base: 'api',
    method: 'PUT',
    path: '/users/activate',
    permission: 'users.write',
    fresh: true,
    query: byId.extend(updatedBy),
    result: changedRecord,
  }),
  deactivate: route({
    feature: 'users',
    summary: "Deactivate a user, and end the user's sessions and, for good, the user's API keys",
    base: 'api',
    method: 'PUT',
    path: '/users/deactivate',
    permission: 'users.write',
    query: byId.extend(updatedBy),
    result: changedRecord,
  }),
  duplicate: route({
    feature: 'users',
    summary: 'Copy a user under other names; the copy has no password',
    base: 'api',
    method: 'POST',
    path: '/users/duplicate',
    permission: 'users.write',
    keyed: true,
    fresh: true,
    query: z.object({ ...names, id: id(), ...createdBy }).check(eitherName),
    result: changedRecord,
  }),
  resetFactors: route({
    feature: 'users',
    summary: "Remove a user's second factors, passkeys and recovery codes, and end the user's sessions",
    base: 'api',
    method: 'DELETE',
    path: '/user/factors',
    permission: 'users.write',
    fresh: true,
    query: byId.extend(updatedBy),
    result: changedRecord,
  }),
  delete: route({
    feature: 'users',
    summary: "Delete a user and end the user's sessions; the names are free again",
    base: 'api',
    method: 'PUT',
    path: '/users/softdelete',
    permission: 'users.delete',
    fresh: true,
    query: byId.extend({
      /** For the audit trail. The console sends none (SPEC §2.11). */
      reason: optionalText(1000, tooLong('Reason', 1000)),
      ...deletedBy,
    }),
    result: changedRecord,
  }),
};
