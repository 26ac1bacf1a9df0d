import { useTranslation } from 'react-i18next';
import { TextField } from '../../../components/field/text-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import { UnboundChoice, UnboundGroup } from './unbound-fields.tsx';

/** Display-only numbers of SPEC §9. */
const SHOWN_NUMBERS = { users: 200, providers: 500, locations: 50 } as const;

/** The tenant's licence and its end. */
export function LicenceInfoSection({ fields }: { fields: TenantFieldProps }) {
  const { t } = useTranslation();
  const unbound = (
    <UnboundGroup>
      <UnboundChoice name="licenseType" />
      <TextField label={t('tenants.fields.users')} value={SHOWN_NUMBERS.users} readOnly />
      <TextField label={t('tenants.fields.providers')} value={SHOWN_NUMBERS.providers} readOnly />
      <TextField label={t('tenants.fields.locations')} value={SHOWN_NUMBERS.locations} readOnly />
    </UnboundGroup>
  );
  return (
    <FormSection id="license" unbound={unbound}>
      <TextField {...fields.text('subscriptionLevel')} />
      <TextField {...fields.number('licenseCount')} />
      <TextField {...fields.date('subscriptionStartDate')} />
      <TextField {...fields.date('subscriptionEndDate')} />
    </FormSection>
  );
}
