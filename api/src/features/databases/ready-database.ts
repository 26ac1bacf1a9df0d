import type { Context } from '../../context.ts';
import { databaseSize, markAsFinished } from '../../db/cluster/cluster.ts';
import { asCluster, isAtHome, type Sessions } from '../../db/cluster/session.ts';
import type { Trx } from '../../db/platform.ts';
import { setSize } from './database-sizes.repository.ts';
import { type DatabaseRow, setDatabaseState } from './databases.repository.ts';

/**
 * Makes a new database ready. Much of what made it waited for no disk, as the commit that tells of it flushes all before it. On another
 * server that commit does not reach, so there a commit of its own comes first.
 * @param row with `isComplete` as {@link createDatabase} took it
 * @param finish what else that commit tells
 * @see https://www.postgresql.org/docs/15/wal-async-commit.html
 */
export async function makeReady(
  context: Context,
  sessions: Sessions,
  { id, physicalName, isComplete = false }: DatabaseRow & { isComplete?: boolean },
  finish: (trx: Trx) => Promise<void>,
): Promise<void> {
  const { connection, cluster } = sessions;
  const sizeBytes = await databaseSize(cluster, physicalName);
  const isHome = isAtHome(sessions);
  if (!isHome) await markAsFinished(cluster, physicalName);
  await connection.transaction().execute(async (trx) => {
    if (isHome && !isComplete) await markAsFinished(asCluster(trx), physicalName);
    await setDatabaseState(trx, id, 'creating', 'ready');
    await setSize(trx, id, { sizeBytes, measuredAt: context.now() });
    await finish(trx);
  });
}
