import { z } from 'zod';
import { optionalPassword, requiredPassword } from './auth.ts';
import { createdBy, deletedBy, recordStamps, updatedBy } from './caller-stamp.ts';
import { byId, changedRecord, isActive, tooLong, whenValid } from './fields.ts';
import { route } from './route.ts';
import { asName, asValue, type RowOrder } from './row-order.ts';
import { listQuery } from './sorting.ts';
import { id, optionalName, optionalText, requiredText } from './text.ts';
import { sentVersion } from './version.ts';

/** Length limits of SPEC §5, in UTF-16 units. */
export const USER_LIMITS = {
  userName: 20,
  email: 100,
  fName: 40,
  lName: 40,
  mi: 1,
  title: 15,
  deaNumber: 20,
  phone: 30,
  notes: 4000,
} as const;

const LIMITS = USER_LIMITS;

/** What a form sends for 'None', which is a choice, unlike an empty field. It is stored and answered as null. */
export const NO_CLINICAL_ROLE = 'none';

/** The NPI of a user for whom none was given (SPEC §9). */
export const DEFAULT_DEA_NUMBER = 'NA';

const userName = optionalName(LIMITS.userName, 'User Name', 'User Name can not be more than 20 characters');
const email = optionalText(LIMITS.email, tooLong('Email', LIMITS.email)).refine(
  (value) => value === '' || z.email().safeParse(value).success,
  'Please enter a valid Email',
);

const names = { userName, email };
const title = optionalText(LIMITS.title, tooLong('Credentials', LIMITS.title));
const clinicalRoleId = requiredText(100, 'Clinical Role is Required', tooLong('Clinical Role', 100))
  .nullable()
  .transform((value) => (value === NO_CLINICAL_ROLE ? null : value));

/** The fields that people may also change of their own record. */
export const nameFields = {
  fName: requiredText(LIMITS.fName, 'First Name is required', tooLong('First Name', LIMITS.fName)),
  lName: requiredText(LIMITS.lName, 'Last Name is required', tooLong('Last Name', LIMITS.lName)),
  phone: optionalText(LIMITS.phone, tooLong('Phone', LIMITS.phone)),
};

const fields = {
  ...names,
  ...nameFields,
  mi: optionalText(LIMITS.mi, 'Middle Initial should not be more than 1 character'),
  title,
  notes: optionalText(LIMITS.notes, tooLong('Notes', LIMITS.notes)),
  clinicalRoleId,
  roleId: id('User Role is Required'),
};
const deaNumber = requiredText(LIMITS.deaNumber, 'NPI is Required', tooLong('NPI', LIMITS.deaNumber));
const confirmPassword = z.string({ error: 'Confirm Password is Required' });

const newPassword = {
  password: requiredPassword('Password is Required'),
  confirmPassword: confirmPassword.min(1, 'Confirm Password is Required'),
};
/** An edit without a password keeps the one there is. */
const changedPassword = { password: optionalPassword, confirmPassword: confirmPassword.nullish() };

/** A user needs a name to sign in with: user name or email (SPEC §5). */
const eitherName = z.superRefine<{ userName?: string | undefined; email?: string | undefined }>((user, context) => {
  if (user.userName !== '' || user.email !== '') return;
  context.addIssue({ code: 'custom', path: ['userName'], message: 'User Name or Email is Required' });
  context.addIssue({ code: 'custom', path: ['email'], message: 'Email or User Name is required' });
}, whenValid(names));

/** A clinical role requires credentials (SPEC §5). */
const credentials = z.superRefine<{ title?: string | undefined; clinicalRoleId: string | null }>((user, context) => {
  if (user.title !== '' || user.clinicalRoleId === null) return;
  context.addIssue({ code: 'custom', path: ['title'], message: 'Credentials are required' });
}, whenValid({ title }));

export const matchingPasswords = z.superRefine<{ password: string; confirmPassword?: string | null | undefined }>(
  ({ password, confirmPassword }, context) => {
    const message = confirmPassword ? 'Passwords must match' : 'Confirm Password is Required';
    const isRefused = context.issues.some(({ path }) => path?.[0] === 'confirmPassword');
    if (isRefused || password === (confirmPassword ?? '')) return;
    context.addIssue({ code: 'custom', path: ['confirmPassword'], message });
  },
  whenValid({ password: z.string(), confirmPassword: z.string().nullish() }),
);

const creation = {
  ...fields,
  ...newPassword,
  deaNumber: deaNumber.default(DEFAULT_DEA_NUMBER),
  isActive: isActive.default(true),
};
/** Whether the user is active has calls of its own (SPEC §4). */
const edit = { ...fields, ...changedPassword, deaNumber: deaNumber.optional() };
/** An edit keeps what it does not name. Null empties a text as an empty one does. */
const editedFields = z.object({
  ...edit,
  userName: userName.optional(),
  email: email.optional(),
  phone: fields.phone.optional(),
  mi: fields.mi.optional(),
  title: title.optional(),
  notes: fields.notes.optional(),
});

/** The user form in create and in edit mode: every limit and message of SPEC §5. */
export const newUserForm = z.object(creation).check(eitherName, credentials, matchingPasswords);
export const editUserForm = z.object(edit).check(eitherName, credentials, matchingPasswords);

/** A user as a CSV file has one: without a password. */
export const userImportForm = z
  .object({ ...fields, deaNumber: deaNumber.default(DEFAULT_DEA_NUMBER) })
  .check(eitherName, credentials);
export type UserImportFields = z.output<typeof userImportForm>;

export type NewUser = z.output<typeof newUserForm>;
/** The fields of an edit. What it does not name stays as it is. */
export type UserEdit = z.output<typeof editedFields>;

/** The rules about several fields, for a user of whom an edit names some. */
export const wholeUser = z
  .object({ userName: z.string(), email: z.string(), title: z.string(), clinicalRoleId: z.string().nullable() })
  .check(eitherName, credentials);

/** The messages for a duplicate with a name that the copied user or another one has, by field (SPEC §5). */
export const EXISTING_NAME_MESSAGES = {
  userName: 'Username should not be the same as the existing username',
  email: 'Email should not be the same as the existing email',
};

/** The duplicate-user dialog: names that differ from the copied user's. @param existing names of the copied user */
export const duplicateUserForm = (existing: { userName: string; email: string }) =>
  z
    .object({
      userName: userName.refine(
        (value) => value === '' || !isSame(value, existing.userName),
        EXISTING_NAME_MESSAGES.userName,
      ),
      email: email.refine((value) => value === '' || !isSame(value, existing.email), EXISTING_NAME_MESSAGES.email),
    })
    .check(eitherName);

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

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
    summary: "Deactivate a user and end the user's sessions",
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
