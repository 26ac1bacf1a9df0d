import { chmod, chown, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filesInStore } from '../../../../testing/store-folder.ts';
import type { BackupStore } from './backup-store.ts';
import { fileStore } from './file-store.ts';

vi.mock(import('node:fs/promises'), async (original) => {
  const actual = await original();
  return { ...actual, readdir: vi.fn(actual.readdir) as unknown as typeof actual.readdir };
});

const { signal } = new AbortController();
let folder = '';
/** One of a process that has just started. */
const open = (): BackupStore => fileStore({ kind: 'file', name: `file:${folder}`, path: folder });
const put = (store: BackupStore, name: string, chunks: AsyncIterable<Uint8Array> = chunksOf('whole')) =>
  store.put({ name, content: chunks, sizeBytes: 5, signal });
const namesIn = async (store: BackupStore) => (await store.list('', signal)).map(({ name }) => name).toSorted();

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a folder with very many copies', () => {
  it('is listed once after a start, and by no further copy or removal [DECISIONS §13]', async () => {
    for (let n = 0; n < 1_000; n += 1) await writeFile(join(folder, `${n}.dump`), '');
    const store = open();
    vi.mocked(readdir).mockClear();
    for (const name of ['a.dump', 'b.dump', 'a.dump']) await put(store, name);
    for (const name of ['a.dump', 'none.dump', '7.dump']) await store.remove(name, signal);
    await expect(store.read('none.dump', signal)[Symbol.asyncIterator]().next()).rejects.toThrow('The copy is gone.');
    const listed = vi.mocked(readdir).mock.calls.map(([path]) => path);
    expect(listed.filter((path) => path === folder)).toHaveLength(1);
    expect(await namesIn(store)).toHaveLength(1_000);
  });
});

describe('what an attempt has left', () => {
  /** A copy is on its way, and its process is killed. */
  async function killWithin(name: string): Promise<void> {
    const begun = Promise.withResolvers<void>();
    const forEver = async function* () {
      yield Buffer.from('half');
      begun.resolve();
      await new Promise(() => {});
    };
    void put(open(), name, forEver());
    await begun.promise;
  }

  it('is no copy, and goes with the next attempt or the removal [DECISIONS §13]', async () => {
    for (const name of ['a.dump', 'b.dump']) await killWithin(name);
    const store = open();
    expect(await namesIn(store)).toEqual([]);
    expect(await filesInStore(folder)).toHaveLength(2);
    await put(store, 'a.dump');
    await store.remove('b.dump', signal);
    expect(await filesInStore(folder)).toEqual(['a.dump']);
  });

  it('goes too where the version before has left it beside the copies, also after the start [DECISIONS §13]', async () => {
    const leave = (name: string) => writeFile(join(folder, `${name}.0f0f.part`), 'half');
    for (const name of ['a.dump', 'b.dump', 'other.dump']) await leave(name);
    const store = open();
    await put(store, 'a.dump');
    await store.remove('b.dump', signal);
    expect((await filesInStore(folder)).toSorted()).toEqual(['a.dump', 'other.dump.0f0f.part']);
    await leave('c.dump');
    expect(await namesIn(store)).toEqual(['a.dump']);
    await store.remove('c.dump', signal);
    expect((await filesInStore(folder)).toSorted()).toEqual(['a.dump', 'other.dump.0f0f.part']);
  });
});

it('removes and stores nothing in a folder that is away, and does both when it is back [DECISIONS §13]', async () => {
  const store = open();
  await put(store, 'a.dump');
  await rename(folder, `${folder}-away`);
  await expect(store.remove('a.dump', signal)).rejects.toThrow('ENOENT');
  await expect(put(store, 'b.dump')).rejects.toThrow('ENOENT');
  await expect(stat(folder)).rejects.toThrow('ENOENT');
  await rename(`${folder}-away`, folder);
  await put(store, 'b.dump');
  await store.remove('a.dump', signal);
  expect(await filesInStore(folder)).toEqual(['b.dump']);
});

describe('whoever may write to the folder may write parts', () => {
  const parts = () => stat(join(folder, '.parts'));

  it('also where a kill came before that was so [DECISIONS §13]', async () => {
    await chmod(folder, 0o2770);
    await put(open(), 'a.dump');
    expect((await parts()).mode & 0o7777).toBe(0o2770);
    await chmod(join(folder, '.parts'), 0o700);
    await put(open(), 'a.dump');
    expect((await parts()).mode & 0o7777).toBe(0o2770);
  });

  // Only root may give a folder to any group, and others to groups of their own.
  const groups = process.getuid?.() === 0 ? [54_321] : (process.getgroups?.() ?? []);
  const group = groups.find((each) => each !== process.getgid?.());

  it.skipIf(group === undefined)('by a group that is not its own [DECISIONS §13]', async () => {
    await chown(folder, -1, Number(group));
    await chmod(folder, 0o770);
    await put(open(), 'a.dump');
    expect(await parts()).toMatchObject({ gid: group, mode: (await stat(folder)).mode });
  });
});
