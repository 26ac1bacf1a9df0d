import { useTranslation } from 'react-i18next';
import { CheckboxField } from '../../../components/field/checkbox-field.tsx';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextAreaField } from '../../../components/field/text-area-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import type { TenantLookups } from './tenant-form-values.ts';
import { TimezoneField } from './timezone-field.tsx';
import { UnboundChoice, UnboundGroup, UnboundNotes } from './unbound-fields.tsx';

interface OtherDetailsSectionProps {
  fields: TenantFieldProps;
  lookups: TenantLookups;
}

const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });

/** The customer's system, status and screen settings. */
export function OtherDetailsSection({ fields, lookups }: OtherDetailsSectionProps) {
  const { t } = useTranslation();
  const unbound = (
    <UnboundGroup>
      <UnboundChoice name="type" />
      <UnboundChoice name="loginType" />
      <UnboundNotes name="instanceNotes" />
      <UnboundNotes name="integrationNotes" />
      <UnboundNotes name="loginDetails" />
    </UnboundGroup>
  );
  return (
    <FormSection id="other" unbound={unbound}>
      <SelectField {...fields.choice('emrId')} options={lookups.emrs.map(named)} />
      <TimezoneField {...fields.timezone()} zones={lookups.timezones} />
      <SelectField
        {...fields.choice('tenantStatusId')}
        hint={t('tenants.hints.tenantStatusId')}
        options={lookups.statuses.map(named)}
      />
      <CheckboxField {...fields.check('isActive')} className="field-check" />
      <TextField {...fields.text('name')} hint={t('tenants.hints.name')} />
      <TextField {...fields.text('subdomain')} />
      <TextField {...fields.text('logoUrl')} type="url" />
      <TextField {...fields.text('colorScheme')} />
      <TextAreaField {...fields.text('configuration')} className="field-wide" spellCheck={false} />
    </FormSection>
  );
}
