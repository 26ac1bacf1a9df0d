import type { Context } from '../../../context.ts';
import type { ClusterBackup } from '../../../db/embedded/pgbackrest.ts';
import { IDLE, startWorker, type Worker } from '../../../worker.ts';
import { removeLeftScratch } from './scratch-folders.ts';
import { findArchiveRow, ifNobodyBacksUp, readArchiver, setArchiveRow } from './wal-archive.repository.ts';
import { findArchive, readArchiveState, type UsableArchive } from './wal-archive.service.ts';

/** How often it is looked whether a backup is due, in milliseconds. */
const TICK = 60_000;
const DAY = 86_400_000;
/** The age at which the newest full backup is followed by another one. */
const FULL_AFTER = 7 * DAY;
/** The age at which the newest backup is followed by one of what has changed since the last full one. */
const DIFFERENTIAL_AFTER = DAY;
/** The pause after a failure, in milliseconds. */
const RETRY_AFTER = 600_000;
/** How often the log is told of the same trouble, in milliseconds. */
const TOLD_EVERY = 3_600_000;

/**
 * Keeps backups of the cluster until it is stopped. It has a clock of its own, as a full backup may take hours. Every server process has
 * one: by an advisory lock one at a time makes backups.
 */
export function startClusterBackups(context: Context, onError: (error: unknown) => void): Worker {
  if (context.clusterDir === undefined) return IDLE;
  const tell = rarely(onError);
  return startWorker(async (stopping) => {
    // What cannot be removed keeps no backup from being made.
    await removeLeftScratch(context).catch(onError);
    await tick(context, stopping, tell).catch(onError);
    return TICK;
  });
}

/** Tells of a trouble once, and again when it is another one or has lasted for an hour. */
function rarely(onError: (error: unknown) => void): (trouble: string | undefined) => void {
  let last: { trouble: string | undefined; at: number } | undefined;
  return (trouble) => {
    // Figures in it change each minute.
    const kind = trouble?.replace(/\d+/g, '');
    if (last && last.trouble === kind && performance.now() - last.at < TOLD_EVERY) return;
    last = { trouble: kind, at: performance.now() };
    if (trouble !== undefined) onError(new Error(trouble));
  };
}

async function tick(context: Context, signal: AbortSignal, tell: (trouble: string | undefined) => void): Promise<void> {
  await context.utility.connection().execute((connection) =>
    ifNobodyBacksUp(connection, async () => {
      const archive = await findArchive(context);
      if (typeof archive === 'string') await noteGap(context);
      else await backUpWhenDue(context, archive, signal);
    }),
  );
  if (!signal.aborted) tell((await readArchiveState(context)).warning);
}

/** What PostgreSQL writes now is not archived, so older backups lead to no moment after this one. */
async function noteGap({ platform, walArchive }: Context): Promise<void> {
  // Another server process has the setting, and PostgreSQL was started by that one.
  if (!walArchive && (await readArchiver(platform)).mode === 'on') return;
  const { unbrokenSince } = await findArchiveRow(platform);
  if (unbrokenSince) await setArchiveRow(platform, NO_BACKUPS);
}

/** What is known of the backups where none leads to a moment. */
const NO_BACKUPS = { unbrokenSince: null, earliestMoment: null, newestBackupAt: null };

const NO_FAILURE = { failedAt: null, failure: '' };

/** @throws nothing that pgBackRest says: it is noted, and tried again after a pause */
async function backUpWhenDue(context: Context, archive: UsableArchive, signal: AbortSignal): Promise<void> {
  const { platform, databaseUrl } = context;
  const { pgBackRest, folder } = archive;
  const row = await findArchiveRow(platform);
  const now = context.now();
  if (isPausing(row.failedAt, now)) return;
  // The first one was made by a clock that was ahead.
  if (row.unbrokenSince && row.unbrokenSince > now) await setArchiveRow(platform, NO_BACKUPS);
  try {
    const since = row.folder === folder ? row.unbrokenSince : null;
    const usable = unbroken(made(await pgBackRest.listBackups(), now), since);
    const type = dueBackup(usable, now);
    if (!type) {
      // What failed is the look at an archive that was away: no backup was due, and none is for up to a day. Else what follows a backup failed.
      const isNoted = usable.at(-1)?.endedAt.getTime() === row.newestBackupAt?.getTime();
      if (row.failedAt && isNoted) await setArchiveRow(platform, NO_FAILURE);
      return;
    }
    if (usable.length === 0) await pgBackRest.ensureStanza(databaseUrl);
    await pgBackRest.backUp(databaseUrl, type, signal);
    const all = made(await pgBackRest.listBackups(), context.now());
    const unbrokenSince = (usable.length > 0 ? since : all.at(-1)?.startedAt) ?? null;
    const [oldest, ...later] = unbroken(all, unbrokenSince);
    const newest = later.at(-1) ?? oldest;
    await setArchiveRow(platform, {
      folder,
      unbrokenSince,
      earliestMoment: oldest ? firstMomentOf(oldest) : null,
      newestBackupAt: newest?.endedAt ?? null,
      ...NO_FAILURE,
    });
  } catch (error) {
    if (signal.aborted) return;
    const failure = error instanceof Error ? error.message : String(error);
    await setArchiveRow(platform, { failedAt: context.now(), failure });
  }
}

/** Whether it is too early to try again. A failure that a clock noted that was ahead pauses nothing. */
export const isPausing = (failedAt: Date | null, now: Date): boolean =>
  failedAt !== null && failedAt <= now && now.getTime() - failedAt.getTime() < RETRY_AFTER;

/** The backups without those of a clock that was ahead, which lead to no moment that can be chosen. */
export const made = (backups: readonly ClusterBackup[], now: Date): ClusterBackup[] =>
  backups.filter(({ startedAt }) => startedAt <= now);

/** The backups since which no WAL is missing, oldest first. */
export const unbroken = (backups: readonly ClusterBackup[], since: Date | null): ClusterBackup[] =>
  since ? backups.filter(({ startedAt }) => startedAt >= since) : [];

/** The first moment that a backup leads to. pgBackRest knows its end to the second. */
export const firstMomentOf = ({ endedAt }: ClusterBackup): Date => new Date(endedAt.getTime() + 1_000);

/** @param backups oldest first */
export function dueBackup(backups: readonly ClusterBackup[], now: Date): 'full' | 'diff' | undefined {
  const isOlder = (backup: ClusterBackup, age: number) => now.getTime() - backup.startedAt.getTime() >= age;
  const full = backups.findLast(({ isFull }) => isFull);
  if (!full || isOlder(full, FULL_AFTER)) return 'full';
  const newest = backups.at(-1) ?? full;
  return isOlder(newest, DIFFERENTIAL_AFTER) ? 'diff' : undefined;
}
