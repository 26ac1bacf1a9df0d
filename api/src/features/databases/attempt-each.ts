import { unlessAway } from '../../db/clusters.ts';

/**
 * Runs `work` for each item, one after another. A failure does not stop the items after it.
 * @param what follows the number of failures in the error's message: 'databases could not be settled'
 * @throws AggregateError after the last item, when some failed
 */
export async function attemptEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  what: string,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${what}`);
}

/**
 * As {@link attemptEach}, for what lives on database servers. Once a server is away, the items after that one are left for the next
 * round there: each of them would wait as long.
 * @param stopping aborted: no further item begins
 */
export async function attemptEachPlaced<Item extends { serverId: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  what: string,
  stopping?: AbortSignal,
): Promise<void> {
  const away = new Set<string>();
  const attempt = async (item: Item) => {
    if (stopping?.aborted || away.has(item.serverId)) return;
    if (!(await unlessAway(work(item)))) away.add(item.serverId);
  };
  await attemptEach(items, attempt, what);
}
