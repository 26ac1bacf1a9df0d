import type { LeftOutObject } from '@apotheca/contract/backups';
import type { OperationStep, Run } from '../../../operations/operation-kind.ts';
import { dropAndUnregister } from '../database-dropping.ts';
import { type DatabaseRow, findDatabaseById } from '../databases.repository.ts';
import { restoreAdditionalObjects } from './additional-objects.ts';
import { readContents } from './archive/archive.ts';
import type { RestorableArchive } from './archive/archive-loading.ts';
import { archivePath, removeEntryList } from './archive/archive-store.ts';
import type { BackupRow } from './backups.repository.ts';
import { verifyStoredArchive } from './backups.service.ts';
import { readRestoreContents } from './restore-contents.ts';
import { verifyKeys } from './restored-keys.ts';
import { loadRows, rebuildConstraints, verifyAndUpgrade } from './restored-rows.ts';

/** How long it may count the rows of tables that are not restored, in milliseconds. */
const COUNTING_TIME = 60_000;

/** How many steps {@link restoreArchive} has: the index of the step that follows. */
export const RESTORE_STEPS = 4;

/**
 * The steps of {@link restoreArchive}.
 * @param givenUpBecause what is said after a crash while it reads an archive, which may come from anywhere
 */
export const restoreSteps = (givenUpBecause: string): OperationStep[] => [
  { name: 'Checking the archive', cancellable: true, givenUpBecause },
  { name: 'Loading', cancellable: true, givenUpBecause },
  { name: 'Building indexes', cancellable: true },
  { name: 'Verifying', cancellable: true },
];

/** What has been restored. */
interface RestoredArchive {
  rows: number;
  leftOut: LeftOutObject[];
  /** What the rows were compared with: nothing is known of an uploaded archive without a manifest. */
  comparedWith: 'checksums' | 'counts' | 'nothing';
}

/**
 * Makes the database of a registry row in state 'creating' from a backup, and compares it with what the backup says of its rows, keys and
 * indexes. Nobody but the administrator can connect to it: its role is dropped again.
 * @param check is told what will be left out, before anything is loaded: it may throw
 * @throws AppError damaged-archive, which names the tables where it can; not-found when the archive is missing
 */
export async function restoreArchive(
  run: Run,
  row: DatabaseRow,
  backup: BackupRow,
  check?: (leftOut: LeftOutObject[]) => void,
): Promise<RestoredArchive> {
  const { context, signal } = run;
  await run.step(0);
  await verifyStoredArchive(context, backup, signal);
  const path = archivePath(context, backup.id);
  const contents = await readContents(await context.findTools(), path, signal);
  const more = await readRestoreContents(context, backup, run.server, { limit: COUNTING_TIME, signal });
  check?.(more.leftOut);
  const archive = { ...contents, ...more, path, rowCounts: backup.rowCounts };
  const rows = await loadArchive(run, row, archive, 1);
  const { leftOut, manifest, rowCounts } = archive;
  return { rows, leftOut, comparedWith: manifest ? 'checksums' : rowCounts ? 'counts' : 'nothing' };
}

/**
 * Loads an archive that has been read into the database of a registry row in state 'creating', and compares it.
 * @param firstStep the index of 'Loading' among the operation's steps
 * @returns how many rows it has @throws AppError damaged-archive
 */
export async function loadArchive(
  run: Run,
  row: DatabaseRow,
  archive: RestorableArchive,
  firstStep: number,
): Promise<number> {
  await run.step(firstStep);
  const rebuilds = await loadRows(run, row, archive);
  await run.step(firstStep + 1);
  await rebuildConstraints(run, row, rebuilds);
  await run.step(firstStep + 2);
  const rows = await verifyAndUpgrade(run, row, archive);
  await restoreAdditionalObjects(run, row, archive);
  await verifyKeys(run, row, archive);
  return rows;
}

/** Drops what {@link restoreArchive} has made, or an earlier run of it. Each part may have been done before. */
export async function discardRestored(run: Run): Promise<void> {
  const { context, connection, operationId } = run;
  await removeEntryList(context, operationId);
  const row = await findDatabaseById(connection, operationId);
  if (row && row.state !== 'parked') await dropAndUnregister(run, row, async () => {});
}
