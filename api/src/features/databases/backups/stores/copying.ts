import { createReadStream } from 'node:fs';
import { SERVER_ACTOR } from '../../../../actor.ts';
import { appendAudit } from '../../../../audit/audit.service.ts';
import type { StorePlace } from '../../../../backup-stores.ts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../errors.ts';
import { archivePath } from '../archive/archive-store.ts';
import type { BackupStore } from './backup-store.ts';
import {
  type ClaimedCopy,
  deleteCopyRow,
  isWanted,
  type StoredCopy,
  setCopied,
  setFailed,
} from './copies.repository.ts';
import { copyName } from './copies.service.ts';
import { describeDamage } from './damaged-tables.ts';
import { type ByteRange, changedRanges, digesting, digestingPieces, type PiecewiseDigest } from './digesting.ts';
import { encryptFor } from './encryption.ts';
import { isWorthALine, pauseAfter, reasonOf } from './failures.ts';
import { storeAt } from './store-at.ts';

const DAY_SECONDS = 86_400;

/** Bytes of the archive that are read at once. */
const CHUNK = 1024 * 1024;

/** In how many seconds a copy is read back. */
export const nextCheck = ({ proofs }: Pick<Context, 'proofs'>): number => proofs.cycleDays * DAY_SECONDS;

/** Does what is due with a copy: makes it, reads it back, or removes it; and notes how that ended. */
export async function carryOut(
  context: Context,
  place: StorePlace,
  copy: ClaimedCopy,
  { signal, onError }: { signal: AbortSignal; onError: (error: unknown) => void },
): Promise<void> {
  const store = storeAt(place);
  try {
    if (copy.state === 'deleting') await remove(context, store, copy, signal);
    else {
      const stored =
        copy.state === 'copied' ? await check(context, store, copy, signal) : await make(context, store, copy, signal);
      const wasMine = await setCopied(context.platform, copy, stored, nextCheck(context));
      // Removed from the store before this attempt began to write: nobody else would find what it has written.
      if (!wasMine && !(await isWanted(context.platform, copy))) await removeFrom(store, copy, signal);
    }
  } catch (error) {
    if (signal.aborted) throw error;
    await noteFailure(context, copy, error, onError);
  }
}

async function remove(context: Context, store: BackupStore, copy: ClaimedCopy, signal: AbortSignal): Promise<void> {
  await removeFrom(store, copy, signal);
  await deleteCopyRow(context.platform, copy);
}

async function removeFrom(store: BackupStore, { backupId }: ClaimedCopy, signal: AbortSignal): Promise<void> {
  for (const isEncrypted of [true, false]) await store.remove(copyName(backupId, isEncrypted), signal);
}

/** @throws AppError damaged-archive, not-found when the copy is no longer what was stored */
async function check(
  context: Context,
  store: BackupStore,
  copy: ClaimedCopy,
  signal: AbortSignal,
): Promise<StoredCopy> {
  const { isEncrypted, sizeBytes, sha256, pieces } = copy;
  const name = copyName(copy.backupId, isEncrypted);
  await compare(store, name, { sizeBytes, sha256, pieces }, signal, (changed) =>
    describeDamage(context, copy, changed),
  );
  return { isEncrypted, sizeBytes, sha256, pieces };
}

async function make(context: Context, store: BackupStore, copy: ClaimedCopy, signal: AbortSignal): Promise<StoredCopy> {
  const { recipients } = context.stores;
  const isEncrypted = recipients.length > 0;
  const name = copyName(copy.backupId, isEncrypted);
  const archive = readArchive(context, copy, signal);
  const plain = { content: archive, sizeBytes: copy.archive.sizeBytes };
  const wanted = isEncrypted ? await encryptFor(recipients, plain.content, plain.sizeBytes) : plain;
  const { chunks, digest } = digestingPieces(wanted.content, wanted.sizeBytes);
  const isProved = await store.put({ name, content: chunks, sizeBytes: wanted.sizeBytes, signal });
  const sent = digest();
  if (!isProved) await compare(store, name, sent, signal);
  // Of the time before a recipient was set.
  if (isEncrypted) await store.remove(copyName(copy.backupId, false), signal);
  return { isEncrypted, ...sent };
}

/** Reads an archive, and fails at its end when it is not the one that the list has: a damaged one is not to replace a whole copy. */
async function* readArchive(context: Context, { backupId, archive }: ClaimedCopy, signal: AbortSignal) {
  const file = createReadStream(archivePath(context, backupId), { highWaterMark: CHUNK, signal });
  const { chunks, digest } = digesting(file);
  try {
    yield* chunks;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('not-found', { message: 'The archive is missing in the folder of backups.' }, { cause: error });
  }
  const { sha256 } = digest();
  if (sha256 === archive.sha256) return;
  const message = `The stored archive has been changed: its SHA-256 is ${sha256} instead of ${archive.sha256}.`;
  throw new AppError('damaged-archive', { message });
}

/** @param describe says more of parts that were changed @throws AppError damaged-archive, not-found */
async function compare(
  store: BackupStore,
  name: string,
  expected: PiecewiseDigest,
  signal: AbortSignal,
  describe?: (changed: ByteRange[]) => Promise<string>,
): Promise<void> {
  const { chunks, digest } = digestingPieces(store.read(name, signal), expected.sizeBytes);
  for await (const _chunk of chunks);
  const found = digest();
  if (found.sizeBytes === expected.sizeBytes && found.sha256 === expected.sha256) return;
  const more = await describe?.(changedRanges(expected, found));
  const message = `The copy has been changed: it has ${found.sizeBytes} bytes with the SHA-256 ${found.sha256} instead of ${expected.sizeBytes} with ${expected.sha256}.${more ?? ''}`;
  throw new AppError('damaged-archive', { message });
}

/** A copy that was found damaged or gone is made anew; one that could not be read is still believed. */
async function noteFailure(
  context: Context,
  copy: ClaimedCopy,
  error: unknown,
  onError: (error: unknown) => void,
): Promise<void> {
  const reason = reasonOf(error);
  const isDamaged = copy.state === 'copied' && error instanceof AppError;
  const state = copy.state === 'copying' || isDamaged ? 'failed' : copy.state;
  const pause = pauseAfter(copy.attempts);
  await context.platform.transaction().execute(async (trx) => {
    const wasMine = await setFailed(trx, copy, { state, reason, isDamaged, pause });
    if (!wasMine || !isDamaged) return;
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      action: 'databases.copy-damaged',
      entity: 'databases',
      entityId: copy.backupId,
      changes: { databaseName: copy.databaseName, store: copy.store, reason },
    });
  });
  if (!isDamaged && !isWorthALine(copy.attempts)) return;
  onError(new Error(`The copy of backup ${copy.backupId} in ${copy.store} has failed: ${reason}`));
}
