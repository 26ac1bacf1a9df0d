import type { MovePlan } from '@apotheca/contract/moves';
import type { Context } from '../../../context.ts';
import { databaseSize } from '../../../db/cluster/cluster.ts';
import { countSessions } from '../../../db/cluster/database-sessions.ts';
import { readerName } from '../../../db/cluster/names.ts';
import { OBJECT_OWNER } from '../../../db/cluster/object-owner.ts';
import { findUnreachable, type Reader } from '../../../db/cluster/replication.ts';
import { type Cluster, forEachCluster } from '../../../db/clusters.ts';
import { AppError } from '../../../errors.ts';
import { digestOf } from '../../../plan.ts';
import { counted, inWords, withoutEnd } from '../../../wording.ts';
import { listServerNames, placeDatabase, refuseActive } from '../../databaseservers/placement.ts';
import { describeKeeping } from '../database-parking.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { movedMeanwhile } from '../databases.service.ts';
import { describeSessions } from '../deletion-plan.ts';
import { refuseSlots } from '../following.ts';
import { refuseOldSchema } from '../tenant-database/tenant-change.ts';
import {
  countPossibleMoves,
  listMissingRoles,
  type ReplicationFacts,
  readReplicationFacts,
  readUncarried,
  type Uncarried,
} from './move-obstacles.repository.ts';
import { listNeededRoles, listOwners } from './owners.repository.ts';
import { listPartedClones, type PartedClones } from './parted-clones.repository.ts';

/**
 * The server that a database would be moved to.
 * @param wanted absent: the one with the most room
 * @throws AppError conflict where there is none, or the wanted one takes none; invalid
 */
export function chooseServer(
  { platform }: Pick<Context, 'platform'>,
  { tenantId, serverId }: Pick<DatabaseRow, 'tenantId' | 'serverId'>,
  wanted: string | undefined,
): Promise<string> {
  const place = { wanted, isTenants: tenantId !== null, isCopy: false, leaves: serverId };
  return platform.transaction().execute((trx) => placeDatabase(trx, place));
}

/**
 * Refuses to move a database off a server that is to be emptied, where it has left that meanwhile or that takes new ones again.
 * @throws AppError conflict
 */
export async function refuseStaying(
  { platform }: Pick<Context, 'platform'>,
  { name, serverId }: Pick<DatabaseRow, 'name' | 'serverId'>,
  leaves: string,
): Promise<void> {
  if (serverId !== leaves) throw movedMeanwhile(name);
  await refuseActive(platform, leaves, name);
}

/**
 * What moving a database to another server would do, and how.
 * @param askWay why the other server does not reach this one; absent: asked for no longer than a call may take
 * @throws AppError conflict for an older server, an old schema, or a slot that would stay; database-away of either server
 */
export async function planMove(
  context: Context,
  row: DatabaseRow,
  serverId: string,
  askWay?: (source: Reader) => Promise<string | undefined>,
): Promise<MovePlan> {
  refuseOldSchema(row);
  await refuseSlots(context, row);
  const [source, target] = await Promise.all([context.clusters.of(row.serverId), context.clusters.of(serverId)]);
  const [from, to] = await Promise.all([nameOf(context, source), nameOf(context, target)]);
  const [facts, targetFacts] = await Promise.all(
    [source, target].map(({ platform }) => readReplicationFacts(platform)),
  );
  if (!facts || !targetFacts) throw new Error('There are two servers.');
  if (targetFacts.version < facts.version) throw olderServer(from, to, facts.version);
  if (!targetFacts.isSuperuser && (await context.tenants.with(row, listOwners)).length > 0)
    throw ownedByOthers(row.name, to);
  // Counted first, because reading the database opens a session.
  const connections = await countSessions(source.platform, row.physicalName);
  await refuseMissingRoles(context, row, target, to);
  const uncarried = await context.tenants.with(row, readUncarried);
  const reasons = [
    ...describeServers({ name: from, ...facts }, { name: to, ...targetFacts }),
    ...describeUncarried(uncarried),
  ];
  // Asked last: it may take as long as a server is waited for.
  if (reasons.length === 0) {
    const ask = askWay ?? ((other) => findUnreachable(target.utility, other));
    reasons.push(...(await describeWay(source, row, { from, to }, ask)));
  }
  const way = reasons.length === 0 ? ('replication' as const) : ('dump' as const);
  const sizeBytes = await databaseSize(source.platform, row.physicalName);
  const { sequences, largeObjects, tablesWithoutKey } = uncarried;
  const digest = digestOf([row.id, row.serverId, serverId, way, tablesWithoutKey, largeObjects > 0]);
  const servers = { databaseServerId: serverId, fromServer: from, toServer: to };
  return { databaseName: row.name, ...servers, sizeBytes, connections, way, reasons, sequences, digest };
}

/** Refuses a database that names roles which the other server does not have, beside those that the move makes there. @throws AppError conflict */
async function refuseMissingRoles(
  { tenants }: Context,
  row: DatabaseRow,
  { platform }: Cluster,
  to: string,
): Promise<void> {
  const made = [row.roleName, readerName(row.roleName), OBJECT_OWNER];
  const needed = (await tenants.with(row, listNeededRoles)).filter((name) => !made.includes(name));
  const missing = await listMissingRoles(platform, needed);
  if (missing.length === 0) return;
  const message = `${row.name} has objects or rights of roles that ${to} does not have: ${inWords(missing)}. Make them there first.`;
  throw new AppError('conflict', { message });
}

/** As many as PostgreSQL has workers of logical replication by default: each copy that follows has one of its server's. */
const MOST_AT_ONCE = 4;

/**
 * How many moves of a change of many may be on the way at once: never more than each server that answers has means of replication for, as a move
 * that finds none keeps its programs out from the beginning to the end.
 * @param signal aborted: no further server is asked
 */
export async function countMovesAtOnce(context: Context, signal?: AbortSignal): Promise<number> {
  const possible: number[] = [MOST_AT_ONCE];
  const count = async ({ platform }: Cluster) => {
    possible.push(await countPossibleMoves(platform));
  };
  await forEachCluster(context, count, signal);
  return Math.max(1, Math.min(...possible));
}

async function nameOf({ platform }: Context, { id }: Cluster): Promise<string> {
  return (await listServerNames(platform, [id]))[0] ?? '';
}

type Named = ReplicationFacts & { name: string };

function describeServers(source: Named, target: Named): string[] {
  const reasons: (string | false)[] = [
    source.walLevel !== 'logical' && `${source.name} has wal_level ${source.walLevel}, and replication needs logical.`,
    ...[source, target].map(({ name, isSuperuser }) => !isSuperuser && `Apotheca is no superuser on ${name}.`),
    ...[source, target].map(({ name, freeSlots }) => freeSlots < 1 && `${name} has no replication slot left.`),
    source.freeSenders < 1 && `${source.name} has no session of replication left.`,
    target.freeWorkers < 1 && `${target.name} has no worker of logical replication left.`,
  ];
  return reasons.filter((reason) => reason !== false);
}

function describeUncarried({ tablesWithoutKey: tables, largeObjects }: Uncarried): string[] {
  const without = tables.length === 1 ? 'has no key to replicate by' : 'have no key to replicate by';
  return [
    ...(tables.length > 0 ? [`${inWords(tables)} ${without}.`] : []),
    ...(largeObjects > 0 ? [`${counted(largeObjects, 'large object')} cannot be replicated.`] : []),
  ];
}

async function describeWay(
  { url }: Cluster,
  { physicalName }: DatabaseRow,
  { from, to }: { from: string; to: string },
  ask: (source: Reader) => Promise<string | undefined>,
): Promise<string[]> {
  const user = decodeURIComponent(new URL(url).username);
  const reason = await ask({ url, physicalName, user });
  return reason === undefined ? [] : [`${to} cannot reach ${from}: ${withoutEnd(reason)}.`];
}

/** The text of the confirmation. */
export async function describeMove(context: Context, row: DatabaseRow, plan: MovePlan): Promise<string> {
  const { databaseName, fromServer, toServer, way, reasons, sequences, connections } = plan;
  const how =
    way === 'replication'
      ? `Moving ${databaseName} from ${fromServer} to ${toServer} copies its rows while its programs go on; writes wait only while it is switched over.`
      : `Moving ${databaseName} from ${fromServer} to ${toServer} keeps its programs out from the beginning to the end. ${reasons.join(' ')}`;
  const carried = sequences > 0 ? ` ${counted(sequences, 'sequence')} will be carried over at the switch.` : '';
  const parted = await listPartedClones(context.platform, row.id, plan.databaseServerId);
  const afterwards = ` Its programs then connect to ${toServer}.${describeParted(parted)}`;
  return `${how}${describeSessions(connections)}${carried}${afterwards}${describeKeeping(context, `What it is on ${fromServer}`)}`;
}

/** Sentences about anonymized clones that can be refreshed no more, with a space before each. Empty where there are none. */
const describeParted = (parted: readonly PartedClones[]): string =>
  parted
    .map(
      ({ source, clones }) =>
        ` While they live on different servers, ${inWords(clones)} cannot be refreshed from ${source}.`,
    )
    .join('');

const ownedByOthers = (name: string, to: string): AppError =>
  new AppError('conflict', {
    message: `${name} has objects of other roles than the administrator's: only a superuser could give them these owners on ${to}.`,
  });

const olderServer = (from: string, to: string, version: number): AppError =>
  new AppError('conflict', {
    message: `${to} has an older PostgreSQL than ${from}: it must be of version ${version} or newer.`,
  });
