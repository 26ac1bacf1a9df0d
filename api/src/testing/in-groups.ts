/** How many: calls append to the audit trail in turn, and one gets no connection after 9 s. On a busy machine the last of 300 had none by then. */
const AT_ONCE = 50;

/** Makes many calls that need not be all at once, one group after another. @returns what came of them, in their order */
export async function inGroups<T>(count: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count) {
    const begin = all.length;
    const group = Array.from({ length: Math.min(AT_ONCE, count - begin) }, (_, n) => call(begin + n));
    all.push(...(await Promise.all(group)));
  }
  return all;
}
