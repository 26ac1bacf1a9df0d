import { TENANT_LIMITS } from '@apotheca/contract/tenant-form';
import { type Tenant, tenant as tenantSchema } from '@apotheca/contract/tenants';

export const STATUSES = [
  { id: 'new', name: 'New' },
  { id: 'onboarding', name: 'Onboarding' },
  { id: 'live', name: 'Live' },
  { id: 'suspended', name: 'Suspended' },
  { id: 'closed', name: 'Closed' },
];
export const EMRS = [
  { id: 'athenahealth', name: 'athenahealth' },
  { id: 'epic', name: 'Epic' },
  { id: 'none', name: 'None' },
];
export const TIMEZONES = [
  { id: 'America/Chicago', displayName: '(UTC-06:00) America/Chicago' },
  { id: 'Europe/Vienna', displayName: '(UTC+01:00) Europe/Vienna' },
  { id: 'UTC', displayName: '(UTC+00:00) UTC' },
];

let made = 0;

/** A tenant as the list gives it, checked against the contract. */
export function makeTenant(fields: Partial<Tenant> = {}): Tenant {
  made += 1;
  const code = fields.code ?? `TENANT${made}`;
  const texts = Object.fromEntries(Object.keys(TENANT_LIMITS).map((field) => [field, '']));
  return tenantSchema.parse({
    ...texts,
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    customerCode: `Customer ${made}`,
    firstName: 'Maya',
    lastName: 'Ortiz',
    email: 'maya@customer.test',
    phone: '(217) 555-0142',
    city: 'Springfield',
    state: 'IL',
    addressLine1: '12 Elm Street',
    zipCode: '62701',
    databaseName: code,
    timezoneId: 'America/Chicago',
    emrId: 'athenahealth',
    tenantStatusId: 'live',
    subscriptionLevel: 'Monthly',
    subscriptionStartDate: '2026-01-01',
    subscriptionEndDate: '2099-01-01',
    postponedTo: null,
    isActive: true,
    licenseCount: 5,
    connectionString: 'postgresql://tenant_1@127.0.0.1:5432/db_1',
    version: 1,
    createdBy: null,
    updatedBy: null,
    createdOnUtc: '2026-02-03T12:00:00.000Z',
    emr: { name: 'athenahealth' },
    timezone: { displayName: '(UTC-06:00) America/Chicago' },
    tenantStatus: { name: 'Live' },
    ...fields,
    code,
  });
}
