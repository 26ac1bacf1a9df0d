import { randomUUID } from 'node:crypto';
import { LOGIN_LIMIT, type LoginAccess } from '@apotheca/contract/credentials';
import { changedFields } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import {
  countSessionsOfRoles,
  type LoginLimits,
  type LoginRole,
  makeLoginRole,
  makeReader,
} from '../../../db/cluster/login-roles.ts';
import { loginName, readerName } from '../../../db/cluster/names.ts';
import { createRole } from '../../../db/cluster/restored-database.ts';
import type { Sessions } from '../../../db/cluster/session.ts';
import { onSessions, sessionsWithin } from '../../../db/clusters.ts';
import { describeHosts } from '../../../db/connections/connection-string.ts';
import { primaryOf } from '../../../db/connections/primary-hosts.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { refuseClaimed } from '../../../operations/operations.service.ts';
import { decrypt, encrypt } from '../../../secrets.ts';
import { type DatabaseRow, lockDatabaseRow } from '../databases.repository.ts';
import { grantRights, loginRoleOf, newPassword } from '../databases.service.ts';
import { endReplacedLogin } from './ended-logins.ts';
import {
  findCurrentLogin,
  getOwnLimits,
  insertLogin,
  insertReader,
  isReader,
  type LoginRow,
  listLogins,
  type OwnLimits,
  setLoginEnd,
  setOwnLimits,
  setVerifier,
} from './logins.repository.ts';

/** A login, and how many sessions it has right now. */
export type UsedLogin = LoginRow & { sessions: number };

/** A database that no operation claims until a transaction of the control database ends, and the sessions of that. */
type Held = Sessions & { connection: Trx; row: DatabaseRow };

/** What a rotation is asked. */
export interface Rotation {
  access: LoginAccess;
  loginId?: string | undefined;
  overlapMinutes: number;
}

/** Where programs reach PostgreSQL: as the server does. */
export interface Address {
  /** Of several hosts the one that is the primary now. */
  host: string;
  port: number;
  sslmode: string;
  /** All hosts with their ports, as connection strings have them. */
  hosts: string;
}

/** What the server itself takes where DATABASE_URL says nothing: no TLS. */
const DEFAULT_SSLMODE = 'disable';

/** Where programs reach a database. @throws AppError conflict */
export async function addressOf({ clusters }: Context, { serverId }: DatabaseRow): Promise<Address> {
  const { url } = await clusters.of(serverId);
  const sslmode = new URL(url).searchParams.get('sslmode') ?? DEFAULT_SSLMODE;
  return { ...primaryOf(url), sslmode, hosts: describeHosts(url) };
}

/** The password of a login. */
export const passwordOf = ({ keys }: Context, login: LoginRow): string => decrypt(keys.databases, login.password);

/**
 * The password of a login for an API key.
 * @param audit appends the audit entry of the first time, in the transaction that notes it
 */
export async function givePassword(
  context: Context,
  login: LoginRow,
  keyPublicId: string,
  audit: (trx: Trx) => Promise<void>,
): Promise<string> {
  if (!(await isReader(context.platform, login.id, keyPublicId))) {
    await context.platform.transaction().execute(async (trx) => {
      if (await insertReader(trx, login.id, keyPublicId)) await audit(trx);
    });
  }
  return passwordOf(context, login);
}

/** A database's logins, current ones first. */
export async function listUsedLogins({ connection, cluster }: Sessions, databaseId: string): Promise<UsedLogin[]> {
  const logins = await listLogins(connection, databaseId);
  const sessions = await countSessionsOfRoles(
    cluster,
    logins.map(({ roleName }) => roleName),
  );
  return logins.map((login) => ({ ...login, sessions: sessions.get(login.roleName) ?? 0 }));
}

/** What the logins of a database may use, and the limit of connections that is its own. */
export async function limitsOf(
  context: Context,
  platform: Platform,
  databaseId: string,
): Promise<LoginLimits & { ownConnectionLimit: number | null; canLogin: boolean }> {
  const { connectionLimit: own, statementTimeoutSeconds, access } = await getOwnLimits(platform, databaseId);
  const connectionLimit = own ?? context.tenantConnections;
  return { connectionLimit, ownConnectionLimit: own, statementTimeoutSeconds, canLogin: access !== 'closed' };
}

/**
 * The current login of a ready database, which is made when it is first asked for.
 * @param audit appends the audit entry of one that is made, in the same transaction
 * @returns it, and the database where it is by then
 * @throws AppError busy, not-found
 */
export async function openLogin(
  context: Context,
  read: DatabaseRow,
  access: LoginAccess,
  audit?: (trx: Trx, made: LoginRow) => Promise<void>,
): Promise<{ login: LoginRow; row: DatabaseRow }> {
  const current = await findCurrentLogin(context.platform, read.id, access);
  if (current) return { login: current, row: read };
  return whileUnclaimed(context, read.id, async (held) => {
    const { connection: trx, row } = held;
    const meanwhile = await findCurrentLogin(trx, row.id, access);
    if (meanwhile) return { login: meanwhile, row };
    if (access === 'read') await prepareReader(context, row);
    const login = await makeLogin(context, held, access);
    await audit?.(trx, login);
    return { login, row };
  });
}

/**
 * Gives a database a new current login. The one before it stays valid for a while, then nobody can log in as it any more, and
 * its sessions are ended: without overlap here, else by the upkeep.
 * @param loginId the one to replace; undefined: whichever is current
 * @param finish appends the audit entry, in the same transaction
 * @returns what `finish` does
 * @throws AppError busy, not-found; conflict when that login is not the current one, or too many earlier ones are still valid
 */
export async function rotateLogin<T>(
  context: Context,
  { id }: Pick<DatabaseRow, 'id'>,
  { access, loginId, overlapMinutes }: Rotation,
  finish: (held: Held, before: LoginRow | undefined, after: LoginRow) => Promise<T>,
): Promise<T> {
  const { before, rotated } = await whileUnclaimed(context, id, async (held) => {
    const { connection: trx, row } = held;
    const logins = (await listLogins(trx, row.id)).filter((login) => login.access === access);
    const before = logins.find(({ validUntil }) => validUntil === null);
    // Two administrators may have seen the same leak: the second would end the login that the first has just handed out.
    if (loginId !== undefined && before?.id !== loginId) throw rotatedMeanwhile();
    if (logins.length >= LOGIN_LIMIT) throw tooMany();
    // Before the first GRANT of this transaction: from PostgreSQL 16 on that locks the reader, and another session prepares it.
    if (access === 'read') await prepareReader(context, row);
    if (before) await endAt(context, held, before, new Date(context.now().getTime() + overlapMinutes * 60_000));
    return { before, rotated: await finish(held, before, await makeLogin(context, held, access)) };
  });
  // The new login stands, and nobody can log in as the old one: what is left of it goes with the upkeep, which says what it cannot do.
  if (overlapMinutes === 0 && before) await endReplacedLogin(context, before.id).catch(() => undefined);
  return rotated;
}

/**
 * Changes what the logins of a database may use. Sessions that are open keep what they began with.
 * @param finish appends the audit entry, in the same transaction
 * @returns what `finish` does
 * @throws AppError busy, not-found
 */
export function setLimits<T>(
  context: Context,
  { id }: Pick<DatabaseRow, 'id'>,
  wanted: Partial<OwnLimits>,
  finish: (held: Held, changes: Record<string, unknown>) => Promise<T>,
): Promise<T> {
  return whileUnclaimed(context, id, async (held) => {
    const { connection: trx, row } = held;
    const { access: _, ...before } = await getOwnLimits(trx, row.id);
    const after = { ...before, ...wanted };
    await setOwnLimits(trx, row.id, after);
    await applyLogins(context, held, row);
    return finish(held, changedFields(before, after));
  });
}

/** Makes the logins of a database in PostgreSQL as the registry has them, also those that PostgreSQL has lost. */
export async function applyLogins(
  context: Context,
  { connection, cluster }: Sessions,
  row: DatabaseRow,
): Promise<void> {
  const now = context.now();
  // One that has ended may have been dropped this very moment.
  const logins = (await listLogins(connection, row.id)).filter(({ validUntil }) => !validUntil || validUntil > now);
  if (logins.some(({ access }) => access === 'read')) await makeReader(cluster, row);
  const limits = await limitsOf(context, connection, row.id);
  for (const login of logins) await makeAndNote({ connection, cluster }, { ...roleOf(context, row, login), ...limits });
}

/** Makes the role of a database that is there, with its logins and its rights on the tables. */
export async function createLoginRole(context: Context, sessions: Sessions, row: DatabaseRow): Promise<void> {
  await createRole(sessions.cluster, { ...loginRoleOf(context, row), physicalName: row.physicalName });
  await applyLogins(context, sessions, row);
  await grantRights(context, row);
}

/** Makes a login, and notes its verifier, by which PgBouncer lets it in (decision 075). */
async function makeAndNote({ connection, cluster }: Sessions, role: LoginRole): Promise<void> {
  await setVerifier(connection, role.roleName, await makeLoginRole(cluster, role));
}

/**
 * Runs a change in a transaction that keeps operations from claiming the database.
 * @param work gets the row as it is by then: while its lock was waited for, the database may have moved to another server
 * @throws AppError busy, not-found
 */
export async function whileUnclaimed<T>(context: Context, id: string, work: (held: Held) => Promise<T>): Promise<T> {
  return context.platform.transaction().execute(async (trx) => {
    const row = await lockDatabaseRow(trx, id);
    if (row?.state !== 'ready') throw new AppError('not-found', { message: 'This database is gone.' });
    await refuseClaimed(context, trx, id);
    return work({ ...(await sessionsWithin(context, row.serverId, trx)), row });
  });
}

/** Makes a current login. {@link prepareReader} comes before one that reads. */
async function makeLogin(context: Context, held: Held, access: LoginAccess): Promise<LoginRow> {
  const { connection: trx, row } = held;
  const id = randomUUID();
  const login: LoginRow = {
    id,
    databaseId: row.id,
    access,
    roleName: loginName(id, row.name),
    password: encrypt(context.keys.databases, newPassword()),
    createdAt: context.now(),
    validUntil: null,
    scramVerifier: null,
  };
  await insertLogin(trx, login);
  await applyLogins(context, held, row);
  return login;
}

/**
 * Makes the role that may only read, and gives it its rights. It is committed before the login that becomes its member: a crash
 * between them leaves a role without members, which the next attempt takes. The caller's transaction must have granted the role to
 * nobody yet, or this waits for the caller.
 */
async function prepareReader(context: Context, row: DatabaseRow): Promise<void> {
  await onSessions(context, row.serverId, ({ cluster }) => makeReader(cluster, row));
  await grantRights(context, row);
}

/** From a moment on nobody can log in any more. */
async function endAt(context: Context, { connection, cluster, row }: Held, login: LoginRow, end: Date): Promise<void> {
  await setLoginEnd(connection, login.id, end);
  const role = roleOf(context, row, { ...login, validUntil: end });
  await makeAndNote({ connection, cluster }, { ...role, ...(await limitsOf(context, connection, row.id)) });
}

const roleOf = (context: Context, row: DatabaseRow, login: LoginRow) => ({
  roleName: login.roleName,
  password: passwordOf(context, login),
  scramVerifier: login.scramVerifier,
  memberOf: login.access === 'read' ? readerName(row.roleName) : row.roleName,
  validUntil: login.validUntil,
});

const rotatedMeanwhile = (): AppError => new AppError('conflict', { message: 'This login was rotated meanwhile.' });

const tooMany = (): AppError =>
  new AppError('conflict', {
    message: `${LOGIN_LIMIT} logins of this database are still valid: please wait until one of them has ended.`,
  });
