import { open, rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Context } from '../../../context.ts';
import { allowConnections } from '../../../db/cluster/database-sessions.ts';
import { unfinishedMark } from '../../../db/cluster/ownership-mark.ts';
import { asCluster } from '../../../db/cluster/session.ts';
import { type Cluster, type Clusters, HOME_SERVER } from '../../../db/clusters.ts';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { makeWatch, Pulse } from '../../../db/connections/watch.ts';
import { PgBackRestError } from '../../../db/embedded/pgbackrest.ts';
import type { ScratchCluster, ScratchFiles } from '../../../db/embedded/scratch-cluster.ts';
import { openPlatform } from '../../../db/platform.ts';
import { connectTenants, openDatabaseConnections } from '../../../db/tenant-connection.ts';
import { AppError } from '../../../errors.ts';
import type { Run } from '../../../operations/operation-kind.ts';
import { momentInWords } from '../../../wording.ts';
import { type DumpedDatabase, dumpDatabase } from '../backups/database-dump.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { firstMomentOf, unbroken } from './cluster-backups.ts';
import type { ScratchFolder } from './scratch-folders.ts';
import { findArchiveRow, findDatabase, isWaiting, readArchiver, switchWal } from './wal-archive.repository.ts';
import { getArchive, type UsableArchive } from './wal-archive.service.ts';

/** How long the archive may take for what was written up to now, in milliseconds. */
const ARCHIVING_TIME = 60_000;
const POLL = 50;
const TENANT_CONNECTIONS = 2;
const CONNECTIONS = 3;
/** After so many files of WAL the progress is at half. */
const HALF_REPLAYED = 50;

/** Smaller ones are of PostgreSQL's own databases. */
const FIRST_OWN_OID = 16_384;

/** A database, and the moment as of which it is wanted. */
interface Wanted {
  source: DatabaseRow;
  moment: Date;
}

/**
 * Writes an archive of a database as it was at a moment: pgBackRest restores the cluster's files beside, with those of this database
 * only, a second PostgreSQL replays the changes up to the moment, and pg_dump dumps the database there. Goes on to the steps 0, 1 and 2.
 * @throws AppError conflict, not-found, disk-full
 */
export async function dumpMoment(run: Run, wanted: Wanted, folder: ScratchFolder): Promise<DumpedDatabase> {
  await run.step(0);
  const archive = await getArchive(run.context);
  await archiveUpToNow(run, wanted.moment);
  const restored = await restoreFiles(run, archive, wanted, folder);
  await run.step(1);
  const cluster = await replay(run, archive, { ...restored, ...wanted, folder });
  try {
    await run.step(2);
    return await dumpFrom(run, cluster, wanted.source, folder.archivePath);
  } finally {
    await cluster.close();
    await rm(folder.clusterDir, { recursive: true, force: true });
  }
}

/** Waits until the archive has what was written up to the moment: PostgreSQL archives a file of WAL when it is full, or after a minute. */
async function archiveUpToNow({ connection, signal }: Run, moment: Date): Promise<void> {
  const file = await switchWal(connection);
  const deadline = performance.now() + ARCHIVING_TIME;
  while (await isWaiting(connection, file)) {
    if (performance.now() > deadline) {
      // The archive is away now, but may have what was written by then.
      const { lastArchivedAt } = await readArchiver(connection);
      if (lastArchivedAt && lastArchivedAt > moment) return;
      const message = `The changes up to ${momentInWords(moment)} are not archived yet. Please look at what the archive of changes lacks, and try again.`;
      throw new AppError('conflict', { message });
    }
    await setTimeout(POLL, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

interface Restored {
  label: string;
  /** The databases of the backup. */
  databases: { name: string; oid: number }[];
  /** The one whose files were restored; undefined: all. */
  only: string | undefined;
}

async function restoreFiles(
  run: Run,
  { pgBackRest }: UsableArchive,
  { source, moment }: Wanted,
  { clusterDir }: ScratchFolder,
): Promise<Restored> {
  try {
    const { unbrokenSince } = await findArchiveRow(run.connection);
    const backups = unbroken(await pgBackRest.listBackups(), unbrokenSince);
    const backup = backups.findLast((each) => firstMomentOf(each) <= moment);
    if (!backup) throw new AppError('conflict', { message: `No backup leads to ${momentInWords(moment)} any more.` });
    const { label } = backup;
    const databases = await pgBackRest.listDatabases(label);
    // A database that is newer than the backup comes from the changes alone.
    const only = databases.some(({ name }) => name === source.physicalName) ? source.physicalName : undefined;
    await pgBackRest.restore(clusterDir, { label, moment, only }, run.signal);
    return { label, databases, only };
  } catch (error) {
    throw explained(error, 'The files could not be restored');
  }
}

/** Starts PostgreSQL on the restored files. @returns it, with a whole database of the wanted name */
async function replay(
  run: Run,
  archive: UsableArchive,
  { label, databases, only, source, moment, folder }: Restored & Wanted & { folder: ScratchFolder },
): Promise<ScratchCluster> {
  const { clusterDir } = folder;
  const emptied = emptiedOf(databases, only);
  const cluster = await openAt(run, archive, { dataDir: clusterDir, emptied }, moment);
  try {
    const mark = await unfinishedMark(run.context.clusters.home.platform);
    const found = await withPlatform(run.context, cluster, ({ platform }) =>
      findDatabase(platform, source.physicalName, mark),
    );
    if (!found)
      throw new AppError('not-found', { message: `${source.name} did not exist at ${momentInWords(moment)}.` });
    if (found.isUnfinished) {
      throw new AppError('conflict', { message: `${source.name} was still being made at ${momentInWords(moment)}.` });
    }
    const wasNamed = databases.find(({ oid }) => oid === found.oid)?.name;
    if (only === undefined || wasNamed === undefined || wasNamed === only) return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }
  // Between backup and moment another database took its name, as a restore does: that one's files are wanted.
  await cluster.close();
  await rm(clusterDir, { recursive: true, force: true });
  await archive.pgBackRest
    .restore(clusterDir, { label, moment, only: undefined }, run.signal)
    .catch((error: unknown) => {
      throw explained(error, 'The files could not be restored');
    });
  return openAt(run, archive, { dataDir: clusterDir, emptied: new Set() }, moment);
}

/** The databases of the backup whose files pgBackRest leaves empty where one is chosen. PostgreSQL's own it always restores. */
const emptiedOf = (databases: Restored['databases'], only: string | undefined): ReadonlySet<number> =>
  new Set(
    only === undefined
      ? []
      : databases.filter(({ name, oid }) => name !== only && oid >= FIRST_OWN_OID).map(({ oid }) => oid),
  );

function openAt(run: Run, archive: UsableArchive, files: ScratchFiles, moment: Date): Promise<ScratchCluster> {
  let replayed = 0;
  // How many files there are is known at the end only.
  const onReplay = () => {
    replayed += 1;
    run.progress(replayed / (replayed + HALF_REPLAYED));
  };
  return archive.openScratchCluster(files, run.signal, onReplay).catch((error: unknown) => {
    throw explained(error, `The changes up to ${momentInWords(moment)} could not be replayed`);
  });
}

async function dumpFrom(run: Run, cluster: ScratchCluster, source: DatabaseRow, path: string): Promise<DumpedDatabase> {
  const file = await open(path, 'wx', 0o600);
  await file.close();
  return withPlatform(run.context, cluster, async (context) => {
    // It may just have been copied at the moment.
    await allowConnections(context.clusters.home.platform, source.physicalName, true);
    return dumpDatabase(context, source, path, run);
  });
}

/** Runs `work` with the context of the second PostgreSQL. */
async function withPlatform<T>(
  context: Context,
  { port }: ScratchCluster,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const url = new URL(withDatabaseName(context.databaseUrl, 'postgres'));
  url.port = String(port);
  const { pool, platform } = openPlatform({ url: url.href, maxConnections: CONNECTIONS, kind: 'operation' });
  const limits = { pulse: new Pulse(), watch: makeWatch(pool) };
  const cluster = asCluster(platform);
  const home: Cluster = {
    id: HOME_SERVER,
    url: url.href,
    platform: cluster,
    utility: cluster,
    connections: openDatabaseConnections(url.href, TENANT_CONNECTIONS, limits, cluster),
    limits,
    template: context.clusters.home.template,
  };
  const clusters: Clusters = {
    home,
    of: async () => home,
    list: async () => [{ id: HOME_SERVER, name: '' }],
    onError: context.clusters.onError,
    close: async () => {},
  };
  try {
    return await work({ ...context, pool, platform, utility: platform, clusters, tenants: connectTenants(clusters) });
  } finally {
    await platform.destroy();
  }
}

/** @param what could not be done */
function explained(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error.name === 'AbortError') return error;
  const message = `${what}: ${error.message}`;
  if (/No space left on device|Disk quota exceeded/.test(message)) return new AppError('disk-full', { message });
  const isArchives = error instanceof PgBackRestError || /recovery ended before/.test(message);
  return new AppError(isArchives ? 'conflict' : 'internal', { message }, { cause: error });
}
