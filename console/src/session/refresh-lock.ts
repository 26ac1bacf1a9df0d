import { isRecord } from '../lib/is-record.ts';
import { readItem, removeItem, writeItem } from '../lib/local-storage.ts';

const NAME = 'apotheca-refresh';
const LEASE_KEY = 'apotheca-refresh-lease';
/**
 * Longer than a refresh may take (10 s), so that a lease is only taken over from a tab that is gone; and shorter than the server takes the pair
 * of tokens that was refreshed there (30 s).
 */
const LEASE_MS = 15_000;
/** Long enough for each tab to see the writes of all tabs that raced for the lease. */
const SETTLE_MS = 50;

/** Runs the work while no other tab of this browser runs its own (DECISIONS §4). */
export async function withRefreshLock<Result>(work: () => Promise<Result>): Promise<Result> {
  // Browsers have Web Locks on https and localhost only.
  return 'locks' in navigator ? navigator.locks.request(NAME, work) : withLease(work);
}

/**
 * The same with a lease in the storage that the tabs share. Storage has no compare-and-set: in a rare race two tabs
 * hold the lease at once, and the server answers the later one with the winner's token (30 seconds of grace).
 */
async function withLease<Result>(work: () => Promise<Result>): Promise<Result> {
  const owner = `${Date.now()}-${Math.random()}`;
  const release = () => {
    if (leaseOwner() === owner) removeItem(LEASE_KEY);
  };
  // A page that is left or reloaded during its refresh must not delay the next page.
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
  // No lease was stored: storage is forbidden, so no tab shares this session.
  return (leaseOwner() ?? owner) === owner;
}

/** The holder of a lease that has not expired. */
function leaseOwner(): string | undefined {
  try {
    const lease: unknown = JSON.parse(readItem(LEASE_KEY) ?? 'null');
    if (!isRecord(lease) || typeof lease.owner !== 'string' || typeof lease.until !== 'number') return undefined;
    // A lease further in the future than any lease lasts was written under another clock.
    const remaining = lease.until - Date.now();
    return remaining > 0 && remaining <= LEASE_MS ? lease.owner : undefined;
  } catch {
    return undefined;
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
