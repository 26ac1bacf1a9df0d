import type { Tenant } from '@apotheca/contract/tenants';
import { useTranslation } from 'react-i18next';
import { useListDatabaseServersQuery } from '../../../api/databaseservers.ts';
import { SelectField } from '../../../components/field/select-field.tsx';
import { TextField } from '../../../components/field/text-field.tsx';
import { FormSection } from './form-section.tsx';
import type { TenantFieldProps } from './tenant-fields.ts';
import type { TenantZodForm } from './tenant-form-types.ts';
import { UnboundGroup, UnboundNotes } from './unbound-fields.tsx';

interface DatabaseInfoSectionProps {
  form: TenantZodForm;
  fields: TenantFieldProps;
  /** Absent for a new tenant. */
  tenant?: Tenant;
}

/** The tenant's database and its version. */
export function DatabaseInfoSection({ form, fields, tenant }: DatabaseInfoSectionProps) {
  const { t } = useTranslation();
  const unbound = (
    <UnboundGroup>
      <UnboundNotes name="connectionInfo" />
      <UnboundNotes name="databaseNotes" />
      <UnboundNotes name="securityNotes" />
    </UnboundGroup>
  );
  return (
    <FormSection id="database" unbound={unbound}>
      {/* Not registered, as the form leaves disabled fields out of its values. */}
      <TextField
        {...fields.shown('databaseName')}
        className="field-code"
        hint={t('tenants.hints.databaseName')}
        value={form.watch('databaseName') ?? ''}
        disabled
      />
      {!tenant && <ServerChoice fields={fields} />}
      <TextField {...fields.text('tenantVersion')} />
      <TextField {...fields.text('tenantApiUrl')} type="url" className="field-wide" />
      {tenant && (
        <TextField
          label={t('tenants.fields.connectionString')}
          hint={t('tenants.hints.connectionString')}
          className="field-wide field-code"
          value={tenant.connectionString}
          readOnly
        />
      )}
    </FormSection>
  );
}

/** Where the database of a new tenant is to live. There is nothing to choose where one server takes new tenants. */
function ServerChoice({ fields }: { fields: TenantFieldProps }) {
  const { t } = useTranslation();
  const { data: servers = [] } = useListDatabaseServersQuery();
  const active = servers.filter(({ state }) => state === 'active');
  if (active.length < 2) return null;
  const options = active.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SelectField
      {...fields.choice('databaseServerId')}
      emptyLabel={t('tenants.modal.roomiestServer')}
      options={options}
    />
  );
}
