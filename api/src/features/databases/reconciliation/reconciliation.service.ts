import type { Finding, FindingKind, Reconciliation } from '@apotheca/contract/reconciliation';
import { type Actor, SERVER_ACTOR } from '../../../actor.ts';
import { auditBeforehand } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { forEachCluster } from '../../../db/clusters.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { AppError } from '../../../errors.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import { inWords } from '../../../wording.ts';
import { createDatabaseOfTenant } from '../tenant-database-creation.ts';
import { upgradeOperation } from '../upgrade.operation.ts';
import { findBackups } from './backup-findings.ts';
import { findLeftOnCluster, findOnCluster } from './cluster-findings.ts';
import { type FixableFinding, noSuchFinding } from './fixable-finding.ts';
import {
  countReadyDatabases,
  listOldSchemas,
  listServersInUse,
  listTenantsWithoutDatabase,
  setTenant,
} from './reconciliation.repository.ts';

/** Compares the registry with the cluster and the backups with their files (DECISIONS §8). Nothing is changed. */
export async function reconcile(context: Context): Promise<Reconciliation> {
  const { findings, leftOut } = await findAll(context);
  return {
    checkedOnUtc: context.now().toISOString(),
    databases: await countReadyDatabases(context.platform),
    serversAway: await inUse(context, leftOut),
    findings: findings.map(({ applyFix: _, ...finding }) => finding),
  };
}

/**
 * Fixes a finding.
 * @param wanted without `server`: on whichever server it is found
 * @throws AppError not-found when it no longer exists; database-away when that cannot be known, as its server is away; conflict when it has no fix,
 * or several servers have it
 */
export async function fixFinding(context: Context, actor: Actor, wanted: WantedFinding): Promise<Finding> {
  const { applyFix, ...finding } = await getFinding(context, wanted);
  if (!applyFix) throw new AppError('conflict', { message: finding.explanation });
  const { kind, subject, fix, server } = finding;
  const event = {
    actor,
    action: 'databases.reconcile',
    entity: 'databases',
    entityId: subject,
    changes: { kind, fix, ...(server !== undefined && { server }) },
  };
  await auditBeforehand(context, event, () => applyFix(actor));
  return finding;
}

interface WantedFinding {
  kind: FindingKind;
  subject: string;
  server?: string | undefined;
}

/** What is found without asking a database server. */
const OF_NO_SERVER: readonly FindingKind[] = [
  'tenant-without-database',
  'old-schema-version',
  'backup-without-file',
  'file-without-backup',
];

async function getFinding(context: Context, wanted: WantedFinding): Promise<FixableFinding> {
  const { findings, leftOut } = await findAll(context);
  const [found, ...others] = findings.filter(
    ({ kind, subject, server }) =>
      kind === wanted.kind && subject === wanted.subject && (wanted.server === undefined || server === wanted.server),
  );
  if (!found) {
    const unknown = leftOut.filter((name) => !OF_NO_SERVER.includes(wanted.kind) && (wanted.server ?? name) === name);
    throw unknown.length === 0 ? noSuchFinding() : isUnknown(unknown);
  }
  if (others.length === 0) return found;
  const servers = inWords([found, ...others].flatMap(({ server }) => server ?? []));
  throw new AppError('conflict', {
    message: `There is such a finding on each of ${servers}. Name the one that is meant.`,
  });
}

const isUnknown = (servers: readonly string[]): AppError =>
  new AppError('database-away', {
    message: `Whether this finding still exists is not known without ${inWords(servers)}: nothing was changed. Please try again later.`,
  });

/** Fixes the findings that only a crash can leave and that need no decision. Called at the start of the server. */
export async function tidyAfterCrash(context: Context): Promise<void> {
  await forEachCluster(context, async (cluster) => {
    for (const { applyFix } of await findLeftOnCluster(context, cluster)) await applyFix?.(SERVER_ACTOR);
  });
}

/** @returns the findings, and the names of the servers that do not answer or refuse, whose databases are not compared */
async function findAll(context: Context): Promise<{ findings: FixableFinding[]; leftOut: string[] }> {
  const { platform } = context;
  const isOneServer = (await context.clusters.list()).length === 1;
  const ofClusters: FixableFinding[][] = [];
  const leftOut = await forEachCluster(context, async (cluster, server) => {
    const found = await findOnCluster(context, cluster);
    ofClusters.push(isOneServer ? found : found.map((finding) => ({ ...finding, server })));
  });
  const withoutDatabase = await listTenantsWithoutDatabase(platform);
  const outdated = await listOldSchemas(platform, newestTenantSchemaVersion());
  const findings = [
    ...registryFindings(context, withoutDatabase, outdated),
    ...ofClusters.flat(),
    ...(await findBackups(context)),
  ];
  return { findings, leftOut };
}

async function inUse({ platform }: Context, servers: readonly string[]): Promise<string[]> {
  const used = new Set(await listServersInUse(platform));
  return servers.filter((name) => used.has(name));
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
