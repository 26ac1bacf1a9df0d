import type { Transaction } from 'kysely';
import type { Platform, PlatformTables } from '../../db/platform.ts';
import { lockPlaces, type Places } from './sibling-places.repository.ts';

/** The last change of each parent that this process works on. */
const lastChanges = new Map<string, Promise<unknown>>();

/**
 * Runs a change of an order in a transaction under its locks. Changes of one parent wait for each other here already: those that wait for
 * the lock in the database would hold a connection each, and the calls of others would find none.
 */
export function changeInOrder<T>(
  platform: Platform,
  places: Places,
  work: (trx: Transaction<PlatformTables>) => Promise<T>,
): Promise<T> {
  return inTurn((places.sectionIds ?? places.faqIds)[0] ?? '', () =>
    platform.transaction().execute(async (trx) => {
      await lockPlaces(trx, places);
      return work(trx);
    }),
  );
}

async function inTurn<T>(parents: string, work: () => Promise<T>): Promise<T> {
  const change = (lastChanges.get(parents) ?? Promise.resolve()).then(work);
  const settled = change.catch(() => {});
  lastChanges.set(parents, settled);
  try {
    return await change;
  } finally {
    if (lastChanges.get(parents) === settled) lastChanges.delete(parents);
  }
}
