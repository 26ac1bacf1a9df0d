import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, FindingKind, Reconciliation } from '@apotheca/contract/reconciliation';
import { type Actor, SERVER_ACTOR } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { dropDatabase, dropRole } from '../../../db/cluster/cluster.ts';
import { type Cluster, forEachCluster, HOME_SERVER, onSessions } from '../../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { AppError } from '../../../errors.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { dropPossessions } from '../database-dropping.ts';
import { adoptUnregisteredDatabase, reopenUnclaimed } from '../databases.service.ts';
import { createDatabaseOfTenant } from '../tenant-database-creation.ts';
import { upgradeOperation } from '../upgrade.operation.ts';
import { type ClusterDifferences, findClusterDifferences } from './cluster-differences.ts';
import {
  countReadyDatabases,
  discardBackupRow,
  listBackupRows,
  listOldSchemas,
  listOrphanDirectories,
  listTenantsWithoutDatabase,
  setTenant,
} from './reconciliation.repository.ts';

/** A finding with the function that fixes it. */
interface FixableFinding extends Finding {
  applyFix?: (actor: Actor) => Promise<unknown>;
}

/** Compares the registry with the cluster and the backups with their files (DECISIONS §8). Nothing is changed. */
export async function reconcile(context: Context): Promise<Reconciliation> {
  const { findings, leftOut } = await findAll(context);
  return {
    checkedOnUtc: context.now().toISOString(),
    databases: await countReadyDatabases(context.platform),
    serversAway: leftOut,
    findings: findings.map(({ applyFix: _, ...finding }) => finding),
  };
}

/** Fixes a finding. @throws AppError not-found when it no longer exists; conflict when it has no fix */
export async function fixFinding(
  context: Context,
  actor: Actor,
  wanted: { kind: FindingKind; subject: string },
): Promise<Finding> {
  const found = (await findAll(context)).findings.find(
    ({ kind, subject }) => kind === wanted.kind && subject === wanted.subject,
  );
  if (!found) throw isGone();
  const { applyFix, ...finding } = found;
  if (!applyFix) throw new AppError('conflict', { message: finding.explanation });
  await applyFix(actor);
  await context.platform.transaction().execute((trx) => {
    const { kind, subject, fix } = finding;
    const event = {
      actor,
      action: 'databases.reconcile',
      entity: 'databases',
      entityId: subject,
      changes: { kind, fix },
    };
    return appendAudit(context, trx, event);
  });
  return finding;
}

const isGone = (): AppError =>
  new AppError('not-found', { message: 'This finding no longer exists: nothing was changed.' });

/** Fixes the findings that only a crash can leave and that need no decision. Called at the start of the server. */
export async function tidyAfterCrash(context: Context): Promise<void> {
  await forEachCluster(context, async (cluster) => {
    const found = [
      ...draftsOf(cluster, await findClusterDifferences(context, cluster)),
      ...(await directoriesOf(context, cluster)),
    ];
    for (const { applyFix } of found) await applyFix?.(SERVER_ACTOR);
  });
}

/** @returns the findings, and the names of the servers that do not answer or refuse, whose databases are not compared */
async function findAll(context: Context): Promise<{ findings: FixableFinding[]; leftOut: string[] }> {
  const { platform } = context;
  const ofClusters: FixableFinding[][] = [];
  const leftOut = await forEachCluster(context, async (cluster) => {
    const found = await findClusterDifferences(context, cluster);
    const directories = await directoriesOf(context, cluster);
    ofClusters.push([...clusterFindings(context, cluster, found), ...draftsOf(cluster, found), ...directories]);
  });
  const withoutDatabase = await listTenantsWithoutDatabase(platform);
  const outdated = await listOldSchemas(platform, newestTenantSchemaVersion());
  const findings = [
    ...registryFindings(context, withoutDatabase, outdated),
    ...ofClusters.flat(),
    ...(await backupFindings(context)),
  ];
  return { findings, leftOut };
}

function registryFindings(
  context: Context,
  withoutDatabase: readonly { id: string; code: string }[],
  outdated: readonly { id: string; name: string; schemaVersion: number }[],
): FixableFinding[] {
  return [
    ...withoutDatabase.map(
      ({ id, code }): FixableFinding => ({
        kind: 'tenant-without-database',
        subject: code,
        explanation: `The tenant ${code} has no database. The fix makes an empty one named ${code}.`,
        fix: 'create-database',
        applyFix: () => createMissingDatabase(context, { id, code }),
      }),
    ),
    ...outdated.map(
      ({ id, name, schemaVersion }): FixableFinding => ({
        kind: 'old-schema-version',
        subject: name,
        explanation: `${name} has version ${schemaVersion} of the schema; the newest is ${newestTenantSchemaVersion()}. The fix upgrades it.`,
        fix: 'upgrade',
        applyFix: (actor) => startOperation(context, actor, upgradeOperation, { databaseId: id }),
      }),
    ),
  ];
}

/** Makes an empty database, and makes it the tenant's once it is ready. A failure or a crash before leaves the tenant unchanged. */
function createMissingDatabase(context: Context, { id, code }: { id: string; code: string }): Promise<void> {
  return createDatabaseOfTenant(context, {
    name: code,
    tenantId: null,
    register: async () => {},
    finish: (trx, databaseId) => setTenant(trx, databaseId, id),
    unregister: async () => {},
  });
}

function clusterFindings(context: Context, cluster: Cluster, found: ClusterDifferences): FixableFinding[] {
  const { missing, closed, withoutOwner, invalid, rolesWithoutDatabase } = found;
  const { id: serverId, utility } = cluster;
  return [
    ...missing.map(
      ({ name, state }): FixableFinding => ({
        kind: 'database-missing',
        subject: name,
        explanation:
          state === 'parked'
            ? `${name} was deleted or replaced and should be kept, but the PostgreSQL server does not have it. Remove it.`
            : `${name} is registered, but the PostgreSQL server does not have it. Restore a backup over it, or delete it.`,
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
          if (!(await reopenUnclaimed(context, id))) throw isGone();
        },
      }),
    ),
    ...withoutOwner.map((found) => findingWithoutOwner(context, cluster, found)),
    ...invalid.map(
      ({ name, physicalName }): FixableFinding => ({
        kind: 'invalid-database',
        subject: name,
        explanation: `${name} was half deleted when PostgreSQL stopped; nothing can be read from it. The fix deletes the rest.`,
        fix: 'drop',
        applyFix: () => dropDatabase(utility, physicalName),
      }),
    ),
    ...rolesWithoutDatabase.map(
      (roleName): FixableFinding => ({
        kind: 'role-without-database',
        subject: roleName,
        explanation: `The login role ${roleName} belongs to no database. The fix deletes it.`,
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
    explanation: `${physicalName} is ${what} The fix deletes it.`,
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

async function backupFindings(context: Context): Promise<FixableFinding[]> {
  // Backups may be made or deleted meanwhile. So a backup must have a file only if both lists have it, and a file is unknown only if
  // neither list has it.
  const before = await listBackupRows(context.platform);
  const files = new Set(await readdir(context.backupDir).catch(() => []));
  const after = await listBackupRows(context.platform);
  const fileOf = ({ id }: { id: string }) => `${id}.dump`;
  const known = new Set([...before, ...after].map(fileOf));
  const remaining = new Set(after.map(fileOf));
  const lost = before.filter(
    (backup) =>
      backup.state === 'ready' && !backup.hasCopy && remaining.has(fileOf(backup)) && !files.has(fileOf(backup)),
  );
  const unknown = [...files].filter((name) => name.endsWith('.dump') && !known.has(name)).sort();
  return [
    ...lost.map(
      ({ id, databaseName }): FixableFinding => ({
        kind: 'backup-without-file',
        subject: id,
        explanation: `The archive of a backup of ${databaseName} is gone from the backup folder. The fix takes the backup off the list.`,
        fix: 'forget',
        applyFix: () => discardBackupRow(context.platform, id),
      }),
    ),
    ...unknown.map(
      (name): FixableFinding => ({
        kind: 'file-without-backup',
        subject: name,
        explanation: `The backup folder holds ${name}, which is not on the list. The fix removes the file; to keep it, upload it first.`,
        fix: 'remove-file',
        applyFix: () => rm(join(context.backupDir, name), { force: true }),
      }),
    ),
  ];
}
