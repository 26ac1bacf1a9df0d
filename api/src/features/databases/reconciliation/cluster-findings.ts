import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../../context.ts';
import { dropDatabase, dropRole } from '../../../db/cluster/cluster.ts';
import { type Cluster, HOME_SERVER, onSessions } from '../../../db/clusters.ts';
import { dropPossessions } from '../database-dropping.ts';
import { adoptUnregisteredDatabase, reopenUnclaimed } from '../databases.service.ts';
import { type ClusterDifferences, findClusterDifferences } from './cluster-differences.ts';
import { type FixableFinding, noSuchFinding } from './fixable-finding.ts';
import { listOrphanDirectories, type RegisteredDatabase } from './reconciliation.repository.ts';

/** What differs between the registry and one server. */
export async function findOnCluster(context: Context, cluster: Cluster): Promise<FixableFinding[]> {
  const found = await findClusterDifferences(context, cluster);
  return [
    ...differencesOf(context, cluster, found),
    ...draftsOf(cluster, found),
    ...(await directoriesOf(context, cluster)),
  ];
}

/** Those of them that only a crash can leave and that need no decision. */
export async function findLeftOnCluster(context: Context, cluster: Cluster): Promise<FixableFinding[]> {
  return [
    ...draftsOf(cluster, await findClusterDifferences(context, cluster)),
    ...(await directoriesOf(context, cluster)),
  ];
}

function differencesOf(context: Context, cluster: Cluster, found: ClusterDifferences): FixableFinding[] {
  const { missing, closed, withoutOwner, invalid, rolesWithoutDatabase } = found;
  const { id: serverId, utility } = cluster;
  return [
    ...missing.map(
      (database): FixableFinding => ({
        kind: 'database-missing',
        subject: database.name,
        explanation: explainMissing(database),
        fix: 'none',
      }),
    ),
    ...closed.map(
      ({ id, name, access }): FixableFinding => ({
        kind: 'connections-off',
        subject: name,
        explanation:
          access === 'closed'
            ? `The programs of ${name} are to be kept out, but PostgreSQL keeps out nobody or everybody, and no operation is working on it. The fix keeps them out, and nobody else.`
            : `${name} accepts no connections, and no operation is working on it. The fix allows them again.`,
        fix: 'allow-connections',
        applyFix: async () => {
          if (!(await reopenUnclaimed(context, id))) throw noSuchFinding();
        },
      }),
    ),
    ...withoutOwner.map((found) => findingWithoutOwner(context, cluster, found)),
    ...invalid.map(
      ({ name, physicalName }): FixableFinding => ({
        kind: 'invalid-database',
        subject: name,
        explanation: `${name} was half deleted when PostgreSQL stopped; nothing can be read from it. The fix deletes the rest for good.`,
        fix: 'drop',
        applyFix: () => dropDatabase(utility, physicalName),
      }),
    ),
    ...rolesWithoutDatabase.map(
      (roleName): FixableFinding => ({
        kind: 'role-without-database',
        subject: roleName,
        explanation: `The login role ${roleName} belongs to no database. The fix deletes it for good.`,
        fix: 'drop-role',
        applyFix: async () => {
          await onSessions(context, serverId, async (sessions) => {
            await dropPossessions(context, sessions, { serverId, physicalName: roleName, roleName });
            await dropRole(sessions.cluster, roleName);
          });
        },
      }),
    ),
  ];
}

/** What can be done about a database that PostgreSQL has lost. A tenant's is deleted with the tenant only, so that is no advice. */
function explainMissing({ name, state, isTenants }: RegisteredDatabase): string {
  if (state === 'parked') {
    return `${name} was deleted or replaced and should be kept, but the PostgreSQL server does not have it. Remove it in Parked Databases.`;
  }
  const advice = isTenants ? 'Restore a backup over it.' : 'Restore a backup over it, or delete it.';
  return `${name} is registered, but the PostgreSQL server does not have it. ${advice}`;
}

function findingWithoutOwner(
  context: Context,
  cluster: Cluster,
  { physicalName, livesOn }: ClusterDifferences['withoutOwner'][number],
): FixableFinding {
  const finding = { kind: 'database-without-owner' as const, subject: physicalName };
  if (livesOn !== undefined) {
    return {
      ...finding,
      fix: 'none',
      explanation: `The PostgreSQL server has ${physicalName}, and the registered database of that name lives on ${livesOn}. Look at its rows, and drop it in PostgreSQL if nobody needs them.`,
    };
  }
  return {
    ...finding,
    fix: 'register',
    explanation: `The PostgreSQL server has ${physicalName}, which is not registered. The fix registers it as a clone, so that it can be looked at, kept or deleted.`,
    applyFix: () => adoptUnregisteredDatabase(context, cluster, physicalName),
  };
}

function draftsOf({ utility }: Cluster, { drafts, unfinishedCopies }: ClusterDifferences): FixableFinding[] {
  const finding = (physicalName: string, what: string): FixableFinding => ({
    kind: 'abandoned-draft',
    subject: physicalName,
    explanation: `${physicalName} is ${what} The fix deletes it for good.`,
    fix: 'drop',
    applyFix: () => dropDatabase(utility, physicalName),
  });
  return [
    ...drafts.map((physicalName) => finding(physicalName, 'a template that was never finished and is never used.')),
    ...unfinishedCopies.map((physicalName) =>
      finding(
        physicalName,
        'a database that was never finished: it may lack rows, or have values that were to be anonymized.',
      ),
    ),
  ];
}

async function directoriesOf(context: Context, { id, platform }: Cluster): Promise<FixableFinding[]> {
  const clusterDir = id === HOME_SERVER ? context.clusterDir : undefined;
  return (await listOrphanDirectories(platform)).map((name): FixableFinding => {
    const what = `The folder base/${name} of the PostgreSQL server belongs to no database: a copy was interrupted when PostgreSQL stopped.`;
    const finding = { kind: 'orphan-directory' as const, subject: `base/${name}` };
    if (!clusterDir) {
      return { ...finding, fix: 'none', explanation: `${what} It only takes room; remove it on the server's machine.` };
    }
    return {
      ...finding,
      fix: 'remove-directory',
      explanation: `${what} The fix removes it.`,
      applyFix: () => rm(join(clusterDir, 'base', name), { recursive: true, force: true }),
    };
  });
}
