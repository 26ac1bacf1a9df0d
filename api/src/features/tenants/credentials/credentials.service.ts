import type {
  ConnectionLimits,
  DatabaseLogin,
  LoginAccess,
  ResolvedTenant,
  TenantConnection,
  TenantCredentials,
} from '@apotheca/contract/credentials';
import type { Actor, Caller } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Sessions } from '../../../db/cluster/session.ts';
import type { Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { isAllowed } from '../../auth/callers.service.ts';
import { getDatabaseOfTenant } from '../../databases/databases.service.ts';
import {
  addressOf,
  givePassword,
  limitsOf,
  listUsedLogins,
  openLogin,
  passwordOf,
  type Rotation,
  rotateLogin,
  setLimits,
} from '../../databases/logins/logins.service.ts';
import { standingToday } from '../access/tenant-access.service.ts';
import { findTenantsBy } from './credentials.repository.ts';

/** How programs reach a tenant's database, without passwords. @throws AppError not-found */
export async function getConnection(context: Context, id: string): Promise<TenantConnection> {
  const row = await getDatabaseOfTenant(context, id);
  const { platform: cluster } = await context.clusters.of(row.serverId);
  return readConnection(context, { connection: context.platform, cluster }, id, row);
}

async function readConnection(
  context: Context,
  sessions: Sessions,
  id: string,
  row: Awaited<ReturnType<typeof getDatabaseOfTenant>>,
): Promise<TenantConnection> {
  const limits = await limitsOf(context, sessions.connection, row.id);
  const logins = await listUsedLogins(sessions, row.id);
  return {
    id,
    ...(await addressOf(context, row)),
    database: row.physicalName,
    ...limits,
    logins: logins.map((login) => ({
      id: login.id,
      access: login.access,
      role: login.roleName,
      createdOnUtc: login.createdAt.toISOString(),
      validUntilUtc: login.validUntil?.toISOString() ?? null,
      sessions: login.sessions,
    })),
  };
}

/** A tenant's current login with its password. It is audited before it is answered. @throws AppError not-found, busy */
export async function revealCredentials(
  context: Context,
  actor: Actor,
  id: string,
  access: LoginAccess,
): Promise<TenantCredentials> {
  const { login, row } = await openLogin(context, await getDatabaseOfTenant(context, id), access);
  await context.platform
    .transaction()
    .execute((trx) => audit(context, trx, actor, 'reveal-credentials', id, { access, role: login.roleName }));
  const { host, port, sslmode, hosts } = await addressOf(context, row);
  const password = passwordOf(context, login);
  const url = new URL('postgresql://host');
  url.username = login.roleName;
  url.password = password;
  url.pathname = `/${row.physicalName}`;
  url.searchParams.set('sslmode', sslmode);
  if (hosts.includes(',')) url.searchParams.set('target_session_attrs', 'read-write');
  // Several hosts are no host to `URL`.
  const connectionString = url.href.replace('@host/', `@${hosts}/`);
  const place = { host, port, database: row.physicalName, sslmode };
  return { ...place, access, role: login.roleName, password, connectionString };
}

/**
 * Gives a tenant a new login, and ends the one before it after a while.
 * @returns how it is reached now, and whether there was one before
 * @throws AppError not-found, busy, conflict
 */
export async function rotateCredentials(
  context: Context,
  actor: Actor,
  { id, access, loginId, overlapMinutes }: Rotation & { id: string },
): Promise<{ connection: TenantConnection; isReplaced: boolean }> {
  const row = await getDatabaseOfTenant(context, id);
  return rotateLogin(context, row, { access, loginId, overlapMinutes }, async (held, before, after) => {
    // Read before all of this counts, as what fails afterwards would be told as a failure of the rotation.
    const { logins, ...connection } = await readConnection(context, held, id, held.row);
    await audit(context, held.connection, actor, 'rotate-credentials', id, {
      access,
      overlapMinutes,
      role: before ? [before.roleName, after.roleName] : after.roleName,
    });
    const hasEnded = (login: DatabaseLogin) => overlapMinutes === 0 && login.id === before?.id;
    return {
      connection: { ...connection, logins: logins.filter((login) => !hasEnded(login)) },
      isReplaced: before !== undefined,
    };
  });
}

/** Changes what the logins of a tenant may use. @returns how it is reached now @throws AppError not-found, busy */
export async function limitConnections(
  context: Context,
  actor: Actor,
  id: string,
  wanted: Partial<ConnectionLimits>,
): Promise<TenantConnection> {
  const row = await getDatabaseOfTenant(context, id);
  return setLimits(context, row, wanted, async (held, changes) => {
    // Before all of this counts, for the same reason.
    const connection = await readConnection(context, held, id, held.row);
    await audit(context, held.connection, actor, 'limit-connections', id, changes);
    return connection;
  });
}

/**
 * Where and as whom a program connects to a tenant's database. The password is only for an API key with databases.connect: a person's
 * session reveals it with a fresh proof. A login that is made by it is audited, whoever looks up.
 * @throws AppError not-found, busy; conflict when several tenants have the subdomain
 */
export async function resolveTenant(
  context: Context,
  caller: Caller,
  actor: Actor,
  { access, ...by }: { code?: string | undefined; subdomain?: string | undefined; access: LoginAccess },
): Promise<ResolvedTenant> {
  const [tenant, other] = await findTenantsBy(context.platform, by);
  if (!tenant) throw new AppError('not-found', { message: 'There is no such tenant.' });
  if (other) throw new AppError('conflict', { message: 'Several tenants have this subdomain: please ask by code.' });
  const read = await getDatabaseOfTenant(context, tenant.id);
  const { login, row } = await openLogin(context, read, access, (trx, { roleName: role }) =>
    audit(context, trx, actor, 'make-login', tenant.id, { access, role }),
  );
  const { connectionLimit } = await limitsOf(context, context.platform, row.id);
  const { state, access: availability } = standingToday(context, tenant);
  const { key } = caller;
  const password =
    key && (await isAllowed(context, caller, actor, 'databases.connect'))
      ? await givePassword(context, login, key.publicId, (trx) =>
          audit(context, trx, actor, 'resolve-credentials', tenant.id, { access, role: login.roleName, key: key.name }),
        )
      : null;
  return {
    tenantId: tenant.id,
    code: tenant.code,
    subdomain: tenant.subdomain,
    isActive: tenant.isActive,
    state,
    availability,
    ...(await addressOf(context, row)),
    database: row.physicalName,
    access,
    role: login.roleName,
    passwordReference: `database-logins/${login.id}`,
    password,
    connectionLimit,
  };
}

function audit(
  context: Context,
  trx: Trx,
  actor: Actor,
  action: string,
  entityId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  return appendAudit(context, trx, { actor, action: `tenants.${action}`, entity: 'tenants', entityId, changes });
}
