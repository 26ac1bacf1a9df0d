import { randomUUID } from 'node:crypto';
import { SERVER_ACTOR } from '../../../../actor.ts';
import { appendAudit } from '../../../../audit/audit.service.ts';
import type { StorePlace } from '../../../../backup-stores.ts';
import type { Context } from '../../../../context.ts';
import { newestPlatformMigration } from '../../../../db/migrate.ts';
import { AppError } from '../../../../errors.ts';
import { IDLE, startTaking, type Worker } from '../../../../worker.ts';
import { sealing, sealLength } from '../archive/archive-seal.ts';
import type { BackupStore } from '../stores/backup-store.ts';
import { storeNames } from '../stores/copies.service.ts';
import { digesting, digestOf } from '../stores/digesting.ts';
import { encryptFor } from '../stores/encryption.ts';
import { isWorthALine, LONGEST_PAUSE, pauseAfter, reasonOf } from '../stores/failures.ts';
import { holdLease, LEASE } from '../stores/lease.ts';
import { storeAt } from '../stores/store-at.ts';
import {
  type ClaimedInstallation,
  claimInstallation,
  insertInstallationCopies,
  noteWriting,
  readMark,
  releaseInstallation,
  renewInstallation,
  setInstallationCopied,
  setInstallationFailed,
} from './installation-copies.repository.ts';
import { withControlDump } from './installation-dump.ts';
import {
  BEGINNING,
  type InstallationManifest,
  type KeptApart,
  objectName,
  planRemoval,
} from './installation-manifest.ts';

/** How often a server process looks whether one is due, in milliseconds. */
const POLL = 10_000;
/** How long a backup of the installation is the newest one at least, in seconds. */
const LEAST_AGE = 3_600;

interface Surroundings {
  keptApart: KeptApart;
  lease: number;
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

/**
 * Backs the installation itself up to every store, until it is stopped: control database, secret and settings. Rows of the control database
 * say what is due, as for copies of archives. Without a recipient there is none, as the secret leaves the server sealed only.
 * @param lease in seconds
 */
export function startInstallationBackups(
  context: Context,
  keptApart: KeptApart,
  onError: (error: unknown) => void,
  { poll = POLL, lease = LEASE }: { poll?: number; lease?: number } = {},
): Worker {
  const { places, recipients } = context.stores;
  if (places.length === 0 || recipients.length === 0) return IDLE;
  return startTaking((stopping) => takeOne(context, { keptApart, lease, stopping, onError }), { poll, onError });
}

/** @returns whether there was something to do */
async function takeOne(context: Context, { keptApart, lease, stopping, onError }: Surroundings): Promise<boolean> {
  const { platform } = context;
  await insertInstallationCopies(platform, storeNames(context));
  const limits = { run: randomUUID(), lease, longest: Math.max(LEAST_AGE, LONGEST_PAUSE) };
  const claimed = await claimInstallation(platform, storeNames(context), limits);
  const place = context.stores.places.find(({ name }) => name === claimed?.store);
  if (!claimed || !place) return false;
  const held = holdLease(() => renewInstallation(platform, claimed, lease), lease);
  const signal = AbortSignal.any([stopping, held.lost]);
  try {
    await backUp(context, place, claimed, { keptApart, signal, onError });
  } catch (error) {
    if (stopping.aborted) await releaseInstallation(platform, claimed);
    else if (!signal.aborted) await noteFailure(context, claimed, error, onError);
  } finally {
    held.end();
  }
  return true;
}

async function backUp(
  context: Context,
  place: StorePlace,
  claimed: ClaimedInstallation,
  { keptApart, signal, onError }: Pick<Surroundings, 'keptApart' | 'onError'> & { signal: AbortSignal },
): Promise<void> {
  const store = storeAt(place);
  await removeUnfinished(store, claimed, signal);
  const object = objectName(context.now(), keptApart.secrets.secret);
  await noteWriting(context.platform, claimed, object);
  // Read before the dump, which so knows at least this.
  const mark = await readMark(context.platform, claimed.store);
  const manifest: InstallationManifest = {
    version: 1,
    madeOnUtc: context.now().toISOString(),
    schema: newestPlatformMigration(),
    ...keptApart,
  };
  const sizeBytes = await send(context, store, { object, manifest, signal });
  await setInstallationCopied(context.platform, claimed, { object, sizeBytes, mark }, LEAST_AGE);
  try {
    const names = (await store.list(BEGINNING, signal)).map(({ name }) => name);
    for (const name of planRemoval(names, object)) await store.remove(name, signal);
  } catch (error) {
    signal.throwIfAborted();
    // The new one counts all the same. What stays goes when the next one is stored.
    onError(new Error(`Older backups of the installation in ${claimed.store} stay: ${reasonOf(error)}`));
  }
}

/** Removes what an attempt left that was killed or failed, unless that was whole by then. */
async function removeUnfinished(
  store: BackupStore,
  { unfinished }: ClaimedInstallation,
  signal: AbortSignal,
): Promise<void> {
  if (unfinished === '' || (await store.list(unfinished, signal)).length > 0) return;
  await store.remove(unfinished, signal);
}

/** @returns the size of what lies in the store, which is proved to be what was sent */
function send(
  context: Context,
  store: BackupStore,
  { object, manifest, signal }: { object: string; manifest: InstallationManifest; signal: AbortSignal },
): Promise<number> {
  return withControlDump(context, signal, async (dump) => {
    const plainBytes = dump.sizeBytes + sealLength(manifest);
    const wanted = await encryptFor(context.stores.recipients, sealing(dump.content, manifest), plainBytes);
    const { chunks, digest } = digesting(wanted.content);
    const isProved = await store.put({ name: object, content: chunks, sizeBytes: wanted.sizeBytes, signal });
    const sent = digest();
    if (isProved) return sent.sizeBytes;
    const found = await digestOf(store.read(object, signal));
    if (found.sha256 === sent.sha256) return sent.sizeBytes;
    await store.remove(object, signal);
    const message = `The store has ${found.sizeBytes} bytes with the SHA-256 ${found.sha256} instead of ${sent.sizeBytes} with ${sent.sha256}.`;
    throw new AppError('damaged-archive', { message });
  });
}

async function noteFailure(
  context: Context,
  claimed: ClaimedInstallation,
  error: unknown,
  onError: (error: unknown) => void,
): Promise<void> {
  const reason = reasonOf(error);
  const isNews = isWorthALine(claimed.attempts);
  const { store } = claimed;
  await context.platform.transaction().execute(async (trx) => {
    const wasMine = await setInstallationFailed(trx, claimed, { reason, pause: pauseAfter(claimed.attempts) });
    if (!wasMine || !isNews) return;
    await appendAudit(context, trx, {
      actor: SERVER_ACTOR,
      action: 'installation.backup-failed',
      entity: 'installation',
      entityId: '',
      changes: { store, reason },
    });
  });
  if (!isNews) return;
  onError(new Error(`The backup of the installation to ${store} has failed: ${reason}`));
}
