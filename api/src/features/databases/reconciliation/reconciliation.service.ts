import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, FindingKind, Reconciliation } from '@apotheca/contract/reconciliation';
import { type Actor, SERVER_ACTOR } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { dropDatabase, dropRole } from '../../../db/cluster/cluster.ts';
import { newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { AppError } from '../../../errors.ts';
import { startOperation } from '../../../operations/operations.service.ts';
import {
  adoptUnregisteredDatabase,
  createDatabaseOfTenant,
  dropPossessions,
  reopenDatabase,
} from '../databases.service.ts';
import { upgradeOperation } from '../upgrade.operation.ts';
import {
  countReadyDatabases,
  type Differences,
  deleteBackupRow,
  findDifferences,
  listBackupRows,
  listOrphanDirectories,
  setTenant,
} from './reconciliation.repository.ts';

/** A finding with how to mend it. */
interface Mendable extends Finding {
  mend?: (actor: Actor) => Promise<unknown>;
}

/** Compares the registry with the cluster and the backups with their files (DECISIONS §8). Nothing is changed. */
export async function reconcile(context: Context): Promise<Reconciliation> {
  const findings = await findAll(context);
  return {
    checkedOnUtc: context.now().toISOString(),
    databases: await countReadyDatabases(context.platform),
    findings: findings.map(({ mend: _, ...finding }) => finding),
  };
}

/** Applies the fix of a finding, if it still stands. @throws AppError not-found, conflict where there is no fix */
export async function fixFinding(
  context: Context,
  actor: Actor,
  wanted: { kind: FindingKind; subject: string },
): Promise<Finding> {
  const found = (await findAll(context)).find(
    ({ kind, subject }) => kind === wanted.kind && subject === wanted.subject,
  );
  if (!found) throw new AppError('not-found', { message: 'This finding no longer stands: nothing was changed.' });
  const { mend, ...finding } = found;
  if (!mend) throw new AppError('conflict', { message: finding.explanation });
  await mend(actor);
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

/** Mends at the start of the server what only a crash can have left, and what needs no decision. */
export async function tidyAfterCrash(context: Context): Promise<void> {
  const { drafts } = await findDifferences(context.platform, newestTenantSchemaVersion(), context.now());
  const mendable = [...draftsOf(context, drafts), ...(await directoriesOf(context))];
  for (const { mend } of mendable) await mend?.(SERVER_ACTOR);
}

async function findAll(context: Context): Promise<Mendable[]> {
  const differences = await findDifferences(context.platform, newestTenantSchemaVersion(), context.now());
  return [
    ...registryFindings(context, differences),
    ...clusterFindings(context, differences),
    ...draftsOf(context, differences.drafts),
    ...(await directoriesOf(context)),
    ...(await backupFindings(context)),
  ];
}

function registryFindings(context: Context, found: Differences): Mendable[] {
  const { tenantsWithoutDatabase, missing, outdated, closed } = found;
  return [
    ...tenantsWithoutDatabase.map(
      ({ id, code }): Mendable => ({
        kind: 'tenant-without-database',
        subject: code,
        explanation: `The tenant ${code} has no database. The fix makes an empty one named ${code}.`,
        fix: 'create-database',
        mend: () => giveDatabase(context, { id, code }),
      }),
    ),
    ...missing.map(
      ({ name }): Mendable => ({
        kind: 'database-missing',
        subject: name,
        explanation: `${name} is registered, but the PostgreSQL server does not have it. Restore a backup over it, or delete it.`,
        fix: 'none',
      }),
    ),
    ...outdated.map(
      ({ id, name, schemaVersion }): Mendable => ({
        kind: 'old-schema-version',
        subject: name,
        explanation: `${name} has version ${schemaVersion} of the schema; the newest is ${newestTenantSchemaVersion()}. The fix upgrades it.`,
        fix: 'upgrade',
        mend: (actor) => startOperation(context, actor, upgradeOperation, { databaseId: id }),
      }),
    ),
    ...closed.map(
      ({ name, ...row }): Mendable => ({
        kind: 'connections-off',
        subject: name,
        explanation: `${name} takes no connections, and nothing is being done with it. The fix lets them in again.`,
        fix: 'allow-connections',
        mend: () => reopenDatabase(context.utility, row),
      }),
    ),
  ];
}

/** Makes an empty database that is the tenant's once it is ready: whatever cuts this off leaves the tenant as it was. */
function giveDatabase(context: Context, { id, code }: Differences['tenantsWithoutDatabase'][number]): Promise<void> {
  return createDatabaseOfTenant(context, {
    name: code,
    tenantId: null,
    register: async () => {},
    finish: (trx, databaseId) => setTenant(trx, databaseId, id),
    unregister: async () => {},
  });
}

function clusterFindings(context: Context, found: Differences): Mendable[] {
  const { withoutOwner, invalid, rolesWithoutDatabase } = found;
  return [
    ...withoutOwner.map(
      ({ physicalName }): Mendable => ({
        kind: 'database-without-owner',
        subject: physicalName,
        explanation: `The PostgreSQL server has ${physicalName}, which is not registered. The fix registers it as a clone, so that it can be looked at, kept or deleted.`,
        fix: 'register',
        mend: () => adoptUnregisteredDatabase(context, physicalName),
      }),
    ),
    ...invalid.map(
      ({ name, physicalName }): Mendable => ({
        kind: 'invalid-database',
        subject: name,
        explanation: `${name} was half deleted when PostgreSQL stopped; nothing can be read from it. The fix deletes the rest.`,
        fix: 'drop',
        mend: () => dropDatabase(context.utility, physicalName),
      }),
    ),
    ...rolesWithoutDatabase.map(
      ({ roleName }): Mendable => ({
        kind: 'role-without-database',
        subject: roleName,
        explanation: `The login role ${roleName} belongs to no database. The fix deletes it.`,
        fix: 'drop-role',
        mend: async () => {
          await dropPossessions(context, context.utility, { physicalName: roleName, roleName });
          await dropRole(context.utility, roleName);
        },
      }),
    ),
  ];
}

const draftsOf = (context: Context, drafts: Differences['drafts']): Mendable[] =>
  drafts.map(({ physicalName }) => ({
    kind: 'abandoned-draft',
    subject: physicalName,
    explanation: `${physicalName} is a template that was never finished and is never used. The fix deletes it.`,
    fix: 'drop',
    mend: () => dropDatabase(context.utility, physicalName),
  }));

async function directoriesOf(context: Context): Promise<Mendable[]> {
  const { clusterDir } = context;
  return (await listOrphanDirectories(context.platform)).map((name): Mendable => {
    const what = `The folder base/${name} of the PostgreSQL server belongs to no database: a copy was cut off when PostgreSQL stopped.`;
    const finding = { kind: 'orphan-directory' as const, subject: `base/${name}` };
    if (!clusterDir) {
      return { ...finding, fix: 'none', explanation: `${what} It only takes room; remove it on the server's machine.` };
    }
    return {
      ...finding,
      fix: 'remove-directory',
      explanation: `${what} The fix removes it.`,
      mend: () => rm(join(clusterDir, 'base', name), { recursive: true, force: true }),
    };
  });
}

async function backupFindings(context: Context): Promise<Mendable[]> {
  // A backup may be made or deleted meanwhile: only what both lists have must have a file, only what neither has is strange.
  const before = await listBackupRows(context.platform);
  const files = new Set(await readdir(context.backupDir).catch(() => []));
  const after = await listBackupRows(context.platform);
  const fileOf = ({ id }: { id: string }) => `${id}.dump`;
  const known = new Set([...before, ...after].map(fileOf));
  const remaining = new Set(after.map(fileOf));
  const lost = before.filter(
    (backup) => backup.state === 'ready' && remaining.has(fileOf(backup)) && !files.has(fileOf(backup)),
  );
  const strange = [...files].filter((name) => name.endsWith('.dump') && !known.has(name)).sort();
  return [
    ...lost.map(
      ({ id, databaseName }): Mendable => ({
        kind: 'backup-without-file',
        subject: id,
        explanation: `The archive of a backup of ${databaseName} is gone from the backup folder. The fix takes the backup off the list.`,
        fix: 'forget',
        mend: () => deleteBackupRow(context.platform, id),
      }),
    ),
    ...strange.map(
      (name): Mendable => ({
        kind: 'file-without-backup',
        subject: name,
        explanation: `The backup folder holds ${name}, which is not on the list. The fix removes the file; to keep it, upload it first.`,
        fix: 'remove-file',
        mend: () => rm(join(context.backupDir, name), { force: true }),
      }),
    ),
  ];
}
