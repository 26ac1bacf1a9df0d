import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { addFigures, throttled } from './figures.ts';

it('gauges of one read share it, and those without samples have none [DECISIONS §13]', async () => {
  const registry = new Registry();
  let reads = 0;
  const read = async () => {
    reads += 1;
    return { waiting: { new: 3, old: 1 }, oldest: undefined };
  };
  addFigures(registry, read, {
    waiting: {
      help: 'how many wait',
      labels: ['state'],
      samplesOf: ({ waiting }) => Object.entries(waiting).map(([state, value]) => ({ labels: { state }, value })),
    },
    oldest: { help: 'the oldest', samplesOf: ({ oldest }) => (oldest === undefined ? [] : [{ value: oldest }]) },
  });
  const text = await registry.metrics();
  expect(reads).toBe(1);
  expect(text.split('\n').filter((line) => /^(waiting|oldest)/.test(line))).toEqual([
    'waiting{state="new"} 3',
    'waiting{state="old"} 1',
  ]);
});

it('what fails has no samples, and is read again by the next scrape [DECISIONS §13]', async () => {
  const registry = new Registry();
  let isAway = true;
  const read = async () => {
    if (isAway) throw new Error('away');
    return 7;
  };
  addFigures(registry, read, { seen: { help: 'what was seen', samplesOf: (value) => [{ value }] } });
  const seen = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('seen'));
  expect(await seen()).toEqual([]);
  isAway = false;
  expect(await seen()).toEqual(['seen 7']);
});

it('while a read takes long its last result stands, and all who ask wait for one [DECISIONS §13]', async () => {
  let reads = 0;
  let answer = Promise.withResolvers<number>();
  const ask = throttled(() => {
    reads += 1;
    return answer.promise;
  });
  const first = [ask(), ask()];
  answer.resolve(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  expect(reads).toBe(1);
  answer = Promise.withResolvers();
  // Until it is read again, which takes a pause of some multiple of the first read, and then hangs.
  await expect.poll(async () => ((await ask()) === 1 ? reads : 0)).toBe(2);
  expect(await ask()).toBe(1);
  answer.resolve(2);
  await expect.poll(ask).toBe(2);
});

it('once a read has failed, a scrape waits a second for the next one, as calls may have all connections [DECISIONS §13]', async () => {
  const answers = [Promise.reject(new Error('away')), new Promise<number>(() => {})];
  const ask = throttled(() => answers.shift() ?? Promise.resolve(1));
  expect(await ask()).toBeUndefined();
  vi.useFakeTimers();
  try {
    let isAnswered = false;
    void ask().then(() => {
      isAnswered = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isAnswered).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});
