import { isRecord } from '../lib/is-record.ts';
import { readItem, removeItem, writeItem } from '../lib/local-storage.ts';

const NAME = 'apotheca-refresh';
const LEASE_KEY = 'apotheca-refresh-lease';
/** Longer than a call may take (30 s), so that a lease is only taken over from a tab that is gone. */
const LEASE_MS = 35_000;
/** Long enough for the writes of tabs that raced for the lease to be seen by all of them. */
const SETTLE_MS = 50;

/** Runs the work while no other tab of this browser runs its own (DECISIONS §4). */
export async function withRefreshLock<Result>(work: () => Promise<Result>): Promise<Result> {
  // Browsers have Web Locks on https and localhost only.
  return 'locks' in navigator ? navigator.locks.request(NAME, work) : withLease(work);
}

/**
 * The same with a lease in the storage that the tabs share. Storage has no compare-and-set: two tabs may hold it at once
 * in a rare race, and the server gives the later one the winner's token (30 seconds of grace).
 */
async function withLease<Result>(work: () => Promise<Result>): Promise<Result> {
  const owner = `${Date.now()}-${Math.random()}`;
  const release = () => {
    if (leaseOwner() === owner) removeItem(LEASE_KEY);
  };
  // A page left or reloaded while it refreshes must not hold up the one that comes next.
  window.addEventListener('pagehide', release);
  try {
    while (!(await tryLease(owner))) await pause(SETTLE_MS);
    return await work();
  } finally {
    release();
    window.removeEventListener('pagehide', release);
  }
}

async function tryLease(owner: string): Promise<boolean> {
  if (leaseOwner() !== undefined) return false;
  writeItem(LEASE_KEY, JSON.stringify({ owner, until: Date.now() + LEASE_MS }));
  await pause(SETTLE_MS);
  // Nothing there: storage is forbidden, so no tab shares a session with this one either.
  return (leaseOwner() ?? owner) === owner;
}

/** Who holds a lease that has not run out. */
function leaseOwner(): string | undefined {
  try {
    const lease: unknown = JSON.parse(readItem(LEASE_KEY) ?? 'null');
    if (!isRecord(lease) || typeof lease.owner !== 'string' || typeof lease.until !== 'number') return undefined;
    // A moment further ahead than any lease was written under another clock.
    const remaining = lease.until - Date.now();
    return remaining > 0 && remaining <= LEASE_MS ? lease.owner : undefined;
  } catch {
    return undefined;
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
