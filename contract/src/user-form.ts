import { z } from 'zod';
import { confirmPassword, EMAIL_MAX, optionalPassword, requiredPassword } from './auth.ts';
import { isActive, tooLong, whenValid } from './fields.ts';
import { id, optionalName, optionalText, requiredText } from './text.ts';

/** Length limits of SPEC §5, in UTF-16 units. */
export const USER_LIMITS = {
  userName: 20,
  email: EMAIL_MAX,
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

export const names = { userName, email };
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

const newPassword = {
  password: requiredPassword('Password is Required'),
  confirmPassword: confirmPassword.min(1, 'Confirm Password is Required'),
};
/** An edit without a password keeps the one there is. */
const changedPassword = { password: optionalPassword, confirmPassword: confirmPassword.nullish() };

/** A user needs a name to sign in with: user name or email (SPEC §5). */
export const eitherName = z.superRefine<{ userName?: string | undefined; email?: string | undefined }>(
  (user, context) => {
    if (user.userName !== '' || user.email !== '') return;
    context.addIssue({ code: 'custom', path: ['userName'], message: 'User Name or Email is Required' });
    context.addIssue({ code: 'custom', path: ['email'], message: 'Email or User Name is required' });
  },
  whenValid(names),
);

/** A clinical role requires credentials (SPEC §5). */
export const credentials = z.superRefine<{ title?: string | undefined; clinicalRoleId: string | null }>(
  (user, context) => {
    if (user.title !== '' || user.clinicalRoleId === null) return;
    context.addIssue({ code: 'custom', path: ['title'], message: 'Credentials are required' });
  },
  whenValid({ title }),
);

export const matchingPasswords = z.superRefine<{ password: string; confirmPassword?: string | null | undefined }>(
  ({ password, confirmPassword }, context) => {
    const message = confirmPassword ? 'Passwords must match' : 'Confirm Password is Required';
    const isRefused = context.issues.some(({ path }) => path?.[0] === 'confirmPassword');
    if (isRefused || password === (confirmPassword ?? '')) return;
    context.addIssue({ code: 'custom', path: ['confirmPassword'], message });
  },
  whenValid({ password: z.string(), confirmPassword: z.string().nullish() }),
);

export const creation = {
  ...fields,
  ...newPassword,
  deaNumber: deaNumber.default(DEFAULT_DEA_NUMBER),
  isActive: isActive.default(true),
};
/** Whether the user is active has calls of its own (SPEC §4). */
const edit = { ...fields, ...changedPassword, deaNumber: deaNumber.optional() };
/** An edit keeps what it does not name. Null empties a text as an empty one does. */
export const editedFields = z.object({
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
