import { SERVER_ACTOR } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { ifDatabaseUnlocked, listWronglyClosed, withDatabaseLock } from '../../db/cluster/cluster.ts';
import type { Sessions } from '../../db/cluster/session.ts';
import { forEachCluster, onSessions, unlessAway } from '../../db/clusters.ts';
import type { Trx } from '../../db/platform.ts';
import { attemptEach } from './attempt-each.ts';
import {
  type DatabaseRow,
  findDatabaseById,
  listUnclaimedDatabases,
  listUnsettledDatabases,
} from './databases.repository.ts';
import { dropAndUnregister, dropPossessions, reopenDatabase } from './databases.service.ts';
import { endFollowing, endPublishing } from './following.ts';

/** The feature whose rows belong to databases. {@link settleDatabases} tells it which rows to delete. */
export interface DatabaseOwner {
  /** Deletes a tenant whose creation is undone or whose deletion is finished, and appends the audit entry. */
  remove(trx: Trx, tenantId: string, reason: 'creation-undone' | 'deletion-finished'): Promise<void>;
}

/**
 * Settles what a crash left outside operations: undoes creations, finishes deletions, allows connections again. Without `wait` it skips
 * databases that another server process has locked.
 * @param wait for locks; set at the start, when a killed server's CREATE DATABASE may still run and hold its lock
 * @throws AggregateError when some could not be settled; the others are settled
 */
export async function settleDatabases(
  context: Context,
  owner: DatabaseOwner,
  { wait }: { wait: boolean },
): Promise<void> {
  const locked = wait ? withDatabaseLock : ifDatabaseUnlocked;
  const unsettled = (await listUnsettledDatabases(context.platform)).map((listed) => ({
    row: listed,
    repair: async (sessions: Sessions) => {
      const row = await findDatabaseById(sessions.connection, listed.id);
      if (row?.state === 'creating' || row?.state === 'deleting') await settle(context, sessions, row, owner);
    },
  }));
  const closed = (await listClosedDatabases(context)).map((row) => ({
    row,
    repair: ({ cluster }: Sessions) => reopenDatabase(cluster, row),
  }));
  await attemptEach(
    [...unsettled, ...closed],
    ({ row, repair }) =>
      // It is tried again every minute.
      unlessAway(onSessions(context, row.serverId, (sessions) => locked(sessions, row.id, () => repair(sessions)))),
    'databases could not be settled',
  );
}

/** The ready databases to which PostgreSQL blocks connections, or whose role can log in though it should not, or the other way round. */
async function listClosedDatabases(context: Context): Promise<DatabaseRow[]> {
  const closed: DatabaseRow[] = [];
  await forEachCluster(context, async ({ id, platform }) => {
    closed.push(...(await listWronglyClosed(platform, await listUnclaimedDatabases(context.platform, id))));
  });
  return closed;
}

async function settle(context: Context, sessions: Sessions, row: DatabaseRow, owner: DatabaseOwner): Promise<void> {
  const reason = row.state === 'creating' ? 'creation-undone' : 'deletion-finished';
  await endFollowing(context, sessions.cluster, row.serverId, [row.physicalName]);
  await freeSource(context, sessions, row);
  await dropPossessions(context, sessions, row);
  await dropAndUnregister(sessions, row, async (trx) => {
    if (row.tenantId) return owner.remove(trx, row.tenantId, reason);
    const event = { actor: SERVER_ACTOR, action: `databases.${reason}`, entity: 'databases', entityId: row.id };
    return appendAudit(context, trx, { ...event, changes: { name: row.name } });
  });
}

/** Ends what a move that could not be undone left on the server of its source. */
async function freeSource(context: Context, { connection }: Sessions, copy: DatabaseRow): Promise<void> {
  const source = copy.copiedFrom && (await findDatabaseById(connection, copy.copiedFrom));
  if (!source || source.serverId === copy.serverId || source.state !== 'ready') return;
  await unlessAway(
    onSessions(context, source.serverId, ({ cluster }) => endPublishing(context, cluster, source, copy.id)),
  );
}
