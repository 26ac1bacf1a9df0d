import { access } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { archivePath } from '../features/databases/backups/archive/archive-store.ts';
import { restoreOperation } from '../features/databases/backups/restore.operation.ts';
import { reasonOf } from '../features/databases/backups/stores/failures.ts';
import { momentInWords } from '../wording.ts';
import { findDatabases } from './found-databases.ts';
import { type Candidate, listCandidates, type RegisteredDatabase } from './recovery.repository.ts';
import { runOperation, waitForEarlierOperations } from './recovery-operations.ts';
import { fetchArchive, isUnusable, type Recovery } from './stored-archives.ts';

/** How many databases are restored at once: what the server does by itself. */
const AT_ONCE = 2;

/** Restores every database that its server does not have, from the newest archive that can be used. @returns why others could not be used, by database */
export async function restoreLost(recovery: Recovery): Promise<Map<string, string[]>> {
  const { context } = recovery;
  await waitForEarlierOperations(recovery);
  const { lost } = await findDatabases(context, 'ready');
  const reasons = new Map<string, string[]>();
  const work = async () => {
    for (let next = lost.shift(); next; next = lost.shift()) reasons.set(next.id, await restoreOne(recovery, next));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return reasons;
}

async function restoreOne(recovery: Recovery, database: RegisteredDatabase): Promise<string[]> {
  const reasons: string[] = [];
  const { context } = recovery;
  for (const candidate of await listCandidates(context.platform, database.id, context.now())) {
    try {
      await bringArchive(recovery, candidate);
      await restoreFrom(context, database, candidate.id);
      recovery.say(`${database.name}: restored from its backup of ${momentInWords(candidate.createdAt)}`);
      return reasons;
    } catch (error) {
      recovery.signal.throwIfAborted();
      reasons.push(`the backup of ${momentInWords(candidate.createdAt)} cannot be used: ${reasonOf(error)}`);
      // Another run may find it: no older one is taken in its place.
      if (!isUnusable(error)) return reasons;
    }
  }
  return reasons;
}

/** Fetches the archive of a backup from the first store that has a whole one, unless it is here. */
async function bringArchive(recovery: Recovery, { id, sha256, copies }: Candidate): Promise<void> {
  const { context } = recovery;
  const isHere = await access(archivePath(context, id)).then(
    () => true,
    () => false,
  );
  if (isHere) return;
  let failure: unknown = new AppError('not-found', { message: 'no store that is given has it' });
  for (const { store, isEncrypted } of copies) {
    const place = context.stores.places.find(({ name }) => name === store);
    if (!place) continue;
    try {
      await fetchArchive(recovery, place, { id, isEncrypted, sha256 });
      return;
    } catch (error) {
      recovery.signal.throwIfAborted();
      // A store that is away may have a whole one.
      if (isUnusable(failure)) failure = error;
    }
  }
  throw failure;
}

/** Restores as people do over a database that PostgreSQL has lost: role, password and physical name stay. */
function restoreFrom(context: Context, { id, name }: RegisteredDatabase, backupId: string): Promise<void> {
  return runOperation(context, restoreOperation, { backupId, databaseName: name, databaseId: id });
}
