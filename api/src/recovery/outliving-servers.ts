import { SERVER_ACTOR } from '../actor.ts';
import { appendAudit } from '../audit/audit.service.ts';
import type { Context } from '../context.ts';
import { allowsConnections } from '../db/cluster/database-sessions.ts';
import { readInventory } from '../db/cluster/inventory.ts';
import { forEachCluster, onSessions } from '../db/clusters.ts';
import { reasonOf } from '../db/errors/connection-problems.ts';
import { dropWithRole, unregister } from '../features/databases/database-dropping.ts';
import { freeSource } from '../features/databases/database-settling.ts';
import { type DatabaseRow, listUnsettledDatabases, setServer } from '../features/databases/databases.repository.ts';
import { getDatabaseById } from '../features/databases/databases.service.ts';
import { unparkOperation } from '../features/databases/parking/unpark.operation.ts';
import { tenantsAsOwner } from '../features/tenants/tenants.service.ts';
import { findDatabases } from './found-databases.ts';
import { findRestoredFrom, listDeletedAndParked, type RegisteredDatabase } from './recovery.repository.ts';
import { runOperation, waitForEarlierOperations } from './recovery-operations.ts';
import type { Recovery } from './stored-archives.ts';

/**
 * Follows what PostgreSQL servers that outlived the machine did after the control database's backup. A database that its server lacks and
 * another one has was moved there. One that was being made then may be in use now: it is left alone, without a record, for reconciliation.
 * So is one whose server cannot be asked: with a record it would be dropped as what a crash left, once that server answers.
 * @param since entry of the audit trail since which this recovery works: what it restored while that other server could not be asked is dropped again
 */
export async function followServers(recovery: Recovery, since: string): Promise<void> {
  const { platform } = recovery.context;
  const { there, lost, unknown } = await findDatabases(recovery.context, 'ready');
  const serverOf = new Map([...there, ...lost, ...unknown].map(({ id, serverId }) => [id, serverId]));
  const restored = await Promise.all(there.map(({ id }) => findRestoredFrom(platform, id, since)));
  const replaceable = [...lost, ...there.filter((_, index) => restored[index])];
  const moved: Moved[] = [];
  const creating = (await listUnsettledDatabases(platform)).filter(({ state }) => state === 'creating');
  const unfinished = new Set<string>();
  await forEachCluster(recovery.context, async ({ id, platform: cluster }) => {
    const { databases } = await readInventory(cluster);
    const finished = new Set(databases.flatMap(({ name, isOurs, isInvalid }) => (isOurs && !isInvalid ? name : [])));
    for (const row of replaceable)
      if (row.serverId !== id && finished.has(row.physicalName)) moved.push({ ...row, to: id });
    for (const row of creating)
      if (row.serverId === id && (!finished.has(row.physicalName) || isMoveOf(row))) unfinished.add(row.id);
  });
  for (const database of moved) await follow(recovery, database);
  for (const row of creating) {
    if (unfinished.has(row.id)) continue;
    const source = isMoveOf(row) ? there.find(({ id }) => id === row.copiedFrom) : undefined;
    // Else it would keep its server's write-ahead log for a copy that nobody knows of any more.
    if (source) await freeSource(recovery.context, await getDatabaseById(platform, source.id), row);
    await forget(recovery.context, row);
  }

  /** Whether it is the copy that a move makes: had the move ended, it would have its source's name. */
  function isMoveOf({ copiedFrom, serverId }: DatabaseRow): boolean {
    const source = copiedFrom === null ? undefined : serverOf.get(copiedFrom);
    return source !== undefined && source !== serverId;
  }
}

/** A database that lives on another server than the control database says. */
interface Moved extends RegisteredDatabase {
  /** Id of that server. */
  to: string;
}

async function follow({ context, say }: Recovery, { id, name, serverId, serverName, to }: Moved): Promise<void> {
  const row = await getDatabaseById(context.platform, id);
  await onSessions(context, serverId, (sessions) => dropWithRole(sessions, row));
  const newName = (await context.clusters.list()).find((server) => server.id === to)?.name;
  await context.platform.transaction().execute(async (trx) => {
    await setServer(trx, id, to);
    const event = { actor: SERVER_ACTOR, action: 'databases.move', entity: 'databases', entityId: id };
    await appendAudit(context, trx, { ...event, changes: { name, server: [serverName, newName] } });
  });
  say(`${name}: is on ${newName}, where it was moved after the backup`);
}

/** Deletes the record of a database that may be in use, with its tenant, as if it had been made after the backup. */
function forget(context: Context, { id, tenantId }: DatabaseRow): Promise<void> {
  const owner = tenantsAsOwner(context);
  return unregister(context.platform, id, async (trx) => {
    if (tenantId !== null) await owner.remove(trx, tenantId, 'creation-undone');
  });
}

/** Puts back what is parked in the control database, though its server lets programs in: that was done after the backup. @returns what failed */
export async function putBackOpened(recovery: Recovery): Promise<string[]> {
  const { context, say } = recovery;
  await waitForEarlierOperations(recovery);
  const problems: string[] = [];
  for (const { id, name } of await listOpened(context)) {
    try {
      await runOperation(context, unparkOperation, { databaseId: id });
      say(`${name}: is in use, so it is no longer parked`);
    } catch (error) {
      problems.push(`${name} is parked, but was in use when the machine was lost: ${reasonOf(error)}`);
    }
  }
  return problems;
}

async function listOpened(context: Context): Promise<RegisteredDatabase[]> {
  const parked = await listDeletedAndParked(context.platform);
  const opened: RegisteredDatabase[] = [];
  await forEachCluster(context, async ({ id, platform: cluster }) => {
    for (const row of parked)
      if (row.serverId === id && (await allowsConnections(cluster, row.physicalName))) opened.push(row);
  });
  return opened;
}
