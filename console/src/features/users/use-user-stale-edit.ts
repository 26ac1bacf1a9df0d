import { newUserForm } from '@apotheca/contract/user-form';
import type { User, UserOptions } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { type StaleEdit, useStaleEdit } from '../../forms/use-stale-edit.tsx';
import type { UserZodForm } from './user-form-types.ts';
import { clinicalRoleChoice } from './user-form-values.ts';

interface UserStaleEditOptions {
  form: UserZodForm;
  /** Absent for a new user. */
  user?: User;
  /** Absent until loaded. */
  options?: UserOptions;
  /** Loads the options anew: they may lack a role that was given meanwhile. */
  onStale: () => void;
}

/** Merges other users' changes to a user into the form, and names them in the form's words. */
export function useUserStaleEdit({ form, user, options, onStale }: UserStaleEditOptions): StaleEdit {
  const { t } = useTranslation();
  function labelOf(field: string): string {
    const name = newUserForm.keyof().options.find((one) => one === field);
    return name ? t(`users.fields.${name}`) : field;
  }
  function wordsOf(field: string, value: unknown): string | undefined {
    if (field === 'roleId') return options?.roles.find(({ id }) => id === value)?.roleName;
    if (field === 'clinicalRoleId' && value === null) return t('users.noClinicalRole');
    if (field === 'clinicalRoleId') return options?.clinicalRoles.find(({ id }) => id === value)?.roleDescription;
    if (field === 'isActive') return t(value === true ? 'users.active' : 'users.inactive');
    return undefined;
  }
  const formValueOf = (field: string, value: unknown) =>
    field === 'clinicalRoleId' ? clinicalRoleChoice(value) : value;
  return useStaleEdit({ form, version: user?.version, labelOf, wordsOf, formValueOf, onStale });
}
