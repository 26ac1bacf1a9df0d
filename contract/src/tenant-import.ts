import { type ImportColumn, importRoutes } from './imports.ts';
import { DEFAULT_SUBSCRIPTION_LEVEL, DEFAULT_TENANT_STATUS, type TenantFormInput } from './tenant-form.ts';

/** The columns of a CSV file of tenants. */
export const TENANT_IMPORT_COLUMNS = [
  { field: 'code', heading: 'Tenant Code', needed: 'key', example: 'ACME' },
  { field: 'customerCode', heading: 'Customer Name/Code', needed: 'new', example: 'Acme Clinics' },
  { field: 'name', heading: 'Name', example: 'Acme Clinics' },
  { field: 'firstName', heading: 'First Name', needed: 'new', example: 'Ada' },
  { field: 'lastName', heading: 'Last Name', needed: 'new', example: 'Jensen' },
  { field: 'email', heading: 'Email', needed: 'new', example: 'ada.jensen@example.com' },
  { field: 'phone', heading: 'Phone', needed: 'new', example: '(425) 555-0134' },
  { field: 'addressLine1', heading: 'Address Line 1', example: '1 Main Street' },
  { field: 'addressLine2', heading: 'Address Line 2', example: '' },
  { field: 'addressLine3', heading: 'Address Line 3', example: '' },
  { field: 'city', heading: 'City', example: 'Seattle' },
  { field: 'state', heading: 'State', example: 'WA' },
  { field: 'zipCode', heading: 'Zip Code', example: '98101' },
  { field: 'emrId', heading: 'EMR', needed: 'new', type: 'choice', example: 'athenahealth' },
  { field: 'timezoneId', heading: 'Time Zone', needed: 'new', type: 'choice', example: 'America/Los_Angeles' },
  { field: 'tenantStatusId', heading: 'Status', type: 'choice', example: DEFAULT_TENANT_STATUS },
  { field: 'databaseName', heading: 'Database Name', example: 'ACME' },
  { field: 'tenantVersion', heading: 'API Version', example: '' },
  { field: 'tenantApiUrl', heading: 'API URL', example: '' },
  { field: 'configuration', heading: 'Configuration', example: '' },
  { field: 'subdomain', heading: 'Subdomain', example: '' },
  { field: 'logoUrl', heading: 'Logo URL', example: '' },
  { field: 'colorScheme', heading: 'Color Scheme', example: '' },
  { field: 'subscriptionLevel', heading: 'Subscription Level', example: DEFAULT_SUBSCRIPTION_LEVEL },
  { field: 'subscriptionStartDate', heading: 'Start Date', type: 'day', example: '' },
  { field: 'subscriptionEndDate', heading: 'Expiry Date', type: 'day', example: '' },
  { field: 'licenseCount', heading: 'License Count', type: 'number', example: '10' },
  { field: 'isActive', heading: 'Active', type: 'flag', example: 'yes' },
] as const satisfies readonly (ImportColumn & { field: keyof TenantFormInput })[];

export const tenantImportRoutes = importRoutes({
  feature: 'tenants',
  noun: 'tenants',
  path: '/tenant',
  permission: 'tenants.write',
});
