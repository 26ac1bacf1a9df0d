import type { MomentRange } from '@apotheca/contract/moments';
import type { Context } from '../../../context.ts';
import { HOME_SERVER } from '../../../db/clusters.ts';
import type { PgBackRest } from '../../../db/embedded/pgbackrest.ts';
import type { WalArchive } from '../../../db/embedded/wal-archive.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { momentInWords } from '../../../wording.ts';
import type { DatabaseRow } from '../databases.repository.ts';
import { findArchiveRow, readArchiver } from './wal-archive.repository.ts';

/** Bytes of a file of WAL. */
const WAL_FILE = 16 * 1024 ** 2;
/** From so many waiting files on, a failure is worth telling: a single one is tried again at once. */
const MANY_WAITING = 2;

const ELSEWHERE =
  'Points in time can be chosen only where Apotheca runs PostgreSQL itself. Here DATABASE_URL names a server of its own: archive and restore it with the tools of that server.';
const OFF =
  'The archive of changes is not switched on. Set APOTHECA_WAL_ARCHIVE to a folder, best on another disk, and start the server again.';
const NOT_INSTALLED =
  'pgBackRest is not installed, so nothing is archived. Install it (Debian: pgbackrest) and start the server again.';
const NEEDS_RESTART =
  'PostgreSQL was running already when the archive was switched on or moved. Stop all servers of this installation with Ctrl-C and start them again.';
const NO_BACKUP = 'The first backup of the cluster is being made. Points in time can be chosen from its end on.';
const NOTHING_SINCE =
  'No change since the first backup of the cluster is archived yet. Points in time can be chosen as soon as one is.';

/** An archive that can be used. */
export type UsableArchive = WalArchive & { pgBackRest: PgBackRest };

/** How it stands with the archive. */
export interface ArchiveState {
  /** What keeps it from being used, in words; undefined: nothing. */
  missing: string | undefined;
  warning: string | undefined;
  earliest: Date | null;
  latest: Date | null;
  newestBackupAt: Date | null;
  /** Files of WAL that wait to be archived. */
  waiting: number;
}

/** The archive, unless something is missing. @returns what is missing, in words */
export async function findArchive(context: Context): Promise<UsableArchive | string> {
  const { walArchive } = context;
  if (context.clusterDir === undefined) return ELSEWHERE;
  if (!walArchive) return OFF;
  const { pgBackRest } = walArchive;
  if (!pgBackRest) return NOT_INSTALLED;
  const { mode, command } = await readArchiver(context.platform);
  return mode === 'on' && command === pgBackRest.archiveCommand ? { ...walArchive, pgBackRest } : NEEDS_RESTART;
}

/** The archive. @throws AppError conflict saying what is missing */
export async function getArchive(context: Context): Promise<UsableArchive> {
  const archive = await findArchive(context);
  if (typeof archive === 'string') throw new AppError('conflict', { message: archive });
  return archive;
}

export async function readArchiveState(context: Context): Promise<ArchiveState> {
  const none = { earliest: null, latest: null, newestBackupAt: null, waiting: 0 };
  const archive = await findArchive(context);
  if (typeof archive === 'string') {
    // Where nobody asked for it nothing is wrong.
    return { ...none, missing: archive, warning: context.walArchive && archive };
  }
  const archiver = await readArchiver(context.platform);
  const row = await findArchiveRow(context.platform);
  const { lastArchivedAt, lastFailedAt, waiting } = archiver;
  const isFailing = lastFailedAt !== null && waiting > 0 && (lastArchivedAt === null || lastFailedAt > lastArchivedAt);
  const warnings = [
    isFailing && waiting >= MANY_WAITING && describeFailing(archive, waiting, lastArchivedAt),
    row.failedAt && `The backup of the cluster failed at ${momentInWords(row.failedAt)}: ${row.failure}`,
  ].filter((warning) => typeof warning === 'string');
  const earliest = row.folder === archive.folder ? row.earliestMoment : null;
  // PostgreSQL forgets when it archived last in a crash.
  const latest = isFailing ? (lastArchivedAt ?? earliest) : context.now();
  return {
    missing: whyNone(earliest, latest),
    warning: warnings.length > 0 ? warnings.join(' ') : undefined,
    earliest,
    latest,
    newestBackupAt: row.newestBackupAt,
    waiting,
  };
}

/** Why no moment can be chosen; undefined: one can. The first one is up to a second after its backup, so it may still be to come. */
function whyNone(earliest: Date | null, latest: Date | null): string | undefined {
  if (!earliest || !latest) return NO_BACKUP;
  return latest < earliest ? NOTHING_SINCE : undefined;
}

function describeFailing({ folder }: WalArchive, waiting: number, lastArchivedAt: Date | null): string {
  const since = lastArchivedAt ? ` since ${momentInWords(lastArchivedAt)}` : '';
  const megabytes = Math.ceil((waiting * WAL_FILE) / 1_000_000);
  return `Changes have not been archived${since}: pgBackRest cannot write to ${folder}, which may be full or away. PostgreSQL keeps ${megabytes} MB on its own disk until it can, and more each minute.`;
}

/** The range of moments, for screens. */
export async function getMomentRange(context: Context): Promise<MomentRange> {
  const { missing, warning, earliest, latest } = await readArchiveState(context);
  const range = missing === undefined ? { earliest, latest } : undefined;
  return {
    earliestOnUtc: range?.earliest?.toISOString() ?? null,
    latestOnUtc: range?.latest?.toISOString() ?? null,
    missing: missing ?? '',
    warning: warning ?? '',
  };
}

/** Refuses a moment that the archive does not have. @throws AppError conflict, invalid */
export async function refuseOtherMoments(context: Context, moment: Date): Promise<void> {
  const { missing, earliest, latest } = await readArchiveState(context);
  if (missing !== undefined || !earliest || !latest) throw new AppError('conflict', { message: missing ?? NO_BACKUP });
  if (moment >= earliest && moment <= latest) return;
  const range = `from ${momentInWords(earliest)} to ${momentInWords(latest)}`;
  throw fieldError('invalid', 'moment', `Points in time can be chosen ${range}.`);
}

/** Refuses a database of another server than the home one: only changes of that are archived. @throws AppError conflict */
export function refuseOtherServer({ name, serverId }: DatabaseRow): void {
  if (serverId === HOME_SERVER) return;
  const message = `${name} lives on another server than the one whose changes are archived.`;
  throw new AppError('conflict', { message });
}
