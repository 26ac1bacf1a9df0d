import { randomUUID } from 'node:crypto';
import {
  DEFAULT_SUBSCRIPTION_DAYS,
  DEFAULT_SUBSCRIPTION_LEVEL,
  DEFAULT_TENANT_STATUS,
  EXPIRY_BEFORE_START,
  type NewTenantFields,
  type TenantEdit,
  type TenantFields,
} from '@apotheca/contract/tenant-form';
import { type Actor, newStamps, SERVER_ACTOR } from '../../actor.ts';
import { appendAudit, changedFields, changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { describeHosts } from '../../db/connections/connection-string.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import type { Trx } from '../../db/platform.ts';
import { AppError, fieldError } from '../../errors.ts';
import { utcDay } from '../../wording.ts';
import { databaseNameTaken, renameDatabaseOfTenant } from '../databases/database-names.ts';
import { type DatabaseOwner, settleCreation } from '../databases/database-settling.ts';
import { getDatabaseOfTenant } from '../databases/databases.service.ts';
import { type LossPlan, planDatabaseDeletion } from '../databases/deletion-plan.ts';
import { createDatabaseOfTenant } from '../databases/tenant-database-creation.ts';
import { findTenantStatus } from './tenant-lookups.repository.ts';
import { refuseTakenSubdomain } from './tenant-subdomains.ts';
import {
  deleteTenant,
  findTenant,
  insertTenant,
  lockTenant,
  type TenantRow,
  tenantsList,
  updateTenant,
} from './tenants.repository.ts';

/** All tenants. */
export const listTenants = ({ clusters }: Context) => tenantsList(describeHosts(clusters.home.url));

/**
 * Creates a tenant with a database of its own, all or nothing (DECISIONS §6).
 * @returns the tenant's id
 * @throws AppError already-exists, reserved-name, invalid
 */
export async function createTenant(
  context: Context,
  actor: Actor,
  { databaseServerId, ...fields }: NewTenantFields,
): Promise<{ id: string }> {
  const now = context.now();
  const content = columnsOf(await completeTenant(context, fields));
  const row = { ...content, ...newStamps(actor, now) };
  const id = randomUUID();
  const { databaseName } = fields;
  const create = () =>
    createDatabaseOfTenant(context, {
      name: databaseName,
      tenantId: id,
      serverId: databaseServerId,
      register: async (trx) => {
        await insertTenant(trx, { ...row, id });
        await refuseTakenSubdomain(trx, { ...row, id });
      },
      finish: (trx) =>
        appendAudit(context, trx, {
          actor,
          action: 'tenants.create',
          entity: 'tenants',
          entityId: id,
          changes: { ...content, databaseName },
        }),
      unregister: async (trx) => {
        await deleteTenant(trx, id);
      },
    }).catch(refuseByConstraint);
  await create().catch(async (error: unknown) => {
    const isTaken = error instanceof AppError && error.code === 'already-exists';
    // A call that is sent again may meet what a kill has left of it.
    if (!isTaken || !(await settleCreation(context, tenantsAsOwner(context), databaseName, { wait: false })))
      throw error;
    await create();
  });
  return { id };
}

/**
 * Changes a tenant's fields, and the name of its database.
 * @param fields with the version that the edit began with
 * @throws AppError not-found, stale, already-exists, reserved-name, invalid
 */
export async function editTenant(
  context: Context,
  actor: Actor,
  id: string,
  { version, ...fields }: TenantEdit & { version?: number | undefined },
): Promise<{ id: string }> {
  await context.platform
    .transaction()
    .execute(async (trx) => {
      const before = await lockReadyTenant(trx, id);
      await refuseStale(trx, { entity: 'tenants', id, version: before.version }, version);
      const content = columnsOf(await completeTenant(context, keepOmitted(fields, before)));
      // A new end counts as it is.
      const isMoved = content.subscriptionEndDate !== before.subscriptionEndDate;
      const after = { ...content, postponedTo: isMoved ? null : before.postponedTo };
      await updateTenant(trx, id, { ...after, updatedBy: actor.id, updatedAt: context.now() });
      await refuseTakenSubdomain(trx, { ...after, id }, before.subdomain);
      const databaseName = await renameDatabaseOfTenant(trx, id, fields.databaseName);
      const renamed = changedFields({ databaseName }, { databaseName: fields.databaseName });
      const changes = { ...changedVersion(before, after), ...renamed };
      await appendAudit(context, trx, { actor, action: 'tenants.edit', entity: 'tenants', entityId: id, changes });
    })
    .catch(refuseByConstraint);
  return { id };
}

/** Activates or deactivates a tenant. If nothing changes, the version stays. @throws AppError not-found */
export async function setTenantActive(
  context: Context,
  actor: Actor,
  id: string,
  isActive: boolean,
): Promise<{ id: string }> {
  await context.platform.transaction().execute(async (trx) => {
    const before = await lockReadyTenant(trx, id);
    if (before.isActive === isActive) return;
    await updateTenant(trx, id, { isActive, updatedBy: actor.id, updatedAt: context.now() });
    const action = isActive ? 'tenants.activate' : 'tenants.deactivate';
    const changes = changedVersion(before, { isActive });
    await appendAudit(context, trx, { actor, action, entity: 'tenants', entityId: id, changes });
  });
  return { id };
}

/**
 * Sets the end of a tenant's subscription, which counts as it is.
 * @param seen the tenant as it was when the end was chosen: an end that somebody has set since then stays
 * @throws AppError not-found, stale; invalid before the start
 */
export async function setSubscriptionEnd(
  context: Context,
  actor: Actor,
  id: string,
  subscriptionEndDate: string,
  seen: Pick<TenantRow, 'version' | 'subscriptionEndDate' | 'postponedTo'>,
): Promise<{ id: string }> {
  await context.platform.transaction().execute(async (trx) => {
    const before = await lockReadyTenant(trx, id);
    if (before.subscriptionEndDate !== seen.subscriptionEndDate || before.postponedTo !== seen.postponedTo)
      await refuseStale(trx, { entity: 'tenants', id, version: before.version }, seen.version);
    if (subscriptionEndDate < before.subscriptionStartDate)
      throw fieldError('invalid', 'subscriptionEndDate', EXPIRY_BEFORE_START);
    const after = { subscriptionEndDate, postponedTo: null };
    await updateTenant(trx, id, { ...after, updatedBy: actor.id, updatedAt: context.now() });
    const changes = changedVersion(before, after);
    await appendAudit(context, trx, { actor, action: 'tenants.edit', entity: 'tenants', entityId: id, changes });
  });
  return { id };
}

/** A tenant's code, and what deleting the tenant would destroy. @throws AppError not-found */
export async function planTenantDeletion(context: Context, id: string): Promise<{ code: string; plan: LossPlan }> {
  const database = await getDatabaseOfTenant(context, id);
  const tenant = await findTenant(context.platform, id);
  return { code: tenant?.code ?? database.name, plan: await planDatabaseDeletion(context, database) };
}

/** Deletes tenants for settleDatabases (DECISIONS §6). */
export function tenantsAsOwner(context: Context): DatabaseOwner {
  return {
    remove: async (trx, tenantId, reason) => {
      const code = await deleteTenant(trx, tenantId);
      await appendAudit(context, trx, {
        actor: SERVER_ACTOR,
        action: `tenants.${reason}`,
        entity: 'tenants',
        entityId: tenantId,
        changes: { code },
      });
    },
  };
}

/** A tenant's row, locked, if its database is ready. @throws AppError not-found */
export async function lockReadyTenant(trx: Trx, id: string) {
  const row = (await findTenant(trx, id)) && (await lockTenant(trx, id));
  if (!row) throw new AppError('not-found', { message: 'There is no such tenant.' });
  return row;
}

type CompleteFields = TenantFields & { subscriptionStartDate: string; subscriptionEndDate: string };

/** Fills in the defaults of a new tenant: status New, subscription Monthly, from today, for 30 days. @throws AppError invalid */
export async function completeTenant(context: Context, fields: TenantFields): Promise<CompleteFields> {
  const start = fields.subscriptionStartDate ?? utcDay(context.now());
  const end = fields.subscriptionEndDate ?? utcDay(context.now(), DEFAULT_SUBSCRIPTION_DAYS);
  // The contract has compared two dates of the call. Here one of them may be stored or the default.
  if (end < start) throw fieldError('invalid', 'subscriptionEndDate', EXPIRY_BEFORE_START);
  return {
    ...fields,
    name: fields.name || fields.customerCode,
    tenantStatusId: fields.tenantStatusId || (await defaultStatus(context)),
    subscriptionLevel: fields.subscriptionLevel || DEFAULT_SUBSCRIPTION_LEVEL,
    subscriptionStartDate: start,
    subscriptionEndDate: end,
  };
}

/** Fills in the fields that an edit may leave out, and then keeps. */
function keepOmitted(fields: TenantEdit, before: TenantRow): TenantFields {
  return {
    ...contentOf(before),
    name: ownNameOf(before),
    ...fields,
    tenantStatusId: fields.tenantStatusId || before.tenantStatusId,
    subscriptionStartDate: fields.subscriptionStartDate ?? before.subscriptionStartDate,
    subscriptionEndDate: fields.subscriptionEndDate ?? before.subscriptionEndDate,
  };
}

/** A tenant's name; empty where it is the customer's, which it then follows. */
export function ownNameOf({ name, customerCode }: Pick<TenantRow, 'name' | 'customerCode'>): string {
  return name === customerCode ? '' : name;
}

async function defaultStatus({ platform }: Context): Promise<string> {
  return (await findTenantStatus(platform, DEFAULT_TENANT_STATUS)) ?? '';
}

/** The form's fields that are columns of the tenants table. Only the database's name is not. */
function columnsOf({
  databaseName: _,
  ...columns
}: CompleteFields): Omit<
  TenantRow,
  'id' | 'version' | 'postponedTo' | 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt'
> {
  return columns;
}

/** The columns of a tenant that an edit may change. */
export function contentOf({
  id: _id,
  version: _version,
  postponedTo: _postponedTo,
  createdBy: _createdBy,
  updatedBy: _updatedBy,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...content
}: TenantRow): ReturnType<typeof columnsOf> {
  return content;
}

/** Turns violated constraints into refusals that name the call's field. */
const refuseByConstraint = refuseBy({
  tenants__code: () => tenantCodeTaken('code'),
  tenants__emr_id: () => fieldError('invalid', 'emrId', 'This EMR is unknown.'),
  tenants__timezone_id: () => fieldError('invalid', 'timezoneId', 'This time zone is unknown.'),
  tenants__tenant_status_id: () => fieldError('invalid', 'tenantStatusId', 'This status is unknown.'),
  databases__name: databaseNameTaken,
});

/** The refusal of a code that another tenant has. @param field the name of the code in the call */
export function tenantCodeTaken(field: 'code' | 'tenantCode'): AppError {
  return fieldError('already-exists', field, 'A tenant with this code exists already.');
}
