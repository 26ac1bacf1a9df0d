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
