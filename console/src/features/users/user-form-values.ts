import { DEFAULT_DEA_NUMBER, NO_CLINICAL_ROLE } from '@apotheca/contract/user-form';
import type { User } from '@apotheca/contract/users';
import type { UserFormInput } from './user-form-types.ts';

/** Values of the form for a new user (SPEC §3, §9). */
const NEW_USER: UserFormInput = {
  userName: '',
  email: '',
  password: '',
  confirmPassword: '',
  fName: '',
  mi: '',
  lName: '',
  title: '',
  deaNumber: DEFAULT_DEA_NUMBER,
  phone: '',
  notes: '',
  clinicalRoleId: '',
  roleId: '',
  isActive: true,
};

/** The initial values of the form. @param user absent: a new one */
export function userFormValues(user?: User): UserFormInput {
  if (!user) return NEW_USER;
  const { userName, email, fName, mi, lName, title, deaNumber, phone, notes, roleId, isActive } = user;
  const kept = { userName, email, fName, mi, lName, title, deaNumber, phone, notes, roleId, isActive };
  return { ...NEW_USER, ...kept, clinicalRoleId: clinicalRoleChoice(user.clinicalRoleId) };
}

/** A select has no null. */
export const clinicalRoleChoice = <Id>(id: Id) => id ?? NO_CLINICAL_ROLE;
