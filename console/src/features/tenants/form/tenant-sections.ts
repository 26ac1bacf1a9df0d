import { tenantForm } from '@apotheca/contract/tenant-form';
import { fieldError } from '../../../components/form/form.tsx';
import type { SectionId } from './form-section.tsx';
import type { FieldName } from './tenant-fields.ts';
import type { TenantZodForm } from './tenant-form-types.ts';

/** The section that contains each field. */
export const SECTION_OF: Record<FieldName, SectionId> = {
  customerCode: 'contact',
  code: 'contact',
  firstName: 'contact',
  lastName: 'contact',
  email: 'contact',
  phone: 'contact',
  addressLine1: 'address',
  addressLine2: 'address',
  addressLine3: 'address',
  city: 'address',
  state: 'address',
  zipCode: 'address',
  emrId: 'other',
  timezoneId: 'other',
  tenantStatusId: 'other',
  isActive: 'other',
  name: 'other',
  subdomain: 'other',
  logoUrl: 'other',
  colorScheme: 'other',
  configuration: 'other',
  databaseName: 'database',
  databaseServerId: 'database',
  tenantVersion: 'database',
  tenantApiUrl: 'database',
  subscriptionLevel: 'license',
  licenseCount: 'license',
  subscriptionStartDate: 'license',
  subscriptionEndDate: 'license',
};

/** The sections with a visible error. */
export const sectionsWithErrors = (form: TenantZodForm): ReadonlySet<SectionId> =>
  new Set(
    tenantForm
      .keyof()
      .options.filter((name) => fieldError(form, name) !== undefined)
      .map((name) => SECTION_OF[name]),
  );
