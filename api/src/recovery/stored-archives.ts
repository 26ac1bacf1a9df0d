import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StorePlace } from '../backup-stores.ts';
import type { Context } from '../context.ts';
import { AppError } from '../errors.ts';
import { readContents, readSourceName } from '../features/databases/backups/archive/archive.ts';
import { isPlatformTable } from '../features/databases/backups/archive/archive-objects.ts';
import { verifySeal } from '../features/databases/backups/archive/archive-seal.ts';
import { findOrigin } from '../features/databases/backups/archive/archive-signature.ts';
import { archivePath } from '../features/databases/backups/archive/archive-store.ts';
import { damaged } from '../features/databases/backups/archive/damaged-archive.ts';
import { copyName } from '../features/databases/backups/stores/copies.service.ts';
import { type Digest, digesting } from '../features/databases/backups/stores/digesting.ts';
import type { Identities } from '../features/databases/backups/stores/encryption.ts';
import { reasonOf } from '../features/databases/backups/stores/failures.ts';
import { storeAt } from '../features/databases/backups/stores/store-at.ts';
import {
  deleteLostBackups,
  deleteMissingCopies,
  type FoundBackup,
  type KnownCopy,
  listKnownCopies,
  noteBackup,
  noteCopy,
} from './recovery.repository.ts';

/** What a recovery works with. */
export interface Recovery {
  context: Context;
  identities: Identities;
  signal: AbortSignal;
  /** Tells people what goes on. */
  say(line: string): void;
}

interface StoredArchive {
  id: string;
  isEncrypted: boolean;
  storedAt: Date;
}

const ARCHIVE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.dump(\.age)?$/;

/**
 * Makes the list of backups true: takes in archives that the stores have and the control database does not know, and forgets those that no
 * store has any more.
 * @returns what went wrong: stores that cannot be read, and archives that cannot be used
 */
export async function compareWithStores(recovery: Recovery): Promise<string[]> {
  const { context, say } = recovery;
  const problems: string[] = [];
  for (const place of context.stores.places) {
    const archives = await listStored(place, recovery.signal).catch((error: unknown) => {
      problems.push(`${place.name} cannot be read: ${reasonOf(error)}`);
    });
    if (archives) problems.push(...(await compareWithStore(recovery, place, archives)));
  }
  // What a store has that cannot be read now is still believed.
  if (problems.length > 0) return problems;
  const lost = await deleteLostBackups(context.platform, await listArchives(context));
  if (lost > 0) say(`Backups that are off the list, as no store has them: ${lost}`);
  return problems;
}

async function compareWithStore(
  recovery: Recovery,
  place: StorePlace,
  archives: readonly StoredArchive[],
): Promise<string[]> {
  const { context, signal } = recovery;
  const problems: string[] = [];
  const known = new Map((await listKnownCopies(context.platform, place.name)).map((each) => [each.id, each]));
  for (const archive of archives) {
    const one = known.get(archive.id);
    const isKnown = one?.isStored && one.isEncrypted === archive.isEncrypted;
    if (isKnown || one?.state === 'deleting') continue;
    await takeIn(recovery, place, archive, one).catch((error: unknown) => {
      signal.throwIfAborted();
      problems.push(`${copyName(archive.id, archive.isEncrypted)} in ${place.name} cannot be used: ${reasonOf(error)}`);
    });
  }
  await deleteMissingCopies(
    context.platform,
    place.name,
    archives.map(({ id }) => id),
  );
  return problems;
}

async function listStored(place: StorePlace, signal: AbortSignal): Promise<StoredArchive[]> {
  const objects = await storeAt(place).list('', signal);
  return objects.flatMap(({ name, storedAt }) => {
    const [, id, ending] = ARCHIVE.exec(name) ?? [];
    return id === undefined ? [] : [{ id, isEncrypted: ending !== undefined, storedAt }];
  });
}

/** Reads an archive to its end, which proves it, and adds it to the list. */
async function takeIn(
  recovery: Recovery,
  place: StorePlace,
  { id, isEncrypted, storedAt }: StoredArchive,
  known: KnownCopy | undefined,
): Promise<void> {
  const { context } = recovery;
  const isReady = known?.state === 'ready';
  const { archive, copy } = await fetchArchive(recovery, place, {
    id,
    isEncrypted,
    sha256: isReady ? known.sha256 : null,
  });
  const found = isReady ? undefined : await readFound(context, id);
  await context.platform.transaction().execute(async (trx) => {
    if (found) await noteBackup(trx, { id, ...archive, createdAt: storedAt, ...found });
    await noteCopy(trx, { backupId: id, store: place.name, isEncrypted, ...copy });
  });
  if (found?.origin === 'uploaded')
    recovery.say(
      `UPLOADED ${copyName(id, isEncrypted)}: it is in the list of backups, and no database is restored from it`,
    );
}

/**
 * What an archive says of itself. The signature says when and as what it was made: an upload has the rows of another time, and a copy may have
 * reached the store long after it was made, so its moment there says nothing.
 * @throws AppError damaged-archive
 */
async function readFound(
  context: Context,
  id: string,
): Promise<Omit<FoundBackup, 'id' | 'sizeBytes' | 'sha256' | 'createdAt'> & { createdAt?: Date }> {
  const path = archivePath(context, id);
  const tools = await context.findTools();
  const end = await verifySeal(path);
  const { manifest } = end;
  const { schemaVersion } = await readContents(tools, path);
  const tables = manifest?.tables.filter((table) => table.schema === 'public' && isPlatformTable(table));
  const rowCounts = tables ? Object.fromEntries(tables.map(({ name, rows }) => [name, rows])) : null;
  const read = { physicalName: await readSourceName(tools, path), schemaVersion, rowCounts, manifest };
  const origin = await findOrigin(context.keys.archives, path, end);
  return origin?.backupId === id
    ? { ...read, origin: 'made', createdAt: origin.createdAt }
    : { ...read, origin: 'uploaded' };
}

/** Brings an archive from a store into the folder of backups, where it appears when it is whole. @returns digests of both @throws AppError damaged-archive, not-found */
export async function fetchArchive(
  { context, identities, signal }: Recovery,
  place: StorePlace,
  { id, isEncrypted, sha256 }: { id: string; isEncrypted: boolean; sha256: string | null },
): Promise<{ archive: Digest; copy: Digest }> {
  await mkdir(context.backupDir, { recursive: true, mode: 0o700 });
  // Named as a file that a crash left: it is removed when it is old.
  const draft = join(context.backupDir, `${randomUUID()}.part`);
  const copy = digesting(storeAt(place).read(copyName(id, isEncrypted), signal));
  try {
    const archive = digesting(isEncrypted ? await identities.decrypt(copy.chunks).catch(refuseDamaged) : copy.chunks);
    await pipeline(archive.chunks, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    const found = { archive: archive.digest(), copy: copy.digest() };
    if (sha256 !== null && found.archive.sha256 !== sha256) throw damaged('it has been changed');
    await rename(draft, archivePath(context, id));
    return found;
  } catch (error) {
    return refuseDamaged(error);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Stores, disks and the network tell what is wrong by a code or a name of their own; what the key does not open has neither. */
function refuseDamaged(error: unknown): never {
  const isOfCipher = error instanceof Error && error.name === 'Error' && !('code' in error);
  throw isOfCipher ? damaged(error.message) : error;
}

/** Whether an archive is of no use, now and later. */
export const isUnusable = (error: unknown): boolean =>
  error instanceof AppError && ['damaged-archive', 'not-found'].includes(error.code);

/** Ids of the archives in the folder of backups. */
async function listArchives({ backupDir }: Context): Promise<string[]> {
  const names = await readdir(backupDir).catch((): string[] => []);
  return names.flatMap((name) => ARCHIVE.exec(name)?.[1] ?? []);
}
