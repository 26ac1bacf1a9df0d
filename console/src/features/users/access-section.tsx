import { NO_CLINICAL_ROLE } from '@apotheca/contract/user-form';
import type { User, UserOptions } from '@apotheca/contract/users';
import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../components/field/checkbox-field.tsx';
import { SelectField } from '../../components/field/select-field.tsx';
import { TextField } from '../../components/field/text-field.tsx';
import type { UserFieldProps } from './user-fields.ts';
import { UserSection } from './user-section.tsx';

interface AccessSectionProps {
  fields: UserFieldProps;
  options: UserOptions;
  /** Absent for a new user. */
  user?: User;
  /** The user is the one who is signed in. */
  isOwn: boolean;
}

/** Role, credentials and state of the user. */
export function AccessSection({ fields, options, user, isOwn }: AccessSectionProps) {
  const { t } = useTranslation();
  const { mode } = fields;
  const clinicalRoles = [
    { value: NO_CLINICAL_ROLE, label: t('users.noClinicalRole') },
    ...options.clinicalRoles.map(({ id, roleDescription }) => ({ value: id, label: roleDescription })),
  ];
  const roles = options.roles.map(({ id, roleName }) => ({ value: id, label: roleName }));
  const roleHint = t(isOwn ? 'users.hints.ownRole' : 'users.hints.role');
  const activeHint = t(isOwn ? 'users.hints.ownActive' : 'users.hints.active');
  return (
    <UserSection name="access">
      <SelectField {...fields.choice('clinicalRoleId')} options={clinicalRoles} />
      <SelectField
        {...(isOwn ? fields.shown('roleId') : fields.choice('roleId'))}
        options={roles}
        hint={mode === 'edit' ? roleHint : undefined}
      />
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
