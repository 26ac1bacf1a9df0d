import { isDeepStrictEqual } from 'node:util';
import {
  type CheckedPoint,
  type DatabaseServer,
  type DatabaseServerEdit,
  type DatabaseServerForm,
  NO_CA,
} from '@apotheca/contract/databaseservers';
import { type Actor, newStamps } from '../../actor.ts';
import { changedVersion } from '../../audit/audit.service.ts';
import { refuseStale } from '../../audit/stale-edit.ts';
import type { Context } from '../../context.ts';
import { HOME_SERVER } from '../../db/clusters.ts';
import { primaryOf } from '../../db/connections/primary-hosts.ts';
import { refuseBy } from '../../db/errors/postgres-errors.ts';
import { type AppError, fieldError } from '../../errors.ts';
import {
  countDatabases,
  findServer,
  insertServer,
  listServers,
  type ServerRow,
  updateServer,
} from './databaseservers.repository.ts';
import { listHealth, noteHealth } from './health.repository.ts';
import { refreshHealth } from './health-watch.ts';
import { connectionStringFor, sealPassword, type Way, wayOf } from './server-address.ts';
import { checkAt, examine, examineChange, prepare } from './server-examination.ts';
import { auditServer, noServer, requireServer } from './server-records.ts';

/** All servers with their fill and health. */
export async function listDatabaseServers(context: Context): Promise<DatabaseServer[]> {
  const counts = await countDatabases(context.platform);
  const health = await listHealth(context.platform);
  return (await listServers(context.platform)).map((row) => {
    const found = health.get(row.id);
    const { password: _, systemIdentifier: _id, host: _host, port: _port, ...shown } = row;
    return {
      ...shown,
      ...addressOf(context, row),
      isHome: row.id === HOME_SERVER,
      ...(counts.get(row.id) ?? { tenants: 0, databases: 0 }),
      isAway: found ? found.awaySince !== null : null,
      awaySinceUtc: found?.awaySince?.toISOString() ?? null,
      problem: found?.problem ?? '',
      checkedOnUtc: found?.checkedAt.toISOString() ?? null,
      sessions: found?.sessions ?? null,
      maxSessions: found?.maxSessions ?? null,
      standbys: found?.standbys ?? null,
      lagSeconds: found?.lagSeconds ?? null,
    };
  });
}

function addressOf({ clusters }: Context, { host, port }: Pick<ServerRow, 'host' | 'port'>) {
  if (host !== null && port !== null) return { host, port };
  return primaryOf(clusters.home.url);
}

/**
 * Takes a server into use, once all that is checked of it passes.
 * @throws AppError already-exists, invalid; conflict where a check fails
 */
export async function createDatabaseServer(
  context: Context,
  actor: Actor,
  form: DatabaseServerForm,
): Promise<{ id: string }> {
  await refuseTaken(context, form, undefined);
  const checked = await examine(context, form, undefined);
  await prepare(context, form);
  const { password, ...content } = form;
  const created = await context.platform
    .transaction()
    .execute(async (trx) => {
      const id = await insertServer(trx, {
        ...content,
        password: sealPassword(context.keys, password),
        systemIdentifier: checked.systemIdentifier,
        ...newStamps(actor, context.now()),
      });
      await auditServer(context, trx, actor, 'create', id, shownFields(content));
      return { id };
    })
    .catch(refuseByConstraint);
  await refreshHealth(context, created.id);
  return created;
}

/**
 * Changes a server. One that is to be reached in another way is checked first, and must be the same cluster.
 * @throws AppError not-found, stale, already-exists, invalid; conflict where a check fails
 */
export async function editDatabaseServer(
  context: Context,
  actor: Actor,
  {
    id,
    version,
    name,
    region,
    capacity,
    password,
    ...way
  }: DatabaseServerEdit & { id: string; version?: number | undefined },
): Promise<{ id: string }> {
  const known = await findServer(context.platform, id);
  if (!known) throw noServer();
  // Before anything is asked of the server: an older edit may name a way to it, or a certificate, that counts no more.
  await refuseStaleServer(context.platform, known, version);
  const wanted = id === HOME_SERVER ? undefined : wayAfter(context, known, { ...way, ...(password && { password }) });
  if (wanted) await refuseTaken(context, { name, ...wanted }, id);
  const checked = wanted && (await examineChange(context, known, wanted));
  // A way that is as it was known stays as it is by then: somebody else may have changed it meanwhile.
  const newWay = checked && wanted;
  const edited = await context.platform
    .transaction()
    .execute(async (trx) => {
      const before = await requireServer(trx, id);
      await refuseStaleServer(trx, before, version);
      const content = {
        name,
        region: region ?? before.region,
        // null is a choice: any number of tenants.
        capacity: capacity === undefined ? before.capacity : capacity,
        ...(newWay && withoutPassword(newWay)),
      };
      await updateServer(trx, id, {
        ...content,
        ...(newWay && { password: sealPassword(context.keys, newWay.password) }),
        ...(checked && { systemIdentifier: checked.systemIdentifier }),
        updatedBy: actor.id,
        updatedAt: context.now(),
      });
      const shown = { ...shownFields(before), version: before.version };
      const after = { ...before, ...content };
      // Of what is secret, or long, the trail tells only that it is another one.
      const changes = {
        ...changedVersion(shown, shownFields(after)),
        ...(password && { password: 'changed' }),
        ...(after.caCertificate !== before.caCertificate && { caCertificate: 'changed' }),
      };
      await auditServer(context, trx, actor, 'edit', id, changes);
      return { id };
    })
    .catch(refuseByConstraint);
  if (checked) await refreshHealth(context, id);
  return edited;
}

/** @throws AppError stale */
function refuseStaleServer(
  platform: Context['platform'],
  { id, version, caCertificate }: ServerRow,
  sent: number | undefined,
): Promise<void> {
  return refuseStale(platform, { entity: 'databaseservers', id, version, present: { caCertificate } }, sent);
}

const withoutPassword = ({ password: _, ...way }: Way): Omit<Way, 'password'> => way;

const NO_PASSWORD = 'Password is required where host, port, user, TLS or certificate change';

/**
 * How a server is reached after an edit, which keeps what it leaves out. The stored password is sent nowhere else than it was stored for: an
 * edit could name a machine that only asks for it.
 * @throws AppError invalid
 */
function wayAfter(context: Context, row: ServerRow, changes: Partial<Way>): Way {
  // A new password needs the old one no more, which may have been saved under another secret.
  const before =
    changes.password === undefined ? wayOf(context.keys, row) : { ...row, host: row.host ?? '', port: row.port ?? 0 };
  const { host, port, userName, tls, caCertificate, password } = { ...before, ...definedOf(changes) };
  if (tls === 'verify-full' && caCertificate === '') throw fieldError('invalid', 'caCertificate', NO_CA);
  const way = { host, port, userName, tls, caCertificate, password: String(password) };
  if (changes.password === undefined && !isDeepStrictEqual(way, before))
    throw fieldError('invalid', 'password', NO_PASSWORD);
  return way;
}

const definedOf = (way: Partial<Way>): Partial<Way> =>
  Object.fromEntries(Object.entries(way).filter(([, value]) => value !== undefined));

/** Checks a server now, and notes what was found. @throws AppError not-found, conflict */
export async function checkDatabaseServer(
  context: Context,
  actor: Actor,
  id: string,
): Promise<{ id: string; points: CheckedPoint[] }> {
  const row = await findServer(context.platform, id);
  if (!row) throw noServer();
  const url =
    id === HOME_SERVER ? context.clusters.home.url : await connectionStringFor(context.keys, wayOf(context.keys, row));
  const { points } = await checkAt(context, url, id);
  const reached = points.find(({ point }) => point === 'reached');
  if (reached?.passed === false) await noteHealth(context.platform, id, { at: context.now(), problem: reached.detail });
  await context.platform.transaction().execute((trx) => {
    const failed = points.filter(({ passed }) => passed === false).map(({ point }) => point);
    return auditServer(context, trx, actor, 'check', id, { name: row.name, failed: failed.join(', ') });
  });
  if (reached?.passed !== false) await refreshHealth(context, id);
  return { id, points };
}

/** Refuses a name or an address that another record has, before anything is asked of the server. @throws AppError already-exists */
async function refuseTaken(
  context: Context,
  { name, host, port }: { name: string; host: string; port: number },
  ownId: string | undefined,
): Promise<void> {
  const others = (await listServers(context.platform)).filter(({ id }) => id !== ownId);
  if (others.some((row) => row.name.toLowerCase() === name.toLowerCase())) throw nameTaken();
  const isSame = (row: ServerRow) => {
    const address = addressOf(context, row);
    return address.host.toLowerCase() === host.toLowerCase() && address.port === port;
  };
  if (others.some(isSame)) throw addressTaken();
}

/** The fields that the audit trail may tell. */
const shownFields = ({
  name,
  host,
  port,
  region,
  capacity,
  tls,
  userName,
}: Omit<ServerRow, 'id' | 'state' | 'caCertificate' | 'password' | 'systemIdentifier' | 'version'>) => ({
  name,
  host,
  port,
  region,
  capacity,
  tls,
  userName,
});

const nameTaken = (): AppError => fieldError('already-exists', 'name', 'This name is taken: choose another one.');
const addressTaken = (): AppError =>
  fieldError('already-exists', 'host', 'There is a database server with this host and port.');

/** Two at once find out here. */
const refuseByConstraint = refuseBy({
  database_servers__name: nameTaken,
  database_servers__host__port: addressTaken,
  database_servers__system_identifier: () => fieldError('conflict', 'host', 'The server has a record already.'),
});
