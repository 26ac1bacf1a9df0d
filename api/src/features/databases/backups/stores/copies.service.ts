import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartError } from '../../../../config.ts';
import type { Context } from '../../../../context.ts';
import type { Trx } from '../../../../db/platform.ts';
import { AppError } from '../../../../errors.ts';
import { archivePath } from '../archive/archive-store.ts';
import { insertCopies, listWholeCopies, renewPlainCopies } from './copies.repository.ts';
import { digesting } from './digesting.ts';
import { findWrongRecipient } from './encryption.ts';
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

const fetches = new Map<string, Promise<void>>();

/**
 * Brings an archive that is gone from the folder of backups, or damaged there, back from a store that has an unencrypted copy. Calls that
 * want the same one at once share it: a client whose wait for the answer is over asks again.
 * @param signal of an operation, which can be cancelled: it has a fetch of its own
 * @throws AppError not-found where no store has one; the message tells how to decrypt one by hand. damaged-archive
 */
export function fetchBack(context: Context, backup: WantedBackup, signal?: AbortSignal): Promise<void> {
  if (signal) return bringBack(context, backup, signal);
  const shared = fetches.get(backup.id) ?? bringBack(context, backup).finally(() => fetches.delete(backup.id));
  fetches.set(backup.id, shared);
  return shared;
}

async function bringBack(context: Context, backup: WantedBackup, signal?: AbortSignal): Promise<void> {
  const copies = await listWholeCopies(context.platform, backup.id);
  const reachable = copies.flatMap(({ store, isEncrypted }) => {
    const place = context.stores.places.find(({ name }) => name === store);
    return place && !isEncrypted ? [place] : [];
  });
  if (reachable.length === 0) throw missing(backup, copies.find(({ isEncrypted }) => isEncrypted)?.store);
  const failures: unknown[] = [];
  for (const place of reachable) {
    const name = copyName(backup.id, false);
    const content = storeAt(place).read(name, signal ?? new AbortController().signal);
    const failure = await keep(context, backup, content).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    failures.push(failure);
  }
  throw failures[0];
}

/** The error for an archive that somebody removed from the folder of backups. */
function missing({ id, databaseName }: WantedBackup, encryptedIn: string | undefined): AppError {
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
}
