import { SERVER_ACTOR } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { dropLoginRole, endSessionsOfRole } from '../../../db/cluster/login-roles.ts';
import { takeBackTenantRole } from '../../../db/cluster/tenant-role.ts';
import { sessionsWithin, unlessAway } from '../../../db/clusters.ts';
import { decrypt } from '../../../secrets.ts';
import { attemptEachPlaced } from '../attempt-each.ts';
import { findDatabaseById, lockDatabaseRow } from '../databases.repository.ts';
import { deleteEndedLogin, listEndedLogins } from './logins.repository.ts';

/**
 * Ends the logins whose time is over, unless no clock is trusted. Where their server is away that comes later: since their end nobody can
 * log in as them.
 * @param stopping aborts it
 */
export async function endLogins(context: Context, stopping?: AbortSignal): Promise<void> {
  const trusted = await context.trustedNow();
  if (!trusted) return;
  await attemptEachPlaced(
    await listEndedLogins(context.platform, trusted),
    (login) => endLogin(context, login, trusted),
    'logins could not be ended',
    stopping,
  );
}

/** Ends a login that has just been replaced without overlap, if its server is there. Its end was set by this clock, so by that it is over. */
export async function endReplacedLogin(context: Context, id: string): Promise<void> {
  const now = context.now();
  for (const login of await listEndedLogins(context.platform, now, id)) await unlessAway(endLogin(context, login, now));
}

type EndedLogin = Awaited<ReturnType<typeof listEndedLogins>>[number];

/** Ends a login: its sessions, what it may have made of the database's own role, its role, its row. */
async function endLogin(context: Context, login: EndedLogin, now: Date): Promise<void> {
  await keepOut(context, login);
  const { roleName, access, databaseId } = login;
  await context.utility.transaction().execute(async (trx) => {
    // Where it is by now: a move that has just ended has made the login there.
    const row = await lockDatabaseRow(trx, databaseId);
    if (!row || !(await deleteEndedLogin(trx, login.id, now))) return;
    const { cluster } = await sessionsWithin(context, row.serverId, trx);
    await dropLoginRole(cluster, roleName);
    const record = row.tenantId
      ? { action: 'tenants.end-login', entity: 'tenants', entityId: row.tenantId }
      : { action: 'databases.end-login', entity: 'databases', entityId: databaseId };
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      ...record,
      changes: { databaseName: row.name, access, role: roleName },
    });
  });
}

/**
 * Leaves whoever had an ended login no way in. Each statement counts at once: in a transaction they could come back until its end, and a role that
 * PostgreSQL does not drop, as it owns something, would leave them theirs.
 */
async function keepOut(context: Context, { roleName, databaseId }: EndedLogin): Promise<void> {
  const row = await findDatabaseById(context.utility, databaseId);
  if (!row) return;
  const { cluster } = await sessionsWithin(context, row.serverId, context.utility);
  await endSessionsOfRole(cluster, roleName);
  await takeBackTenantRole(cluster, {
    roleName: row.roleName,
    password: decrypt(context.keys.databases, row.rolePassword),
  });
}
