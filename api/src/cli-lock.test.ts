import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withFileLock } from '../../packages/cli/src/file-lock.ts';

let folder = '';
let path = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-lock-'));
  path = join(folder, 'lock');
});
afterAll(() => rm(folder, { recursive: true }));

describe('the lock of the kept session', () => {
  it('has one holder at a time, and leaves nothing, also where the work fails [§7.1]', async () => {
    let holders = 0;
    const seen: number[] = [];
    const work = async () => {
      holders += 1;
      await setImmediate();
      seen.push(holders);
      holders -= 1;
      throw new Error('It fails.');
    };
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => withFileLock(path, work)));
    expect(ends.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(seen).toEqual(Array(5).fill(1));
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([-11, 3_600])(
    'is taken over from a process that is gone, by a clock that is %d seconds off [§7.1]',
    async (seconds) => {
      await writeFile(path, 'gone');
      const moment = Date.now() / 1_000 + seconds;
      await utimes(path, moment, moment);
      expect(await withFileLock(path, async () => 'done')).toBe('done');
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('stays with whoever has taken it over meanwhile [§7.1]', async () => {
    await withFileLock(path, () => writeFile(path, 'of another'));
    expect(await readdir(folder)).toEqual(['lock']);
    await rm(path);
  });
});
