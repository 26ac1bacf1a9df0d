import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StorePlace } from '../../../../backup-stores.ts';
import { StartError } from '../../../../config.ts';
import type { Context } from '../../../../context.ts';
import type { Trx } from '../../../../db/platform.ts';
import { AppError } from '../../../../errors.ts';
import { archivePath, makeFolder, removeArchive } from '../archive/archive-store.ts';
import { insertCopies, isListed, listWholeCopies, renewPlainCopies } from './copies.repository.ts';
import { digesting } from './digesting.ts';
import { findWrongRecipient } from './encryption.ts';
import { reasonOf } from './failures.ts';
import { storeAt } from './store-at.ts';

/** What a copy is called in its store. */
export const copyName = (backupId: string, isEncrypted: boolean): string =>
  `${backupId}.dump${isEncrypted ? '.age' : ''}`;

/** Names of the stores of this server. */
export const storeNames = ({ stores }: Pick<Context, 'stores'>): string[] => stores.places.map(({ name }) => name);

/** Plans the copies of a backup, in the transaction that makes it ready. */
export async function planCopies(trx: Trx, context: Pick<Context, 'stores'>, backupId: string): Promise<void> {
  if (context.stores.places.length > 0) await insertCopies(trx, storeNames(context), backupId);
}

/**
 * Plans what new settings ask for: copies in a store that was added, and encrypted copies in place of older ones that are not. It reads
 * all backups and all copies.
 */
export async function planMissingCopies(context: Pick<Context, 'utility' | 'stores'>): Promise<void> {
  const { utility, stores } = context;
  if (stores.places.length === 0) return;
  // Without the limit of a call, which the rows of a new store pass where there are very many backups.
  await insertCopies(utility, storeNames(context));
  if (stores.recipients.length > 0) await renewPlainCopies(utility, storeNames(context));
}

/** Refuses settings of stores that cannot be used. @throws StartError */
export async function refuseUnusableStores({
  stores,
  backupDir,
}: Pick<Context, 'stores' | 'backupDir'>): Promise<void> {
  const wrong = await findWrongRecipient(stores.recipients);
  if (wrong !== undefined) {
    throw new StartError(`Recipient ${wrong} of APOTHECA_BACKUP_RECIPIENT is no public key of age (age1…)`);
  }
  if (stores.places.some((place) => place.kind === 'file' && place.path === backupDir)) {
    throw new StartError('APOTHECA_BACKUP_STORES names the folder that archives are written to: choose another one');
  }
}

/** A backup whose archive is wanted. */
interface WantedBackup {
  id: string;
  databaseName: string;
  sizeBytes: number;
  sha256: string;
}

/** The fetches of this process that are under way, by the path of the archive. */
const fetches = new Map<string, Promise<void>>();

/**
 * Looks for an archive in the folder of backups, and brings one that is gone back from a store. Whoever wants the same one meanwhile waits,
 * as each fetch needs its room.
 * @returns its size
 * @throws AppError as {@link fetchBack}; the signal's reason, also while another one's fetch goes on
 */
export async function findArchive(context: Context, backup: WantedBackup, signal?: AbortSignal): Promise<number> {
  const path = archivePath(context, backup.id);
  for (;;) {
    signal?.throwIfAborted();
    const file = await findFile(context, backup);
    if (file) return file.size;
    const other = fetches.get(path);
    // Where it fails, as its caller has gone, the next one tries.
    if (other)
      await unlessAborted(
        other.catch(() => {}),
        signal,
      );
    else {
      const own = fetchBack(context, backup, signal).finally(() => fetches.delete(path));
      fetches.set(path, own);
      await own;
    }
  }
}

/** Waits for what somebody else does, which goes on whoever has gone. @throws the signal's reason, at once */
async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort);
  await Promise.race([work, promise]).finally(() => signal?.removeEventListener('abort', abort));
}

/** @throws AppError not-found where an archive is gone, and no store has one that can be brought back */
export async function refuseLost(context: Context, backup: WantedBackup): Promise<void> {
  if (!(await findFile(context, backup))) await findCopies(context, backup);
}

/** The file of an archive; undefined where it is gone. @throws AppError store-away where the folder cannot be read: that says nothing of it */
function findFile(context: Context, { id, databaseName }: WantedBackup): Promise<{ size: number } | undefined> {
  return stat(archivePath(context, id)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    const what = `The file of this backup of ${databaseName} cannot be read in the folder of backups: ${cause.code}.`;
    throw new AppError('store-away', { message: `${what} Please try again later.` }, { cause });
  });
}

/** The stores that have an unencrypted copy. @throws AppError not-found where none has one; the message tells how to decrypt one by hand */
async function findCopies(context: Context, backup: WantedBackup): Promise<StorePlace[]> {
  const copies = await listWholeCopies(context.platform, backup.id);
  const reachable = copies.flatMap(({ store, isEncrypted }) => {
    const place = context.stores.places.find(({ name }) => name === store);
    return place && !isEncrypted ? [place] : [];
  });
  if (reachable.length === 0) throw missing(backup, copies.find(({ isEncrypted }) => isEncrypted)?.store);
  return reachable;
}

/**
 * Brings an archive that is gone from the folder of backups, or damaged there, back from a store that has an unencrypted copy.
 * @throws AppError store-away where one that cannot be read now may have it; not-found where none has, or the backup was deleted meanwhile;
 * damaged-archive
 */
export async function fetchBack(context: Context, backup: WantedBackup, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  for (const place of await findCopies(context, backup)) {
    const content = readFrom(place, backup, signal ?? new AbortController().signal);
    const failure = await keep(context, backup, content).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    signal?.throwIfAborted();
    // Nobody wants the copies of other stores of one that was deleted meanwhile.
    if (!(await isListed(context.platform, backup.id))) throw failure;
    failures.push(failure);
  }
  // A store that is away may have a whole one, whatever others have.
  throw failures.find((failure) => !isUnusable(failure)) ?? failures[0];
}

/** The unencrypted copy of a backup. @throws AppError not-found where it is gone; store-away where it cannot be read */
async function* readFrom(place: StorePlace, backup: WantedBackup, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* storeAt(place).read(copyName(backup.id, false), signal);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const what = `The file of this backup of ${backup.databaseName} is missing or damaged in the folder of backups.`;
    const message = `${what} Its copy in ${place.name} cannot be read: ${reasonOf(cause)}. Please try again later.`;
    throw new AppError('store-away', { message }, { cause });
  }
}

/** Whether an error of {@link fetchBack} says that copies are of no use, now and later. */
export const isUnusable = (error: unknown): boolean =>
  error instanceof AppError && ['damaged-archive', 'not-found'].includes(error.code);

/** The error for an archive that somebody removed from the folder of backups. */
function missing(backup: WantedBackup, encryptedIn: string | undefined): AppError {
  const { id, databaseName } = backup;
  const what = `The file of this backup of ${databaseName} is missing in the folder of backups.`;
  if (encryptedIn === undefined) return new AppError('not-found', { message: what });
  const how = `Download it, decrypt it with your key (age --decrypt), and upload the archive.`;
  return new AppError('not-found', {
    message: `${what} ${encryptedIn} has it encrypted, as ${copyName(id, true)}. ${how}`,
  });
}

/** Writes a copy into the folder of backups, where it appears when it is whole and is the very archive. */
async function keep(context: Context, backup: WantedBackup, content: AsyncIterable<Uint8Array>): Promise<void> {
  // Named as a file that a crash left: it is removed when it is old.
  const draft = join(context.backupDir, `${randomUUID()}.part`);
  try {
    await makeFolder(context);
    const { chunks, digest } = digesting(content);
    await pipeline(chunks, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }));
    const { sha256 } = digest();
    if (sha256 !== backup.sha256) {
      const message = `The copy of this backup of ${backup.databaseName} has been changed: its SHA-256 is ${sha256} instead of ${backup.sha256}.`;
      throw new AppError('damaged-archive', { message });
    }
    await rename(draft, archivePath(context, backup.id));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // One that was deleted meanwhile is not to stay here: its deletion found no file. One that is deleted from now on does.
  if (await isListed(context.platform, backup.id)) return;
  await removeArchive(context, backup.id);
  throw new AppError('not-found', { message: 'There is no such backup.' });
}
