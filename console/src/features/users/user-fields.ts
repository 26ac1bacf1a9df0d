import { editUserForm, NO_CLINICAL_ROLE, newUserForm, type USER_LIMITS } from '@apotheca/contract/user-form';
import { useTranslation } from 'react-i18next';
import { fieldError } from '../../components/form/form.tsx';
import { requiredFields } from '../../components/form/required-fields.ts';
import type { UserMode, UserZodForm } from './user-form-types.ts';

type FieldName = keyof typeof newUserForm.shape;
type TextName = Exclude<keyof typeof USER_LIMITS, 'deaNumber'>;

const REQUIRED = { create: requiredFields(newUserForm), edit: requiredFields(editUserForm), view: new Set<string>() };

/**
 * One of the two is enough (SPEC §5), and the passwords must match, so a change of one field validates the other too.
 */
const PARTNERS: Partial<Record<FieldName, FieldName[]>> = {
  userName: ['email'],
  email: ['userName'],
  password: ['confirmPassword'],
  clinicalRoleId: ['title'],
};

/** Gives each field of the user form its label, message and registration, by the field's name. */
export function useUserFields(form: UserZodForm, mode: UserMode) {
  const { t } = useTranslation();
  const readOnly = mode === 'view';
  // Credentials are only for clinical roles.
  const needsTitle = mode !== 'view' && form.watch('clinicalRoleId') !== NO_CLINICAL_ROLE;
  const field = (name: FieldName) => ({
    label: t(`users.fields.${name}`),
    error: fieldError(form, name),
    required: REQUIRED[mode].has(name) || (name === 'title' && needsTitle),
  });
  return {
    mode,
    readOnly,
    /** Props of a text field. No `maxLength`: it silently cuts a pasted text; the message says what is too long. */
    text: (name: TextName) => ({
      ...field(name),
      ...form.register(name, { deps: PARTNERS[name] }),
      autoComplete: 'off',
    }),
    password: (name: 'password' | 'confirmPassword') => ({
      ...field(name),
      ...form.register(name, { deps: PARTNERS[name] }),
      autoComplete: 'new-password',
    }),
    /** The password as it is typed, and words that it should not be made of. */
    newPassword: () => {
      const [password = '', ...related] = form.watch(['password', 'userName', 'email', 'fName', 'lName']);
      return { password: password ?? '', related: related.map((word) => word ?? '') };
    },
    choice: (name: 'clinicalRoleId') => ({
      ...field(name),
      ...form.register(name, { deps: PARTNERS[name] }),
    }),
    /** Props of the role's select but those of its control. */
    role: () => field('roleId'),
    check: (name: 'isActive') => ({ label: field(name).label, ...form.register(name) }),
    /**
     * Props of a field that shows a value of the form and cannot be changed: the form leaves disabled fields out of its
     * values.
     */
    shown: (name: 'deaNumber' | 'roleId') => ({
      ...field(name),
      required: false,
      value: form.watch(name) ?? '',
      disabled: true,
    }),
  };
}

export type UserFieldProps = ReturnType<typeof useUserFields>;
