import { expiryStepOf, postponedEnd, standingOf } from '@apotheca/contract/tenant-access';
import { type Actor, SERVER_ACTOR } from '../../../actor.ts';
import { appendAudit, changedVersion } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { apartFromAttempts } from '../../../db/keyed-calls.ts';
import { startOperation, startOperations, waitForOperation } from '../../../operations/operations.service.ts';
import { utcDay } from '../../../wording.ts';
import { findDatabaseOfTenant } from '../../databases/databases.service.ts';
import { updateTenant } from '../tenants.repository.ts';
import { lockReadyTenant } from '../tenants.service.ts';
import { changeAccessOperation, TOLD } from './change-access.operation.ts';
import {
  type AccessRow,
  findAccess,
  listAccess,
  listNotedSteps,
  listTenantsWithDatabase,
  noteStep,
  type PresentAccess,
} from './tenant-access.repository.ts';

/** After how long a change of access that failed is tried again, in milliseconds. */
const RETRY_AFTER = 600_000;

/** How a tenant stands today, and what its programs may do. */
export const standingToday = (
  { suspension, now }: Context,
  tenant: Omit<AccessRow, 'access' | 'databaseId' | 'tenantId' | 'code'>,
) => standingOf(tenant, utcDay(now()), suspension);

/** Opens and closes the databases of tenants whose programs may do something else than PostgreSQL lets them. @returns how many */
export async function startAccessChanges(context: Context): Promise<number> {
  const now = context.now();
  const since = new Date(now.getTime() - RETRY_AFTER);
  const wanted = (await listAccess(context.platform, { since, now })).filter((row) => isDue(context, row));
  if (wanted.length === 0) return 0;
  return startOperations(
    context,
    changeAccessOperation,
    wanted.map(({ databaseId }) => ({ databaseId, input: { databaseId } })),
  );
}

/**
 * Announces each step towards the end of a subscription, and each after it, in the audit trail: once, by the server, unless no clock is trusted,
 * as nothing takes an announcement back. After a pause only the newest one is announced.
 */
export async function announceExpiries(context: Context): Promise<void> {
  const { platform, suspension } = context;
  const trusted = await context.trustedNow();
  if (!trusted) return;
  const noted = await listNotedSteps(platform);
  for (const tenant of await listTenantsWithDatabase(platform)) {
    const reached = expiryStepOf(tenant, utcDay(trusted), suspension);
    if (!reached || noted.has(`${tenant.tenantId} ${reached.endsOn} ${reached.step}`)) continue;
    await platform.transaction().execute(async (trx) => {
      if (!(await noteStep(trx, tenant.tenantId, reached.endsOn, reached.step))) return;
      const event = { actor: SERVER_ACTOR, action: 'tenants.expiry', entity: 'tenants', entityId: tenant.tenantId };
      await appendAudit(context, trx, { ...event, changes: { code: tenant.code, ...reached } });
    });
  }
}

/**
 * Opens or closes the database of a tenant whose record has just been changed, and waits for that as calls wait for operations. If
 * another operation works on the database, or this one fails, the upkeep of one of the next minutes does it. A server that is noted as away is
 * not waited for: the operation goes on when it is back.
 * @returns what the message of the call is followed by: how the database is now, where that had to change
 */
export async function followTenant(context: Context, actor: Actor, tenantId: string): Promise<string> {
  const readRow = async () => {
    const database = await findDatabaseOfTenant(context, tenantId);
    return database && (await findAccess(context.platform, database.id));
  };
  const before = await readRow().catch(() => undefined);
  if (!before || !(isDue(context, before) || isFollowed(before))) return '';
  const { databaseId } = before;
  // The call has made its own record: with its key it is answered with that, and not with this operation.
  const start = () => apartFromAttempts(() => startOperation(context, actor, changeAccessOperation, { databaseId }));
  try {
    // One that is there already reads the record once more before it ends. Until then PostgreSQL may have been told something else than is noted,
    // and no other operation has the database.
    await waitForOperation(context, before.changedBy ?? (await start()), before.isServerAway);
  } catch {
    // The change of the record is committed: no failure of what follows it may be told as the call's. The upkeep comes again.
  }
  const after = (await readRow().catch(() => undefined)) ?? before;
  if (isDue(context, after)) return ` For now its database ${TOLD[after.access]}, until that can be changed.`;
  if (isFollowed(after)) return ' Its database is still being opened or closed to its programs.';
  return ` Its database ${TOLD[after.access]}.`;
}

/** Puts off the end of a tenant's subscription by a week. @returns also what the message is followed by @throws AppError not-found */
export async function postponeExpiry(
  context: Context,
  actor: Actor,
  tenantId: string,
): Promise<{ id: string; postponedTo: string; followed: string }> {
  const postponedTo = await context.platform.transaction().execute(async (trx) => {
    const before = await lockReadyTenant(trx, tenantId);
    const end = postponedEnd(before, utcDay(context.now()));
    await updateTenant(trx, tenantId, { postponedTo: end, updatedBy: actor.id, updatedAt: context.now() });
    const changes = changedVersion(before, { postponedTo: end });
    const event = { actor, action: 'tenants.postpone-expiry', entity: 'tenants', entityId: tenantId };
    await appendAudit(context, trx, { ...event, changes });
    return end;
  });
  return { id: tenantId, postponedTo, followed: await followTenant(context, actor, tenantId) };
}

const isDue = (context: Context, row: AccessRow): boolean => standingToday(context, row).access !== row.access;

/** Whether an operation opens or closes its database, or is about to. Where the server is away that waits, as do its programs. */
const isFollowed = ({ changedBy, isServerAway }: PresentAccess): boolean => changedBy !== null && !isServerAway;
