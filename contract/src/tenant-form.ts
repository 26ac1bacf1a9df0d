import { z } from 'zod';
import { databaseName } from './database-name.ts';
import { isActive, tooLong, whenValid } from './fields.ts';
import { calendarDay, isTypedName, optionalText, requiredName, requiredText } from './text.ts';

/** Length limits of SPEC §5. */
export const TENANT_LIMITS = {
  code: 100,
  customerCode: 100,
  firstName: 256,
  lastName: 256,
  emrId: 256,
  email: 256,
  phone: 20,
  databaseName: 256,
  addressLine1: 256,
  addressLine2: 256,
  addressLine3: 256,
  city: 256,
  state: 50,
  zipCode: 10,
  tenantVersion: 50,
  name: 256,
  configuration: 10_000,
  subdomain: 63,
  logoUrl: 2048,
  colorScheme: 50,
  subscriptionLevel: 50,
  tenantApiUrl: 2048,
} as const;

const LIMITS = TENANT_LIMITS;
const optional = (field: keyof typeof LIMITS, label: string) =>
  optionalText(LIMITS[field], tooLong(label, LIMITS[field]));
const required = (field: keyof typeof LIMITS, label: string, message = `${label} is required`) =>
  requiredText(LIMITS[field], message, tooLong(label, LIMITS[field]));

/** A tenant code: upper case, 1 to 100 printable characters. */
const tenantCode = (message: string) => requiredName(LIMITS.code, 'Tenant Code', message);

/** The code that the duplicate-tenant dialog asks for. */
export const newTenantCode = tenantCode('Tenant code is Required');

/** A web address, or empty. Other protocols (javascript:, data:) could run a script in the page that shows the link. */
const webAddress = (field: 'logoUrl' | 'tenantApiUrl', label: string) =>
  optional(field, label).refine(
    (value) => value === '' || /^https?:\/\//i.test(value),
    `${label} must start with http:// or https://`,
  );

export const DEFAULT_SUBSCRIPTION_LEVEL = 'Monthly';
export const DEFAULT_SUBSCRIPTION_DAYS = 30;
/** Status of a new tenant (SPEC §4). */
export const DEFAULT_TENANT_STATUS = 'New';

export const licenseCount = z
  .int({ error: 'License Count must be a whole number' })
  .min(0, 'License Count must be at least 0')
  .max(1_000_000_000, 'License Count is too large');

export const EXPIRY_BEFORE_START = 'Expiry Date must not be before the Start Date';

const dates = {
  /** Absent: today. */
  subscriptionStartDate: calendarDay('Start Date must be a date').nullish(),
  /** Absent: today plus 30 days. */
  subscriptionEndDate: calendarDay('Expiry Date must be a date').nullish(),
};
type Dates = z.output<z.ZodObject<typeof dates>>;

/** The end is not before the start. Days as YYYY-MM-DD sort as texts. */
export const datesInOrder = z.superRefine<Dates>(
  ({ subscriptionStartDate: start, subscriptionEndDate: end }, context) => {
    if (!start || !end || end >= start) return;
    context.addIssue({ code: 'custom', path: ['subscriptionEndDate'], message: EXPIRY_BEFORE_START });
  },
  whenValid(dates),
);

const optionalTexts = {
  name: optional('name', 'Name'),
  addressLine1: optional('addressLine1', 'Address Line 1'),
  addressLine2: optional('addressLine2', 'Address Line 2'),
  addressLine3: optional('addressLine3', 'Address Line 3'),
  city: optional('city', 'City'),
  state: optional('state', 'State'),
  zipCode: optional('zipCode', 'Zip Code'),
  tenantVersion: optional('tenantVersion', 'API Version'),
  tenantApiUrl: webAddress('tenantApiUrl', 'API URL'),
  configuration: optional('configuration', 'Configuration'),
  subdomain: optional('subdomain', 'Subdomain'),
  logoUrl: webAddress('logoUrl', 'Logo URL'),
  colorScheme: optional('colorScheme', 'Color Scheme'),
  subscriptionLevel: optional('subscriptionLevel', 'Subscription Level'),
};

export const tenantFields = z.object({
  code: tenantCode('Tenant CODE is required'),
  customerCode: required('customerCode', 'Customer Name/Code'),
  firstName: required('firstName', 'First Name', 'Fist Name is required'),
  lastName: required('lastName', 'Last Name'),
  email: required('email', 'Email'),
  phone: required('phone', 'Phone Number'),
  emrId: required('emrId', 'EMR', 'EMR is required.'),
  timezoneId: requiredText(100, 'Time Zone is required.', tooLong('Time Zone', 100)),
  /** Absent or empty: the status named 'New'. */
  tenantStatusId: optionalText(100, tooLong('Status', 100)),
  databaseName: databaseName('Database Name is required.'),
  ...optionalTexts,
  ...dates,
  licenseCount: licenseCount.default(0),
  isActive: isActive.default(true),
});
/** Absent: the status stays. An edit cannot take it away. */
const keptStatus = {
  tenantStatusId: requiredText(100, 'Status is required', tooLong('Status', 100))
    .nullish()
    .transform((value) => value ?? ''),
};
/** The fields of an edit, which keeps what it does not name: a default would overwrite it. Null empties a text as an empty one does. */
export const editedTenantFields = tenantFields.extend({
  ...z.object(optionalTexts).partial().shape,
  ...keptStatus,
  licenseCount: licenseCount.optional(),
  isActive: isActive.optional(),
});

/** Where the database of a new tenant is to live; absent or empty: on the active server with the most room. */
export const placement = {
  databaseServerId: z
    .union([z.literal(''), z.uuid().toLowerCase()], { error: 'There is no such database server.' })
    .nullish()
    .transform((value) => value || undefined)
    .optional(),
};

/** What the form of a new tenant holds. */
export const createTenantForm = tenantFields.extend(placement).check(datesInOrder);

/** What the tenant form holds and the server takes: every limit and message of SPEC §5. */
export const tenantForm = tenantFields.check(datesInOrder);
/** The same fields when a tenant is changed; where its database lives stays. */
export const editTenantForm = tenantFields.extend({ ...placement, ...keptStatus }).check(datesInOrder);

/** Field values of the tenant form, as typed. */
export type TenantFormInput = z.input<typeof createTenantForm>;
/** A tenant's fields after validation. */
export type TenantFields = z.output<typeof tenantForm>;
/** Those of a new tenant. */
export type NewTenantFields = z.output<typeof createTenantForm>;
/** The fields of an edit. What it does not name stays as it is. */
export type TenantEdit = z.output<typeof editedTenantFields>;

/** The delete confirmation: the typed value must equal the tenant code (SPEC §5). */
export const deleteTenantForm = (code: string) =>
  z.object({
    typed: z
      .string()
      .min(1, { error: 'Tenant Name Required', abort: true })
      .refine((value) => isTypedName(value, code), 'Input value must be the same as the tenant name'),
  });

export const duplicateTenantForm = z.object({ newTenantCode });
