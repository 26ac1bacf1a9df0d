import { waitFor } from '../../db/connections/limited-waits.ts';
import { Pulse } from '../../db/connections/watch.ts';
import type { Platform, Trx } from '../../db/platform.ts';
import { numberSiblings, type Siblings } from '../../db/sibling-order.ts';
import { lockOrder, type Parents } from './faq-order.repository.ts';

type Work<T> = (trx: Trx) => Promise<T>;

/** The sort order of a form that was not changed: a new row with it goes to the end (SPEC §3, decision 025). */
const DEFAULT_SORT_ORDER = 0;

/** After all others: the largest value of PostgreSQL's integer. */
const LAST = 2_147_483_647;

/** The sort order that a new row is inserted with, before its siblings are numbered. @param typed the one that the call names */
export const newSortOrder = (typed: number): number => (typed === DEFAULT_SORT_ORDER ? LAST : typed);

/**
 * Numbers the siblings of a row that was inserted or changed. Siblings are ordered by sort order; of two equal ones the older row comes
 * first.
 * @param from the siblings that the row had before, if its parent changed
 * @returns its sort order
 */
export async function settleIn(trx: Trx, id: string, to: Siblings, from = to): Promise<number> {
  if (Object.values(from.shared)[0] !== Object.values(to.shared)[0]) await numberSiblings(trx, from);
  const sortOrder = await numberSiblings(trx, to, id);
  if (sortOrder === undefined) throw new Error(`${id} is not in ${to.table}`);
  return sortOrder;
}

/** Most moves in one transaction: it locks the audit trail until it ends. */
const TOGETHER = 20;

/** Moves that wait for the same parent, and share one transaction when it is their turn. */
interface Group {
  works: Work<void>[];
  done: Promise<void>;
}

/** The groups that further moves can join, by their parents. */
const openGroups = new Map<string, Group>();

/** The last change of each parent that this process works on, by the parent's id. */
const lastChanges = new Map<string, Promise<unknown>>();

/** Beats with each change that is done: while others get their turn, the wait for one's own counts for no request. */
const pulse = new Pulse();

/**
 * Runs a change of an order in a transaction, under its locks. Changes of one parent wait for each other in this process, before they
 * take a connection: if they waited for the lock in the database, each would hold a connection, and other calls would get none.
 */
export function changeOrder<T>(platform: Platform, parents: Parents, work: Work<T>): Promise<T> {
  return inTurn((parents.sectionIds ?? parents.faqIds)[0] ?? '', () =>
    platform.transaction().execute(async (trx) => {
      await lockOrder(trx, parents);
      return work(trx);
    }),
  );
}

/**
 * The same for moves. Moves that wait for the same parents share a transaction, because beginning and committing takes longer than a
 * move. If one fails, all of its group fail. So `work` throws only errors of PostgreSQL.
 */
export async function changeOrderTogether<T>(
  platform: Platform,
  parents: Parents,
  work: Work<T>,
): Promise<T | undefined> {
  const key = [...parents.faqIds, ...(parents.sectionIds ?? [])].join();
  let group = openGroups.get(key);
  if (!group || group.works.length === TOGETHER) group = openGroup(platform, parents, key);
  const results: T[] = [];
  group.works.push(async (trx) => {
    results.push(await work(trx));
  });
  await group.done;
  return results[0];
}

function openGroup(platform: Platform, parents: Parents, key: string): Group {
  const works: Work<void>[] = [];
  const close = () => {
    if (openGroups.get(key) === group) openGroups.delete(key);
  };
  const done = changeOrder(platform, parents, async (trx) => {
    close();
    for (const work of works) await work(trx);
  });
  // The group is also closed if its transaction does not begin: otherwise later moves would join it and fail.
  const group = { works, done: done.finally(close) };
  openGroups.set(key, group);
  return group;
}

/** @throws DatabaseTimeout when those before it take longer than the request may wait */
async function inTurn<T>(parent: string, work: () => Promise<T>): Promise<T> {
  const previous = lastChanges.get(parent) ?? Promise.resolve();
  const change = waitFor(previous, { pulse, isQueue: true, onGivenUp: () => {} }).then(work);
  // Who comes later waits for those before one that has given up, too.
  const settled = Promise.allSettled([previous, change]);
  lastChanges.set(parent, settled);
  try {
    const result = await change;
    pulse.beat();
    return result;
  } finally {
    if (lastChanges.get(parent) === settled) lastChanges.delete(parent);
  }
}
