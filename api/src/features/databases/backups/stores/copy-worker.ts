import { randomUUID } from 'node:crypto';
import type { StorePlace } from '../../../../backup-stores.ts';
import type { Context } from '../../../../context.ts';
import { startTaking, type Worker } from '../../../../worker.ts';
import { claimCopy, releaseCopy, renewLease } from './copies.repository.ts';
import { carryOut, nextCheck } from './copying.ts';
import { holdLease, LEASE } from './lease.ts';

/** How many copies of a store a server process makes at once: one that is away, or slow, has none of another store wait. */
const CONCURRENCY = 2;
/** How often an idle worker looks for a copy that is due, in milliseconds. */
const POLL = 2_000;
/** How many bytes of each store are read back in a day: 100 GiB. */
const CHECKED_BYTES = 100 * 1024 ** 3;

/**
 * Makes, checks and removes copies in this server process until it is stopped. The rows of the control database say what is due, so a
 * kill loses nothing: a copy whose lease has ended is taken by the next worker that looks. A stop cuts off what is under way.
 * @param lease in seconds
 */
export function startCopying(
  context: Context,
  onError: (error: unknown) => void,
  { poll = POLL, lease = LEASE }: { poll?: number; lease?: number } = {},
): Worker {
  const start = (place: StorePlace) =>
    startTaking((stopping) => takeOne(context, place, { lease, stopping, onError }), { poll, onError });
  const workers = context.stores.places.flatMap((place) => Array.from({ length: CONCURRENCY }, () => start(place)));
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}

interface Surroundings {
  lease: number;
  stopping: AbortSignal;
  onError: (error: unknown) => void;
}

/** @returns whether there was something to do */
async function takeOne(
  context: Context,
  place: StorePlace,
  { lease, stopping, onError }: Surroundings,
): Promise<boolean> {
  const limits = { run: randomUUID(), lease, nextCheck: nextCheck(context), checkedBytes: CHECKED_BYTES };
  const copy = await claimCopy(context.platform, place.name, limits);
  if (!copy) return false;
  const held = holdLease(() => renewLease(context.platform, copy, lease), lease);
  const signal = AbortSignal.any([stopping, held.lost]);
  try {
    await carryOut(context, place, copy, { signal, onError });
  } catch (error) {
    // Lost to a deletion or to another process, or cut off by the stop of this server.
    if (!signal.aborted) throw error;
    if (stopping.aborted) await releaseCopy(context.platform, copy);
  } finally {
    held.end();
  }
  return true;
}
