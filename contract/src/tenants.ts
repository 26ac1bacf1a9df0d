import { z } from 'zod';
import { createdBy, recordStamps, updatedBy } from './caller-stamp.ts';
import { byId, changedRecord } from './fields.ts';
import { deletionPlan, sentPlan } from './plan.ts';
import { route } from './route.ts';
import { asName, asValue, type RowOrder } from './row-order.ts';
import { listQuery } from './sorting.ts';
import { datesInOrder, editedTenantFields, placement, TENANT_LIMITS, tenantFields } from './tenant-form.ts';
import { id } from './text.ts';
import { sentVersion } from './version.ts';

const named = z.object({ id: z.string(), name: z.string() });

/** The limited texts as they are answered. */
const texts = Object.fromEntries(Object.keys(TENANT_LIMITS).map((field) => [field, z.string()])) as Record<
  keyof typeof TENANT_LIMITS,
  z.ZodString
>;

/** A tenant as lists give it. Dates are YYYY-MM-DD; the connection string has no password. */
export const tenant = z.object({
  id: z.string(),
  ...texts,
  timezoneId: z.string(),
  tenantStatusId: z.string(),
  subscriptionStartDate: z.string(),
  subscriptionEndDate: z.string(),
  /** Until when the end was put off; null: it was not. */
  postponedTo: z.string().nullable(),
  isActive: z.boolean(),
  licenseCount: z.number().int(),
  connectionString: z.string(),
  ...recordStamps,
  emr: z.object({ name: z.string() }),
  timezone: z.object({ displayName: z.string() }),
  tenantStatus: z.object({ name: z.string() }),
});
export type Tenant = z.infer<typeof tenant>;

/** Sort keys of the tenants list (SPEC §2.6); the first is the default. */
export const TENANT_SORT_COLUMNS = ['code', 'customerCode', 'emrId', 'firstName', 'subscriptionEndDate'] as const;
export type TenantSortColumn = (typeof TENANT_SORT_COLUMNS)[number];

export const TENANT_ORDER: RowOrder<Tenant, TenantSortColumn> = {
  columns: {
    code: asName(({ code }) => code),
    customerCode: asName(({ customerCode }) => customerCode),
    emrId: asName(({ emr }) => emr.name),
    firstName: asName(({ firstName }) => firstName),
    subscriptionEndDate: asValue(({ subscriptionEndDate }) => subscriptionEndDate),
  },
  ties: [asName(({ code }) => code)],
};

export const tenantRoutes = {
  list: route({
    feature: 'tenants',
    summary: 'All tenants',
    base: 'api',
    method: 'GET',
    path: '/tenant/get',
    permission: 'tenants.read',
    query: listQuery(TENANT_SORT_COLUMNS),
    result: z.array(tenant),
    list: true,
  }),
  create: route({
    feature: 'tenants',
    summary: 'Create a tenant with a database of its own',
    base: 'api',
    method: 'POST',
    path: '/tenant/create',
    permission: 'tenants.write',
    keyed: true,
    body: tenantFields.extend({ ...placement, ...createdBy }).check(datesInOrder),
    result: changedRecord,
  }),
  edit: route({
    feature: 'tenants',
    summary: "Change a tenant's fields",
    base: 'api',
    method: 'PUT',
    path: '/tenant/edit',
    permission: 'tenants.write',
    body: editedTenantFields.extend({ id: id(), ...sentVersion, ...updatedBy }).check(datesInOrder),
    result: changedRecord,
  }),
  activate: route({
    feature: 'tenants',
    summary: 'Activate a tenant',
    base: 'api',
    method: 'PUT',
    path: '/tenant/activate',
    permission: 'tenants.write',
    query: byId.extend(updatedBy),
    result: changedRecord,
  }),
  deactivate: route({
    feature: 'tenants',
    summary: 'Deactivate a tenant',
    base: 'api',
    method: 'PUT',
    path: '/tenant/deactivate',
    permission: 'tenants.write',
    query: byId.extend(updatedBy),
    result: changedRecord,
  }),
  postponeExpiry: route({
    feature: 'tenants',
    summary: "Put off the end of a tenant's subscription by a week; its database is opened again if it was closed",
    base: 'api',
    method: 'POST',
    path: '/tenant/postponeexpiry',
    permission: 'tenants.write',
    // Done twice it is two weeks.
    keyed: true,
    query: byId.extend(updatedBy),
    result: z.object({ id: z.string(), postponedTo: z.string() }),
  }),
  planDeletion: route({
    feature: 'tenants',
    summary: 'What deleting a tenant would destroy; the message is for the confirmation',
    base: 'api',
    method: 'GET',
    path: '/tenant/previewdelete',
    permission: 'tenants.read',
    query: byId,
    result: deletionPlan,
  }),
  delete: route({
    feature: 'tenants',
    summary: 'Delete a tenant with database, role and rows',
    base: 'api',
    method: 'PUT',
    path: '/tenant/delete',
    permission: 'tenants.delete',
    fresh: true,
    operation: true,
    query: byId.extend(sentPlan),
    result: changedRecord,
  }),
  listStatuses: route({
    feature: 'tenants',
    summary: 'Tenant statuses',
    base: 'api',
    method: 'GET',
    path: '/tenantstatus/get',
    permission: 'tenants.read',
    result: z.array(named),
    list: true,
  }),
  listTimezones: route({
    feature: 'tenants',
    summary: 'Time zones (IANA)',
    base: 'api',
    method: 'GET',
    path: '/timezone/get',
    permission: 'tenants.read',
    result: z.array(z.object({ id: z.string(), displayName: z.string() })),
    list: true,
  }),
  listEmrs: route({
    feature: 'tenants',
    summary: 'Electronic medical record systems',
    base: 'api',
    method: 'GET',
    path: '/emr/get',
    permission: 'tenants.read',
    result: z.array(named),
    list: true,
  }),
};
