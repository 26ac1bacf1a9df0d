import type { Platform, Trx } from '../../db/platform.ts';
import { numberSiblings, type Siblings } from '../../db/sibling-order.ts';
import { lockOrder, type Parents } from './faq-order.repository.ts';

type Work<T> = (trx: Trx) => Promise<T>;

/** The sort order that nobody typed: a new row asks for no place with it (SPEC §3, decision 025). */
const DEFAULT_SORT_ORDER = 0;

/** After all others: the largest value of PostgreSQL's integer. */
const LAST = 2_147_483_647;

/** What a new row is inserted with, before its siblings are numbered. @param typed the sort order that was asked for */
export const newSortOrder = (typed: number): number => (typed === DEFAULT_SORT_ORDER ? LAST : typed);

/**
 * Numbers the siblings of a row that was inserted or changed: it stands by its sort order, and where that is taken the older row
 * stands first.
 * @param from where it was before, if somewhere else
 * @returns its sort order
 */
export async function settleIn(trx: Trx, id: string, to: Siblings, from = to): Promise<number> {
  if (Object.values(from.shared)[0] !== Object.values(to.shared)[0]) await numberSiblings(trx, from);
  const sortOrder = await numberSiblings(trx, to, id);
  if (sortOrder === undefined) throw new Error(`${id} is not in ${to.table}`);
  return sortOrder;
}

/** Most moves in one transaction, which keeps others from the audit trail until it ends. */
const TOGETHER = 20;

/** Moves that wait for their turn, and then share one transaction. */
interface Group {
  works: Work<void>[];
  done: Promise<void>;
}

/** The group that takes in further moves, by their parents. */
const openGroups = new Map<string, Group>();

/** The last change of each parent that this process works on. */
const lastChanges = new Map<string, Promise<unknown>>();

/**
 * Runs a change of an order in a transaction under its locks. Changes of one parent wait for each other in this process already: those
 * that wait for the lock in the database would hold a connection each, and the calls of others would find none.
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
 * As {@link changeOrder}, for moves: those that wait for the same parents share a transaction, as a move alone takes longer to begin and
 * to commit than to do. Where one fails, all of them do, so `work` throws nothing but what PostgreSQL does.
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
  // A transaction that did not begin has not closed it, and later moves would fail with it.
  const group = { works, done: done.finally(close) };
  openGroups.set(key, group);
  return group;
}

async function inTurn<T>(parent: string, work: () => Promise<T>): Promise<T> {
  const change = (lastChanges.get(parent) ?? Promise.resolve()).then(work);
  const settled = change.catch(() => {});
  lastChanges.set(parent, settled);
  try {
    return await change;
  } finally {
    if (lastChanges.get(parent) === settled) lastChanges.delete(parent);
  }
}
