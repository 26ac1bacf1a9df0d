import { type FileHandle, stat } from 'node:fs/promises';
import type pg from 'pg';
import { createDatabase, markAsFinished } from '../../../db/cluster/cluster.ts';
import { hasReader, makeReader } from '../../../db/cluster/login-roles.ts';
import { makeObjectOwner } from '../../../db/cluster/object-owner.ts';
import {
  findUnreachable,
  makeReplicationRole,
  makeSnapshotSlot,
  REACHING,
  type Reader,
  replicationName,
  unpublish,
} from '../../../db/cluster/replication.ts';
import { makeTenantRole } from '../../../db/cluster/tenant-role.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { processIdOf } from '../../../db/connections/watch.ts';
import { refuseHeldTable } from '../../../db/tenant-connection.ts';
import { AppError } from '../../../errors.ts';
import { backendPid, cancellable } from '../../../operations/cancellable.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { inWords, withoutEnd } from '../../../wording.ts';
import type { TableChecksum } from '../backups/archive/archive-manifest.ts';
import { readEntries } from '../backups/archive/archive-objects.ts';
import { createDraft, openEntryList, removeArchive } from '../backups/archive/archive-store.ts';
import { listDifferences } from '../backups/checksums.repository.ts';
import { progressBySize } from '../backups/database-dump.ts';
import { inSnapshot, measureTables } from '../backups/snapshot.repository.ts';
import { dropWithRole } from '../database-dropping.ts';
import { loginRoleOf } from '../databases.service.ts';
import type { Exchanged } from '../server-exchange.ts';
import { readAllChecksums, readWrittenSince } from './comparison.repository.ts';
import { publish } from './move-obstacles.repository.ts';
import { analyze, listDefaultPrivileges, listOwners, setOwners } from './owners.repository.ts';
import { dumpWhole, loadWhole } from './whole-copy.ts';

/** What is known of a database at the moment of its copy. */
export interface Copied {
  /** A condition on rows of the source: they were written after that moment. */
  since: string;
  /** The password by which the copy follows its source; absent: it does not, and nobody writes to the source meanwhile. */
  password?: string | undefined;
}

interface Dumped extends Copied {
  checksums: TableChecksum[];
  /** Statements that give what is loaded its owners, and the default privileges. */
  owners: string[];
  path: string;
}

/**
 * Dumps the source in a snapshot in which all of its rows are read too. Where the copy is to follow, the snapshot is that of a slot of
 * replication, which keeps every change from then on.
 */
export async function dumpSource(run: Run, { target, further }: Exchanged, isFollowed: boolean): Promise<Dumped> {
  const { context, cluster, server, operationId } = run;
  const name = replicationName(operationId);
  const { physicalName } = target;
  if (isFollowed) {
    // Somebody may hold one of the tables.
    const publishing = (client: pg.Client) => cancellable(run, processIdOf(client), () => publish(client, name));
    await context.tenants.with(target, publishing, { unlimited: true }).catch(refuseHeldTable);
  }
  const password = isFollowed ? await makeReplicationRole(cluster, { name, physicalName }) : undefined;
  if (password !== undefined)
    await refuseUnreachable(run, further, { url: server.url, physicalName, user: name, password });
  const slot = isFollowed
    ? await makeSnapshotSlot(server, { physicalName, name }, (pid, make) => cancellable(run, pid, make))
    : undefined;
  try {
    await run.step(1);
    const path = await createDraft(context, operationId);
    return { ...(await dumpInSnapshot(run, target, path, slot?.snapshot)), path, password };
  } finally {
    await slot?.release();
  }
}

/**
 * Refuses a move whose copy is not let in where it would follow, before anything is copied. Only now is there somebody to be let in.
 * @throws AppError conflict
 */
async function refuseUnreachable(run: Run, further: Exchanged['further'], source: Reader): Promise<void> {
  const reason = await askWay(run, further, source);
  if (reason !== undefined) await refuseToFollow(run, reason);
}

/** Why another server does not reach the source of a move. A way that is slow for a while is waited for: without it programs are kept out. */
export async function askWay(
  { signal }: Run,
  { server, cluster }: Exchanged['further'],
  source: Reader,
): Promise<string | undefined> {
  const asking = () => findUnreachable(cluster, source, REACHING.operation);
  return cancellable({ server, signal }, await backendPid({ cluster }), asking);
}

/** @throws AppError conflict; the error of PostgreSQL where the source has just died, which is waited for */
export async function refuseToFollow(run: Run, reason: string): Promise<never> {
  await backendPid(run);
  throw new AppError('conflict', {
    message: `It was not moved, as the new server cannot follow the old one: ${withoutEnd(reason)}.`,
  });
}

async function dumpInSnapshot(
  run: Run,
  { serverId, physicalName }: Exchanged['target'],
  path: string,
  exported: string | undefined,
): Promise<Pick<Dumped, 'since' | 'checksums' | 'owners'>> {
  const { context, server, signal } = run;
  const tools = await context.findTools(serverId);
  const url = withDatabaseName(server.url, physicalName);
  return context.tenants.with(
    { serverId, physicalName },
    (client) =>
      cancellable(run, processIdOf(client), () =>
        inSnapshot(
          client,
          async (snapshot) => {
            const since = await readWrittenSince(client);
            const onTable = progressBySize(await measureTables(client), (done) => run.progress(done / 2));
            const failed = new AbortController();
            const stop = AbortSignal.any([signal, failed.signal]);
            const dumping = dumpWhole(tools, { url, path, snapshot, signal: stop, onTable });
            try {
              const owners = [...(await listOwners(client)), ...(await listDefaultPrivileges(client))];
              const [checksums] = await Promise.all([readAllChecksums(client), dumping]);
              return { since, owners, checksums };
            } catch (error) {
              failed.abort(error);
              await dumping.catch(() => {});
              throw error;
            }
          },
          exported,
        ),
      ),
    { unlimited: true },
  );
}

/** Makes the copy of a dump on the other server. Nobody but the administrator can connect to it. */
export async function loadCopy(run: Run, { target, other, further }: Exchanged, dumped: Dumped): Promise<void> {
  const { context, connection, signal } = run;
  const { cluster, server } = further;
  const { roleName } = target;
  const { physicalName } = other;
  await dropWithRole({ connection, cluster }, other);
  // What it grants rights to, and what it belongs to.
  await makeTenantRole(cluster, { ...loginRoleOf(context, target), canLogin: false });
  await makeObjectOwner(cluster);
  await createDatabase(cluster, { physicalName, roleName: null, template: null });
  if (await hasReader(run.cluster, roleName)) await makeReader(cluster, { physicalName, roleName });
  const url = withDatabaseName(server.url, physicalName);
  const sizes = await context.tenants.with(target, measureTables);
  const onTable = progressBySize(sizes, (done) => run.progress((1 + done) / 2));
  const list = await listEntries(context, run.operationId, dumped.path);
  await loadWhole(await context.findTools(other.serverId), { url, path: dumped.path, signal, onTable, list }).finally(
    () => list.close(),
  );
  await removeArchive(context, run.operationId);
  await context.tenants.with(
    other,
    (client) =>
      cancellable({ server, signal }, processIdOf(client), async () => {
        await setOwners(client, dumped.owners);
        await unpublish(client, replicationName(run.operationId));
        // A dump has no statistics.
        await analyze(client);
      }),
    { unlimited: true },
  );
  await markAsFinished(cluster, physicalName);
}

/** All entries but default privileges, which are those of roles of the source's server. */
async function listEntries(context: Run['context'], operationId: string, path: string): Promise<FileHandle> {
  const entries = await readEntries(path, (await stat(path)).size);
  const ids = [...entries.values()].filter(({ kind }) => kind !== 'DEFAULT ACL').map(({ id }) => String(id));
  return openEntryList(context, operationId, ids);
}

/** Compares every row of a copy with those of the snapshot that it was made of. @throws AppError conflict, which names the tables that differ */
export async function compareCopy(
  run: Run,
  { target, other, further }: Exchanged,
  { checksums }: Dumped,
): Promise<void> {
  const { context, signal } = run;
  const { server } = further;
  const actual = await context.tenants.with(
    other,
    (client) =>
      cancellable({ server, signal }, processIdOf(client), () => inSnapshot(client, () => readAllChecksums(client))),
    { unlimited: true },
  );
  refuseOtherRows(target.name, checksums, actual);
}

/** @throws AppError conflict */
export function refuseOtherRows(
  name: string,
  expected: readonly TableChecksum[],
  actual: readonly TableChecksum[],
): void {
  const tables = listDifferences(expected, actual);
  if (tables.length === 0) return;
  const message = `${name} was not moved: the copy has other rows of ${inWords(tables)}.`;
  throw new AppError('conflict', { message, result: { tables } });
}
