import type { Platform, Trx } from '../../db/platform.ts';
import { lockPlaces, type Places } from './sibling-places.repository.ts';

type Work<T> = (trx: Trx) => Promise<T>;

/** Most moves in one transaction, which keeps others from the audit trail until it ends. */
const TOGETHER = 20;

/** Moves that wait for their turn, and go in one transaction then. */
interface Group {
  works: Work<void>[];
  done: Promise<void>;
}

/** The group that takes in further moves, by the places. */
const openGroups = new Map<string, Group>();

/** The last change of each parent that this process works on. */
const lastChanges = new Map<string, Promise<unknown>>();

/**
 * Runs a change of an order in a transaction under its locks. Changes of one parent wait for each other here already: those that wait for
 * the lock in the database would hold a connection each, and the calls of others would find none.
 */
export function changeInOrder<T>(platform: Platform, places: Places, work: Work<T>): Promise<T> {
  return inTurn((places.sectionIds ?? places.faqIds)[0] ?? '', () =>
    platform.transaction().execute(async (trx) => {
      await lockPlaces(trx, places);
      return work(trx);
    }),
  );
}

/**
 * As {@link changeInOrder}, for moves: those that wait at the same places share a transaction, which each of them alone would take longer
 * to begin and to commit than to fill. Where one fails, all of them do, so `work` throws nothing but what PostgreSQL does.
 */
export async function moveInOrder<T>(platform: Platform, places: Places, work: Work<T>): Promise<T | undefined> {
  const key = [...places.faqIds, ...(places.sectionIds ?? [])].join();
  let group = openGroups.get(key);
  if (!group || group.works.length === TOGETHER) group = openGroup(platform, places, key);
  const results: T[] = [];
  group.works.push(async (trx) => {
    results.push(await work(trx));
  });
  await group.done;
  return results[0];
}

function openGroup(platform: Platform, places: Places, key: string): Group {
  const works: Work<void>[] = [];
  const close = () => {
    if (openGroups.get(key) === group) openGroups.delete(key);
  };
  const done = changeInOrder(platform, places, async (trx) => {
    close();
    for (const work of works) await work(trx);
  });
  // A transaction that did not begin has not closed it, and later moves would fail with it.
  const group = { works, done: done.finally(close) };
  openGroups.set(key, group);
  return group;
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
