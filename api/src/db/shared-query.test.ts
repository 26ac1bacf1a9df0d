import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onBudget, TimeBudget } from './connections/time-budget.ts';
import { DatabaseTimeout } from './errors/postgres-errors.ts';
import { shareQuery } from './shared-query.ts';

// The test says when a query has been waited for long enough.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what could begin by now begin. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
};

/** A query that a test answers. */
function openQuery() {
  const queries: { asked: readonly string[]; succeed(): void; fail(error: unknown): void }[] = [];
  const arrivals: (() => void)[] = [];
  const find = shareQuery<string, string>((asked) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    queries.push({ asked, succeed: () => resolve(asked.map((each) => `answer to ${each}`)), fail: reject });
    for (const arrived of arrivals.splice(0)) arrived();
    return promise;
  });
  /** Waits until so many have begun. */
  const begun = async (count: number) => {
    while (queries.length < count) await new Promise<void>((resolve) => arrivals.push(resolve));
    return queries[count - 1] as (typeof queries)[number];
  };
  return { find, queries, begun };
}

it('all who ask in one turn share a query, and each gets its own answer [DECISIONS §3]', async () => {
  const { find, queries, begun } = openQuery();
  const answers = Promise.all(['a', 'b', 'c'].map(find));
  (await begun(1)).succeed();
  expect(await answers).toEqual(['answer to a', 'answer to b', 'answer to c']);
  expect(queries.map(({ asked }) => asked)).toEqual([['a', 'b', 'c']]);
});

it('who asks while a query is under way is not answered by it, but by one that begins afterwards [DECISIONS §3]', async () => {
  const { find, begun } = openQuery();
  const first = find('a');
  const early = await begun(1);
  const late = find('a');
  early.succeed();
  await first;
  const next = await begun(2);
  expect(next.asked).toEqual(['a']);
  next.succeed();
  expect(await late).toBe('answer to a');
});

it('questions wait for a query while two are under way, and then share one [DECISIONS §3]', async () => {
  const { find, queries, begun } = openQuery();
  const answers = [find('a')];
  const first = await begun(1);
  answers.push(find('b'));
  await begun(2);
  answers.push(find('c'), find('d'));
  await settle();
  expect(queries).toHaveLength(2);
  first.succeed();
  expect((await begun(3)).asked).toEqual(['c', 'd']);
  for (const { succeed } of queries) succeed();
  expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'].map((each) => `answer to ${each}`));
});

it('queries that never end hold up others for a moment only [DECISIONS §3]', async () => {
  const { find, queries, begun } = openQuery();
  void find('hangs');
  await begun(1);
  void find('hangs too');
  await begun(2);
  const answer = find('a');
  await settle();
  expect(queries).toHaveLength(2);
  vi.advanceTimersByTime(100);
  (await begun(3)).succeed();
  expect(await answer).toBe('answer to a');
});

it('where a query of several fails, each is asked for alone, and only what fails then has failed [DECISIONS §3]', async () => {
  const { find, begun } = openQuery();
  const outcomes = Promise.allSettled(['good', 'bad', 'fine'].map(find));
  (await begun(1)).fail(new Error('bad'));
  expect((await begun(2)).asked).toEqual(['good']);
  (await begun(2)).succeed();
  (await begun(3)).fail(new Error('still bad'));
  (await begun(4)).succeed();
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 'answer to good' },
    { status: 'rejected', reason: new Error('still bad') },
    { status: 'fulfilled', value: 'answer to fine' },
  ]);
});

it('whose time is up ends, and the others of the query are asked for on their own time [DECISIONS §3]', async () => {
  const { find, queries, begun } = openQuery();
  const short = onBudget(new TimeBudget(0), () => find('short'));
  const long = onBudget(new TimeBudget(60_000), () => find('long'));
  const outcome = expect(short).rejects.toBeInstanceOf(DatabaseTimeout);
  (await begun(1)).fail(new DatabaseTimeout(true));
  await outcome;
  (await begun(2)).succeed();
  expect(await long).toBe('answer to long');
  expect(queries.map(({ asked }) => asked)).toEqual([['short', 'long'], ['long']]);
});

it('a query that took as long as any may is not asked once more [DECISIONS §3]', async () => {
  const { find, queries, begun } = openQuery();
  const outcomes = Promise.allSettled(['a', 'b'].map((each) => onBudget(new TimeBudget(60_000), () => find(each))));
  const timeout = new DatabaseTimeout(false);
  (await begun(1)).fail(timeout);
  expect(await outcomes).toEqual(Array(2).fill({ status: 'rejected', reason: timeout }));
  expect(queries).toHaveLength(1);
});
