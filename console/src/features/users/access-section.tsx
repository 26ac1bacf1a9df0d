import { NO_CLINICAL_ROLE } from '@apotheca/contract/user-form';
import type { User, UserOptions } from '@apotheca/contract/users';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../components/field/checkbox-field.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import type { UserFieldProps } from './user-fields.ts';
import type { UserZodForm } from './user-form-types.ts';
import { UserSection } from './user-section.tsx';

interface AccessSectionProps {
  form: UserZodForm;
  fields: UserFieldProps;
  options: UserOptions;
  /** Absent for a new user. */
  user?: User;
  /** The user is the one who is signed in. */
  isOwn: boolean;
}

/** Role, credentials and state of the user. */
export function AccessSection({ form, fields, options, user, isOwn }: AccessSectionProps) {
  const { t } = useTranslation();
  const { mode } = fields;
  const clinicalRoles = [
    { value: NO_CLINICAL_ROLE, label: t('users.noClinicalRole') },
    ...options.clinicalRoles.map(({ id, roleDescription }) => ({ value: id, label: roleDescription })),
  ];
  const roleHint = t(isOwn ? 'users.hints.ownRole' : 'users.hints.role');
  const role = {
    options: options.roles.map(({ id, roleName }) => ({ value: id, label: roleName })),
    hint: mode === 'edit' ? roleHint : undefined,
  };
  const activeHint = t(isOwn ? 'users.hints.ownActive' : 'users.hints.active');
  return (
    <UserSection name="access">
      <SelectField {...fields.choice('clinicalRoleId')} options={clinicalRoles} />
      {isOwn ? (
        <SelectField {...fields.shown('roleId')} {...role} />
      ) : (
        // Controlled, as a native select drops a value whose option is not loaded yet.
        <Controller
          control={form.control}
          name="roleId"
          render={({ field }) => <SelectField {...fields.role()} {...role} {...field} />}
        />
      )}
      {user && <TextField label={t('users.fields.spSRXID')} value={user.spSRXID} readOnly />}
      {user ? (
        <ActiveShown isActive={user.isActive} hint={mode === 'edit' ? activeHint : undefined} />
      ) : (
        <CheckboxField {...fields.check('isActive')} className="field-check" />
      )}
    </UserSection>
  );
}

/** An existing user is activated and deactivated in the list, not in the form (SPEC §4). */
function ActiveShown({ isActive, hint }: { isActive: boolean; hint?: string }) {
  const { t } = useTranslation();
  return (
    <CheckboxField
      label={t('users.fields.isActive')}
      checked={isActive}
      readOnly
      disabled
      hint={hint}
      className="field-check"
    />
  );
}
