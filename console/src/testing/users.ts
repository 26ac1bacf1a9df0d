import { type User, type UserOptions, userOptions, user as userSchema } from '@apotheca/contract/users';
import { signedIn } from './session.ts';

const ADMINISTRATOR = '00000000-0000-4000-8000-0000000000a1';
const VIEWER = '00000000-0000-4000-8000-0000000000a3';

/** The choices of the user form's selects, checked against the contract. */
export const USER_OPTIONS: UserOptions = userOptions.parse({
  clinicalRoles: [
    { id: 'pharmacist', roleDescription: 'Pharmacist' },
    { id: 'physician', roleDescription: 'Physician' },
  ],
  roles: [
    { id: ADMINISTRATOR, roleName: 'Administrator' },
    { id: VIEWER, roleName: 'Viewer' },
  ],
});
export const ROLE_IDS = { administrator: ADMINISTRATOR, viewer: VIEWER };

let made = 0;

/** A user as the list gives it, checked against the contract. */
export function makeUser(fields: Partial<User> = {}): User {
  made += 1;
  return userSchema.parse({
    id: `00000000-0000-4000-a000-${String(made).padStart(12, '0')}`,
    spSRXID: `SPSRX-${made}`,
    userName: `user${made}`,
    fName: 'Grace',
    lName: 'Hopper',
    mi: 'B',
    title: 'PharmD',
    deaNumber: 'NA',
    isActive: true,
    email: `user${made}@apotheca.test`,
    phone: '(217) 555-0142',
    notes: '',
    clinicalRoleId: 'pharmacist',
    roleId: VIEWER,
    role: { roleName: 'Viewer' },
    hasPassword: true,
    isService: false,
    hasSecondFactor: false,
    version: 3,
    createdBy: null,
    updatedBy: null,
    deletedBy: null,
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    ...fields,
  });
}

/** A service account: a user without person, e-mail address and password. */
export const makeService = (fields: Partial<User> = {}): User => {
  const nobody = { fName: '', lName: '', mi: '', title: '', email: '', phone: '', clinicalRoleId: null };
  return makeUser({ ...nobody, hasPassword: false, isService: true, ...fields });
};

/** The signed-in user as the seed makes them: without a clinical role. */
export const makeOwnUser = (fields: Partial<User> = {}): User =>
  makeUser({
    id: signedIn().id,
    userName: 'ada',
    email: 'ada@apotheca.test',
    fName: 'Ada',
    mi: '',
    lName: 'Byron',
    clinicalRoleId: null,
    roleId: ADMINISTRATOR,
    role: { roleName: 'Administrator' },
    ...fields,
  });
