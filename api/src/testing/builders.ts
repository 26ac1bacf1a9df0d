import type { BodyInput } from '@apotheca/contract/route';
import type { TenantFormInput } from '@apotheca/contract/tenant-form';
import type { userRoutes } from '@apotheca/contract/users';

type UserInput = BodyInput<typeof userRoutes.create>;

/** A tenant as the form sends it. */
export function tenantInput(code: string, fields: Partial<TenantFormInput> = {}): TenantFormInput {
  return {
    code,
    databaseName: code,
    customerCode: `Clinic ${code}`,
    firstName: 'Ines',
    lastName: 'Moreau',
    email: 'ines@silverlake.test',
    phone: '(425) 555-0134',
    emrId: 'athenahealth',
    timezoneId: 'America/Los_Angeles',
    ...fields,
  };
}

/** A user as the form sends it. */
export function userInput(userName: string, roleId: string, fields: Partial<UserInput> = {}): UserInput {
  return {
    userName,
    email: '',
    password: 'correct horse',
    confirmPassword: 'correct horse',
    fName: 'Ines',
    lName: 'Moreau',
    title: 'PharmD',
    clinicalRoleId: 'pharmacist',
    roleId,
    ...fields,
  };
}

/** The same as the edit form sends it, without a password. */
export function editedUser(userName: string, roleId: string) {
  const { password: _, confirmPassword: __, ...kept } = userInput(userName, roleId);
  return kept;
}
