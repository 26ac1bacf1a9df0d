import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { sharedLook, statDisk } from './disk-room.ts';

it('looks at a silent disk once, for all who ask, and leaves nobody waiting', async () => {
  const [asked, answer] = [[] as string[], Promise.withResolvers<StatsFs>()];
  const look = sharedLook((folder) => {
    asked.push(folder);
    return folder === 'silent' ? answer.promise : statfs(tmpdir());
  });
  const silent = { status: 'rejected', reason: expect.objectContaining({ code: 'ETIMEDOUT' }) };
  expect(await Promise.allSettled([look('silent'), look('silent')])).toEqual([silent, silent]);
  expect(await Promise.allSettled([look('silent'), look('other')])).toMatchObject([silent, { status: 'fulfilled' }]);
  expect(asked).toEqual(['silent', 'other']);
  answer.resolve(await statfs(tmpdir()));
  await look('silent');
  await look('silent');
  expect(asked).toEqual(['silent', 'other', 'silent']);
});

it('takes an answer that came while the process was busy', async () => {
  const looking = sharedLook(statfs)(tmpdir());
  const busyUntil = performance.now() + 1_200;
  while (performance.now() < busyUntil);
  expect(await looking).toMatchObject({ bsize: expect.any(Number) });
});

it('fails as the system does', async () => {
  await expect(statDisk('/none/of/these')).rejects.toMatchObject({ code: 'ENOENT' });
});
