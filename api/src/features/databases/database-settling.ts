import { SERVER_ACTOR } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { listWronglyClosed } from '../../db/cluster/cluster.ts';
import { ifDatabaseUnlocked, withDatabaseLock } from '../../db/cluster/database-lock.ts';
import type { ClusterSession, Sessions } from '../../db/cluster/session.ts';
import { type Cluster, forEachCluster, onSessions, unlessAway } from '../../db/clusters.ts';
import { apartFromAttempts } from '../../db/keyed-calls.ts';
import type { Trx } from '../../db/platform.ts';
import { attemptEachPlaced } from './attempt-each.ts';
import { dropAndUnregister, dropPossessions } from './database-dropping.ts';
import {
  type DatabaseRow,
  findDatabaseById,
  listUnclaimedDatabases,
  listUnsettledDatabases,
  lockUnclaimed,
} from './databases.repository.ts';
import { reopenUnclaimed } from './databases.service.ts';
import { endFollowing, endPublishing } from './following.ts';
import { takeBackOther } from './server-exchange.ts';

/** The feature whose rows belong to databases. {@link settleDatabases} tells it which rows to delete. */
export interface DatabaseOwner {
  /** Deletes a tenant whose creation is undone or whose deletion is finished, and appends the audit entry. */
  remove(trx: Trx, tenantId: string, reason: 'creation-undone' | 'deletion-finished'): Promise<void>;
}

/**
 * Settles what a crash left outside operations: undoes creations, finishes deletions, allows connections again. Without `wait` it skips
 * databases that another server process has locked.
 * @param wait for locks; set at the start, when a killed server's CREATE DATABASE may still run and hold its lock
 * @param stopping aborts it
 * @throws AggregateError when some could not be settled; the others are settled
 */
export async function settleDatabases(
  context: Context,
  owner: DatabaseOwner,
  { wait, stopping }: { wait: boolean; stopping?: AbortSignal },
): Promise<void> {
  const locked = wait ? withDatabaseLock : ifDatabaseUnlocked;
  const unsettled = (await listUnsettledDatabases(context.platform)).map((row) => ({
    ...row,
    repair: (sessions: Sessions) => settleAnew(context, sessions, row, owner),
  }));
  const closed = (await listClosedDatabases(context, stopping)).map((row) => ({
    ...row,
    repair: async () => {
      await reopenUnclaimed(context, row.id);
    },
  }));
  await attemptEachPlaced<DatabaseRow & { repair(sessions: Sessions): Promise<void> }>(
    [...unsettled, ...closed],
    ({ id, serverId, repair }) =>
      onSessions<unknown>(context, serverId, (sessions) => locked(sessions, id, () => repair(sessions))),
    'databases could not be settled',
    stopping,
  );
}

/**
 * Undoes at once the creation of a database of a name that a kill has cut off, where it is in somebody's way and nobody works on it.
 * @param wait until nobody works on it
 * @returns whether the name is free now
 */
export async function settleCreation(
  context: Context,
  owner: DatabaseOwner,
  name: string,
  { wait }: { wait: boolean },
): Promise<boolean> {
  const locked = wait ? withDatabaseLock : ifDatabaseUnlocked;
  const unsettled = await listUnsettledDatabases(context.platform);
  const left = unsettled.find((row) => row.name === name && row.state === 'creating');
  if (!left) return false;
  // It is not what the call that it is in the way of makes.
  await apartFromAttempts(() =>
    onSessions<unknown>(context, left.serverId, (sessions) =>
      locked(sessions, left.id, () => settleAnew(context, sessions, left, owner)),
    ),
  );
  return (await findDatabaseById(context.platform, left.id)) === undefined;
}

/** Settles a database, unless it has been settled since it was listed. */
async function settleAnew(
  context: Context,
  sessions: Sessions,
  { id }: DatabaseRow,
  owner: DatabaseOwner,
): Promise<void> {
  const row = await findDatabaseById(sessions.connection, id);
  if (row?.state === 'creating' || row?.state === 'deleting') await settle(context, sessions, row, owner);
}

/** The ready databases to which PostgreSQL blocks connections, or whose role can log in though it should not, or the other way round. */
async function listClosedDatabases(context: Context, stopping: AbortSignal | undefined): Promise<DatabaseRow[]> {
  const closed: DatabaseRow[] = [];
  const find = async ({ id, platform }: Cluster) => {
    closed.push(...(await listWronglyClosed(platform, await listUnclaimedDatabases(context.platform, id))));
  };
  await forEachCluster(context, find, stopping);
  return closed;
}

async function settle(context: Context, sessions: Sessions, row: DatabaseRow, owner: DatabaseOwner): Promise<void> {
  const reason = row.state === 'creating' ? 'creation-undone' : 'deletion-finished';
  const source = row.state === 'creating' ? await findMoved(sessions, row) : undefined;
  // It is tried again every minute.
  if (source && !(await takeNamesBack(context, sessions.cluster, source, row))) return;
  await endFollowing(context, sessions.cluster, row.serverId, [row.physicalName]);
  if (source) await freeSource(context, source, row);
  await dropPossessions(context, sessions, row);
  await dropAndUnregister(sessions, row, async (trx) => {
    if (row.tenantId) return owner.remove(trx, row.tenantId, reason);
    const event = { actor: SERVER_ACTOR, action: `databases.${reason}`, entity: 'databases', entityId: row.id };
    return appendAudit(context, trx, { ...event, changes: { name: row.name } });
  });
}

/** The source of a copy that a move has made, which could not be undone; undefined: it is no such copy, or its source is gone. */
async function findMoved({ connection }: Sessions, copy: DatabaseRow): Promise<DatabaseRow | undefined> {
  const source = copy.copiedFrom === null ? undefined : await findDatabaseById(connection, copy.copiedFrom);
  return source?.state === 'ready' && source.serverId !== copy.serverId ? source : undefined;
}

/**
 * Gives a copy and its roles the names by which they are dropped: those of its source, which it may have had, would stay.
 * @returns false where an operation works on the source: it may be moved there anew, and these names are then its new copy's
 */
function takeNamesBack(
  { platform }: Context,
  cluster: ClusterSession,
  source: DatabaseRow,
  copy: DatabaseRow,
): Promise<boolean> {
  // Not on the session of the cluster, where that is at home: closing a database has to count at once.
  return platform.transaction().execute(async (trx) => {
    if (!(await lockUnclaimed(trx, source.id))) return false;
    await takeBackOther({ target: source, other: copy, further: { cluster } });
    return true;
  });
}

/** Ends what a move that could not be undone left on the server of its source, unless that is away. */
export async function freeSource(context: Context, source: DatabaseRow, copy: DatabaseRow): Promise<void> {
  await unlessAway(
    onSessions(context, source.serverId, ({ cluster }) => endPublishing(context, cluster, source, copy.id)),
  );
}
