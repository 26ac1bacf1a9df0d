import type { TenantFormInput } from '@apotheca/contract/tenants';

/** A tenant as the form would send it. */
export function tenantInput(code: string, fields: Partial<TenantFormInput> = {}): TenantFormInput {
  return {
    code,
    databaseName: code,
    customerCode: `Clinic ${code}`,
    firstName: 'Ines',
    lastName: 'Moreau',
    email: 'ines@silverlake.test',
    phone: '(425) 555-0134',
    emrId: 'athenahealth',
    timezoneId: 'America/Los_Angeles',
    ...fields,
  };
}
