import { expect, it } from 'vitest';
import { ListCache } from './list-cache.ts';

const MOST = 100;
const bodyOf = (etag: string, bytes: number) => async () => ({ etag, bytes: Buffer.alloc(bytes) });

it('bodies take no more bytes than they may, and what was not asked for longest goes first [§7]', async () => {
  const cache = new ListCache(MOST);
  for (const key of ['a', 'b', 'c']) await cache.get(key, '1', bodyOf('1', 30));
  await cache.get('a', '1', bodyOf('1', 30));
  expect(cache.uses).toEqual({ kept: 1, built: 3 });
  await cache.get('d', '1', bodyOf('1', 30));
  expect(cache.bytes).toBe(90);
  await cache.get('a', '1', bodyOf('1', 30));
  expect(cache.uses).toEqual({ kept: 2, built: 4 });
  await cache.get('b', '1', bodyOf('1', 30));
  expect(cache.uses).toEqual({ kept: 2, built: 5 });
});

it('a body that is too large is given and not kept [§7]', async () => {
  const cache = new ListCache(MOST);
  expect((await cache.get('a', '1', bodyOf('1', MOST + 1))).bytes).toHaveLength(MOST + 1);
  expect(cache.bytes).toBe(0);
});

it('who asks with another version does not share a body that is being made for an older one [§7]', async () => {
  const cache = new ListCache(MOST);
  const older = Promise.withResolvers<{ etag: string; bytes: Buffer }>();
  const first = cache.get('a', '1', () => older.promise);
  const newer = await cache.get('a', '2', bodyOf('2', 10));
  older.resolve({ etag: '1', bytes: Buffer.alloc(10) });
  expect([(await first).etag, newer.etag]).toEqual(['1', '2']);
});
