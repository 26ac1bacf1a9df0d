import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { FormGrid } from '../../../components/form/form-view.tsx';

/** The choices of SPEC §2.7, by the keys of their texts. */
const CHOICES = {
  type: ['types.prod', 'types.test', 'types.training'],
  loginType: ['loginTypes.portal', 'loginTypes.google', 'loginTypes.microsoft', 'loginTypes.sso'],
  licenseType: ['licenseTypes.provider', 'licenseTypes.user', 'licenseTypes.location'],
} as const;

type NotesName =
  | 'instanceNotes'
  | 'integrationNotes'
  | 'loginDetails'
  | 'connectionInfo'
  | 'databaseNotes'
  | 'securityNotes';

/**
 * Fields that SPEC §2.7 shows without binding them to data. They are disabled and say so, so that nobody types a note
 * that is lost.
 */
export function UnboundGroup({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const hintId = useId();
  return (
    <fieldset className="unbound-group" aria-describedby={hintId}>
      <legend>{t('tenants.modal.notSaved')}</legend>
      <p className="form-text" id={hintId}>
        {t('tenants.modal.notSavedHint')}
      </p>
      <FormGrid>{children}</FormGrid>
    </fieldset>
  );
}

export function UnboundNotes({ name }: { name: NotesName }) {
  const { t } = useTranslation();
  return <TextAreaField label={t(`tenants.unbound.${name}`)} rows={2} disabled />;
}

export function UnboundChoice({ name }: { name: keyof typeof CHOICES }) {
  const { t } = useTranslation();
  const options = CHOICES[name].map((key) => ({ value: key, label: t(`tenants.unbound.${key}`) }));
  return <SelectField label={t(`tenants.unbound.${name}`)} options={options} disabled />;
}
