import type { Context } from '../../../context.ts';
import { listWronglyClosed } from '../../../db/cluster/cluster.ts';
import { type ClusterDatabase, readInventory } from '../../../db/cluster/inventory.ts';
import { readerName } from '../../../db/cluster/names.ts';
import type { Cluster } from '../../../db/clusters.ts';
import {
  listLoginNames,
  listNamesInWork,
  listRegistered,
  listServersOf,
  type RegisteredDatabase,
} from './reconciliation.repository.ts';

/** The differences between the registry and the cluster of one server. What an operation works on is left out. */
export interface ClusterDifferences {
  missing: RegisteredDatabase[];
  /** Those that are not registered here. @property livesOn the server of the one that is registered under this name */
  withoutOwner: { physicalName: string; livesOn: string | undefined }[];
  /** Unregistered databases have their physical name as `name`. */
  invalid: { name: string; physicalName: string }[];
  rolesWithoutDatabase: string[];
  closed: RegisteredDatabase[];
  /** Physical names. */
  drafts: string[];
  unfinishedCopies: string[];
}

/** The age at which a draft of the template is abandoned, in milliseconds. A draft is normally renamed within a minute. */
const DRAFT_AGE = 3_600_000;
const DRAFT = /^apotheca_template_[0-9a-f]{12}_[0-9]+_([0-9]+)$/;

/**
 * Compares what is registered with those databases and roles of a server that this installation made. As the two are read one after the
 * other, something is missing only if it was registered before, and unknown only if it is registered neither before nor after.
 */
export async function findClusterDifferences(
  context: Context,
  { id, platform: cluster }: Cluster,
): Promise<ClusterDifferences> {
  const before = await listRegistered(context.platform, id);
  const { databases, roles } = await readInventory(cluster);
  const inWork = await listNamesInWork(context.platform);
  const after = await listRegistered(context.platform, id);
  const logins = await listLoginNames(context.platform, id);
  const names = new Set(databases.map(({ name }) => name));
  const registered = new Map([...before, ...after].map((row) => [row.physicalName, row]));
  const known = new Set([
    ...logins,
    ...inWork.flatMap((each) => each.logins),
    ...[...registered.values(), ...inWork].flatMap(({ roleName }) => [roleName, readerName(roleName)]),
  ]);
  const namesInWork = new Set(inWork.map(({ physicalName }) => physicalName));
  const isUnknown = ({ name }: ClusterDatabase) => !registered.has(name) && !namesInWork.has(name);
  const isSettled = (database: ClusterDatabase) => {
    const row = registered.get(database.name);
    // A database in state 'deleting' is settled or deleted by its operation.
    return isUnknown(database) || (row?.state === 'ready' && !row.isClaimed);
  };
  const stillThere = new Set(after.map(({ physicalName }) => physicalName));
  const namesOf = (found: readonly ClusterDatabase[]) => found.map(({ name }) => name).sort();
  const ours = databases.filter(({ isOurs }) => isOurs);
  const withoutOwner = namesOf(ours.filter((database) => !database.isInvalid && isUnknown(database)));
  const serverOf = await listServersOf(context.platform, withoutOwner);
  return {
    missing: before.filter(
      ({ physicalName, state, isClaimed }) =>
        (state === 'ready' || state === 'parked') &&
        !isClaimed &&
        !names.has(physicalName) &&
        stillThere.has(physicalName),
    ),
    withoutOwner: withoutOwner.map((physicalName) => ({ physicalName, livesOn: serverOf.get(physicalName) })),
    invalid: ours
      .filter((database) => database.isInvalid && isSettled(database))
      .map(({ name }) => ({ name: registered.get(name)?.name ?? name, physicalName: name })),
    rolesWithoutDatabase: roles.filter((name) => !known.has(name) && !names.has(name)).sort(),
    closed: await findClosed(context, { id, platform: cluster }, after),
    drafts: namesOf(databases.filter(({ name, canBeDropped }) => canBeDropped && isOldDraft(name, context.now()))),
    unfinishedCopies: namesOf(databases.filter((database) => database.isUnfinished && isUnknown(database))),
  };
}

/** @param registered as it was read last */
async function findClosed(
  { platform }: Context,
  { id, platform: cluster }: Pick<Cluster, 'id' | 'platform'>,
  registered: readonly RegisteredDatabase[],
): Promise<RegisteredDatabase[]> {
  const look = (rows: readonly RegisteredDatabase[]) =>
    listWronglyClosed(
      cluster,
      rows.filter(({ state, isClaimed }) => state === 'ready' && !isClaimed),
    );
  const before = new Set((await look(registered)).map((database) => database.id));
  if (before.size === 0) return [];
  // An operation may close a database between the look at the registry and the one at PostgreSQL. Such a one differs once, and not again.
  const after = await look(await listRegistered(platform, id));
  return after.filter((database) => before.has(database.id));
}

function isOldDraft(name: string, now: Date): boolean {
  const madeAt = DRAFT.exec(name)?.[1];
  return madeAt !== undefined && Number(madeAt) < now.getTime() - DRAFT_AGE;
}
