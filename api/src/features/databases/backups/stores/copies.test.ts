import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { ERRORS } from '@apotheca/contract/errors';
import { refusalsOf } from '@apotheca/contract/refusals';
import { BASE_PATHS } from '@apotheca/contract/route';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readStorePlaces } from '../../../../backup-stores.ts';
import { useTestApp } from '../../../../testing/app.ts';
import type { Fault } from '../../../../testing/faulty-s3.ts';
import { IS_LONG_RUN } from '../../../../testing/long-run.ts';
import { type S3Server, startS3Server } from '../../../../testing/s3-server.ts';
import { emptyStore, filesInStore } from '../../../../testing/store-folder.ts';
import { archivePath } from '../archive/archive-store.ts';
import { settleBackups } from '../backup-deletion.ts';
import { getBackup, verifyStoredArchive } from '../backups.service.ts';
import { findArchive, planMissingCopies } from './copies.service.ts';
import { measureCopies } from './copy-figures.ts';
import { startCopying } from './copy-worker.ts';

const test = useTestApp();
/** More than one part of S3. */
const SIZE = 9 * 1024 * 1024;
const content = randomBytes(SIZE);
const sha256 = createHash('sha256').update(content).digest('hex');
/** How many uploads are cut off at random, and the share of requests with a fault. */
const COUNT = IS_LONG_RUN ? 50 : 4;
const FAULTS = 0.25;
/** Every wait only finds what hangs. */
const PATIENCE = { timeout: 300_000, interval: 50 };

let s3: S3Server;
let identity = '';
let recipient = '';
let disk = '';
const failures: unknown[] = [];
let worker: ReturnType<typeof startCopying> | undefined;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server();
  disk = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  identity = await generateX25519Identity();
  recipient = await identityToRecipient(identity);
});
afterAll(async () => {
  await s3.close();
  await rm(disk, { recursive: true });
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  s3.faults.choose(() => undefined);
  await test.context.pool.query('delete from backup_copies');
  await test.context.pool.query('delete from backups');
  for (const { path } of s3.objects()) await rm(path);
  await emptyStore(disk);
  for (const name of await readdir(test.context.backupDir)) await rm(join(test.context.backupDir, name));
  failures.length = 0;
});

/** Sets the stores of the server. */
function useStores(settings: string, recipients: readonly string[]): void {
  test.context.stores = { places: readStorePlaces(settings), recipients };
}
const useBucket = () => useStores(s3.setting, [recipient]);
const useDisk = (recipients: readonly string[] = []) => useStores(`file:${disk}`, recipients);

function work(lease = 60): void {
  worker = startCopying(test.context, (error) => failures.push(error), { poll: 10, lease });
}

/** A backup whose archive is of {@link SIZE}. */
async function makeBackup(): Promise<string> {
  const id = randomUUID();
  const path = archivePath(test.context, id);
  const original = join(test.context.backupDir, 'original');
  await writeFile(original, content, { flag: 'wx' }).catch(() => {});
  await link(original, path);
  await test.context.pool.query(
    `insert into backups (id, database_name, origin, state, size_bytes, sha256, created_at)
     values ($1, 'COPIED', 'uploaded', 'ready', $2, $3, now())`,
    [id, SIZE, sha256],
  );
  return id;
}
/** Backups whose copies are planned. */
async function makeBackups(count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, makeBackup));
  await planMissingCopies(test.context);
  return ids;
}
async function makeOne(): Promise<string> {
  const [id = ''] = await makeBackups(1);
  return id;
}

/** Names of what the audit trail has of a backup. */
const audited = async (id: string): Promise<string[]> =>
  (await test.context.pool.query('select action from audit_entries where entity_id = $1', [id])).rows.map(
    ({ action }) => action,
  );
const download = async (id: string) =>
  test.app.inject({
    url: `${BASE_PATHS.api}${backupRoutes.download.path}?id=${id}`,
    headers: { authorization: `Bearer ${(await test.signIn()).result.accessToken}` },
  });

interface CopyRow {
  store: string;
  state: string;
  attempts: number;
  last_error: string;
  sha256: string;
  is_encrypted: boolean;
  checked_at: Date | null;
}
const copies = async (): Promise<CopyRow[]> =>
  (await test.context.pool.query<CopyRow>('select * from backup_copies order by backup_id, store')).rows;
const copyOf = async (): Promise<CopyRow | undefined> => (await copies())[0];
const reached = (state: string) => vi.waitFor(async () => expect((await copyOf())?.state).toBe(state), PATIENCE);
/** Lets no pause between attempts pass. */
const hurry = () =>
  test.context.pool.query("update backup_copies set due_at = now() where state in ('failed', 'deleting')");
const hurried = async (state: string) =>
  vi.waitFor(async () => {
    await hurry();
    expect((await copyOf())?.state).toBe(state);
  }, PATIENCE);
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
async function decrypt(bytes: Uint8Array): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(bytes);
}
/** Makes a fault once. */
function once(wanted: string, fault: Fault, after = 0): void {
  let left = after;
  let isDone = false;
  s3.faults.choose((call) => {
    if (call !== wanted || isDone) return undefined;
    left -= 1;
    if (left >= 0) return undefined;
    isDone = true;
    return fault;
  });
}

describe('a bucket', () => {
  it('gets each archive encrypted, in parts, and what lies there decrypts to the very archive [DECISIONS §13]', async () => {
    useBucket();
    const id = await makeOne();
    work();
    await reached('copied');
    const [object] = s3.objects();
    expect(object?.name).toBe(`${id}.dump.age`);
    expect(digest(object?.content ?? Buffer.of())).toBe((await copyOf())?.sha256);
    expect(digest(await decrypt(object?.content ?? Buffer.of()))).toBe(sha256);
    expect(s3.faults.calls.get('part')).toBe(2);
    expect(s3.rests()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it.each<[string, string, Fault, number]>([
    ['a part is cut off in its midst', 'part', 'cut', 0],
    ['the answer to a part is lost', 'part', 'lose-answer', 1],
    ['the answer to the completion is lost', 'complete', 'lose-answer', 0],
    ['the answer to the beginning is lost', 'begin', 'lose-answer', 0],
    ['the server has too much to do', 'part', { refuse: 503 }, 0],
  ])('has the whole archive once, in one attempt, although %s [DECISIONS §13]', async (_what, call, fault, after) => {
    useBucket();
    const id = await makeOne();
    once(call, fault, after);
    work();
    await reached('copied');
    expect(await copyOf()).toMatchObject({ attempts: 0, last_error: '' });
    const mine = s3.objects().filter(({ name }) => name.startsWith(id));
    expect(mine.map(({ content: bytes }) => digest(bytes))).toEqual([(await copyOf())?.sha256]);
    expect(s3.rests()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('that is full makes the copy fail with the reason; it is made when there is room, and nothing is left [DECISIONS §13]', async () => {
    useBucket();
    await makeOne();
    s3.faults.choose((call) => (call === 'part' ? { refuse: 507 } : undefined));
    work();
    await reached('failed');
    expect(await copyOf()).toMatchObject({ attempts: 1, last_error: 'No room for this.' });
    expect(s3.rests()).toEqual([]);
    s3.faults.choose(() => undefined);
    await hurried('copied');
    expect(await copyOf()).toMatchObject({ attempts: 0, last_error: '' });
    expect(s3.rests()).toEqual([]);
  });

  it('that stored another byte than was sent is found out before the copy counts [DECISIONS §13]', async () => {
    useBucket();
    await makeOne();
    once('part', 'change', 1);
    work();
    await reached('failed');
    expect((await copyOf())?.last_error).toMatch(/^The copy has been changed: it has \d+ bytes with the SHA-256 /);
    await hurried('copied');
  });

  it('whose server is killed in mid-upload has the copy when it is back, and no rest of the first attempt [DECISIONS §13]', async () => {
    useBucket();
    const id = await makeOne();
    let reachedPart = () => {};
    const inUpload = new Promise<void>((fulfil) => {
      reachedPart = fulfil;
    });
    const hold = Promise.withResolvers<void>();
    s3.faults.choose((call) => {
      if (call !== 'part') return undefined;
      reachedPart();
      return { hold: hold.promise };
    });
    work();
    await inUpload;
    await s3.kill();
    s3.faults.choose(() => undefined);
    hold.resolve();
    await s3.start();
    await hurried('copied');
    const mine = s3.objects().filter(({ name }) => name.startsWith(id));
    expect(mine.map(({ content: bytes }) => digest(bytes))).toEqual([(await copyOf())?.sha256]);
    expect(s3.rests()).toEqual([]);
  });

  it('has all archives whole, none twice and no parts, after uploads that were cut off at random [DECISIONS §13]', async () => {
    useBucket();
    const ids = await makeBackups(COUNT);
    const faults: Fault[] = ['cut', 'lose-answer', { refuse: 503 }, { refuse: 507 }, 'change'];
    let made = 0;
    s3.faults.choose((call) => {
      if (call === 'read' || (made > COUNT / 2 && Math.random() > FAULTS)) return undefined;
      made += 1;
      const fault = faults[Math.floor(Math.random() * faults.length)];
      // Only parts have bytes that nobody looks at.
      return fault === 'change' && call !== 'part' ? 'cut' : fault;
    });
    work();
    // The server is stopped in between too.
    for (const share of [0.25, 0.5, 0.75, 1].map((part) => part * COUNT)) {
      await vi.waitFor(async () => {
        await hurry();
        expect((await copies()).filter(({ state }) => state === 'copied').length).toBeGreaterThanOrEqual(share);
      }, PATIENCE);
      await worker?.stop();
      if (share < COUNT) work();
    }
    expect(made).toBeGreaterThan(COUNT / 2);
    const rows = (await test.context.pool.query('select backup_id, sha256 from backup_copies order by backup_id')).rows;
    const stored = s3.objects().sort((one, other) => (one.name < other.name ? -1 : 1));
    expect(stored.map(({ name, content: bytes }) => ({ name, sha256: digest(bytes) }))).toEqual(
      rows.map(({ backup_id: id, sha256: expected }) => ({ name: `${id}.dump.age`, sha256: expected })),
    );
    expect(stored).toHaveLength(ids.length);
    expect(s3.rests()).toEqual([]);
    for (const { content: bytes } of stored.slice(0, 3)) expect(digest(await decrypt(bytes))).toBe(sha256);
  }, 1_500_000);
});

describe('a folder', () => {
  it('gets a copy that is the archive itself, and one that is encrypted once there is a recipient [DECISIONS §13]', async () => {
    useDisk();
    const id = await makeOne();
    work();
    await reached('copied');
    expect(await filesInStore(disk)).toEqual([`${id}.dump`]);
    expect(digest(await readFile(join(disk, `${id}.dump`)))).toBe(sha256);
    await worker?.stop();
    useDisk([recipient]);
    await planMissingCopies(test.context);
    await reached('waiting');
    work();
    await reached('copied');
    expect(await filesInStore(disk)).toEqual([`${id}.dump.age`]);
    expect(digest(await decrypt(await readFile(join(disk, `${id}.dump.age`))))).toBe(sha256);
  });

  it('that is away leaves no archive open, however often a copy is tried [DECISIONS §13]', async () => {
    const openArchives = async () => {
      const all = await readdir('/proc/self/fd');
      const paths = await Promise.all(all.map((each) => readlink(join('/proc/self/fd', each)).catch(() => '')));
      return paths.filter((path) => path.startsWith(test.context.backupDir));
    };
    useStores(`file:${join(disk, 'away')}`, [recipient]);
    await makeOne();
    work();
    await vi.waitFor(async () => {
      await hurry();
      expect((await copyOf())?.attempts).toBeGreaterThanOrEqual(10);
    }, PATIENCE);
    // A worker that stops closes them.
    expect(await openArchives()).toEqual([]);
  });
});

it('gets its copies while another store answers nothing [DECISIONS §13]', async () => {
  useStores(`file:${disk},${s3.setting}`, [recipient]);
  const silent = Promise.withResolvers<void>();
  onTestFinished(() => silent.resolve());
  let held = 0;
  s3.faults.choose(() => {
    held += 1;
    return { hold: silent.promise };
  });
  await makeBackups(2);
  // Those of the silent store have been due for longer.
  await test.context.pool.query("update backup_copies set due_at = now() - interval '1 hour' where store like 's3:%'");
  work();
  await vi.waitFor(() => expect(held).toBeGreaterThan(1), PATIENCE);
  const inFolder = async () => (await copies()).filter(({ store }) => store.startsWith('file:'));
  await vi.waitFor(
    async () => expect((await inFolder()).map(({ state }) => state)).toEqual(['copied', 'copied']),
    PATIENCE,
  );
  expect(s3.objects()).toEqual([]);
});

it('lists the copies of each backup [DECISIONS §13]', async () => {
  useDisk([recipient]);
  const id = await makeOne();
  const copy = { store: `file:${disk}`, isEncrypted: false, attempts: 0, reason: '' };
  const list = async () => (await test.call(backupRoutes.list)).result;
  expect(await list()).toMatchObject([{ id, copies: [{ ...copy, state: 'waiting' }] }]);
  work();
  await reached('copied');
  expect(await list()).toMatchObject([{ id, copies: [{ ...copy, state: 'copied', isEncrypted: true }] }]);
});

describe('a stored copy', () => {
  /** Has copies read back now. */
  const checkNow = () => test.context.pool.query("update backup_copies set due_at = now() where state = 'copied'");
  const flipByte = async (path: string) => {
    const bytes = await readFile(path);
    bytes[1000] = (bytes[1000] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };

  it('with one wrong byte is found when it is read back: shown, audited, and made anew [DECISIONS §13]', async () => {
    useBucket();
    const id = await makeOne();
    work();
    await reached('copied');
    const [object] = s3.objects();
    await flipByte(object?.path ?? '');
    await checkNow();
    await reached('failed');
    expect(await copyOf()).toMatchObject({
      attempts: 1,
      last_error: expect.stringMatching(/^The copy has been changed: it has \d+ bytes .* instead of \d+ with \w+\.$/),
    });
    // Told once it is committed.
    await vi.waitFor(() => expect(failures).toHaveLength(1), PATIENCE);
    expect(await audited(id)).toEqual(['databases.copy-damaged']);
    await hurried('copied');
    expect(digest(s3.objects()[0]?.content ?? Buffer.of())).toBe((await copyOf())?.sha256);
    expect(await copyOf()).toMatchObject({ attempts: 0, last_error: '' });
  });

  it('that is gone is made anew [DECISIONS §13]', async () => {
    useDisk([recipient]);
    const id = await makeOne();
    work();
    await reached('copied');
    await rm(join(disk, `${id}.dump.age`));
    await checkNow();
    await reached('failed');
    expect((await copyOf())?.last_error).toBe('The copy is gone.');
    await hurried('copied');
    expect(await filesInStore(disk)).toContain(`${id}.dump.age`);
  });

  it('that cannot be read now still counts, and says why [DECISIONS §13]', async () => {
    useBucket();
    await makeOne();
    work();
    await reached('copied');
    s3.faults.choose((call) => (call === 'read' ? { refuse: 507 } : undefined));
    await checkNow();
    await vi.waitFor(async () => expect((await copyOf())?.attempts).toBe(1), PATIENCE);
    expect(await copyOf()).toMatchObject({ state: 'copied', last_error: 'No room for this.' });
  });

  it('is never replaced by a damaged archive [DECISIONS §13]', async () => {
    useDisk();
    const id = await makeOne();
    const path = archivePath(test.context, id);
    // Not the file that other archives are links of.
    await rm(path);
    await writeFile(path, content);
    await flipByte(path);
    work();
    await reached('failed');
    expect((await copyOf())?.last_error).toMatch(/^The stored archive has been changed: /);
    expect((await filesInStore(disk)).filter((name) => name.startsWith(id))).toEqual([]);
  });
});

describe('deleting a backup', () => {
  const remove = (id: string) => test.call(backupRoutes.delete, { query: { id } });
  const backupIds = async () => (await test.context.pool.query('select id from backups')).rows.map(({ id }) => id);

  it('removes its copies, however long a store is away, and then its row [DECISIONS §13]', async () => {
    useStores(`file:${disk},${s3.setting}`, [recipient]);
    const id = await makeOne();
    work();
    await vi.waitFor(
      async () => expect((await copies()).map(({ state }) => state)).toEqual(['copied', 'copied']),
      PATIENCE,
    );
    s3.faults.choose(() => ({ refuse: 507 }));
    expect(await remove(id)).toMatchObject({ status: 200, result: { id, isRemoved: false } });
    await vi.waitFor(async () => expect((await copyOf())?.last_error).toBe('No room for this.'), PATIENCE);
    expect(await copies()).toMatchObject([{ state: 'deleting' }]);
    expect((await filesInStore(disk)).filter((name) => name.startsWith(id))).toEqual([]);
    await settleBackups(test.context);
    expect(await backupIds()).toEqual([id]);
    s3.faults.choose(() => undefined);
    await vi.waitFor(async () => {
      await hurry();
      expect(await copies()).toEqual([]);
    }, PATIENCE);
    expect(s3.objects()).toEqual([]);
    await settleBackups(test.context);
    expect(await backupIds()).toEqual([]);
  });

  it('while it is being copied leaves nothing in the store [DECISIONS §13]', async () => {
    useBucket();
    const id = await makeOne();
    const reachedPart = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    s3.faults.choose((call) => {
      if (call !== 'part') return undefined;
      reachedPart.resolve();
      return { hold: hold.promise };
    });
    work(4);
    await reachedPart.promise;
    await remove(id);
    await vi.waitFor(async () => expect(await copies()).toEqual([]), PATIENCE);
    s3.faults.choose(() => undefined);
    hold.resolve();
    await worker?.stop();
    expect(s3.objects()).toEqual([]);
    expect(s3.rests()).toEqual([]);
  });
});

describe('an archive that is gone from the folder of backups, or damaged there', () => {
  it('is fetched once for calls that want it at once, and again where it is gone again [DECISIONS §13]', async () => {
    useStores(s3.setting, []);
    const id = await makeOne();
    work();
    await reached('copied');
    await worker?.stop();
    const row = await getBackup(test.context, id);
    const reads = () => s3.faults.calls.get('read') ?? 0;
    const before = reads();
    for (const times of [1, 2]) {
      await rm(archivePath(test.context, id));
      await Promise.all([1, 2, 3].map(() => findArchive(test.context, row)));
      expect(digest(await readFile(archivePath(test.context, id)))).toBe(sha256);
      expect(reads() - before).toBe(times);
    }
  });

  it('comes back from a copy that is not encrypted, once its SHA-256 is right [DECISIONS §13]', async () => {
    useDisk();
    const id = await makeOne();
    work();
    await reached('copied');
    await rm(archivePath(test.context, id));
    const answer = await download(id);
    expect({ status: answer.statusCode, sha256: digest(answer.rawPayload) }).toEqual({ status: 200, sha256 });
    expect(digest(await readFile(archivePath(test.context, id)))).toBe(sha256);
    // Also where the whole folder is lost.
    const { backupDir } = test.context;
    await rename(backupDir, `${backupDir}-lost`);
    expect((await download(id)).statusCode).toBe(200);
    await rm(backupDir, { recursive: true });
    await rename(`${backupDir}-lost`, backupDir);
    // Also while an encrypted one is to take its place.
    await worker?.stop();
    useDisk([recipient]);
    await planMissingCopies(test.context);
    await reached('waiting');
    await rm(archivePath(test.context, id));
    expect((await download(id)).statusCode).toBe(200);
    const copy = join(disk, `${id}.dump`);
    await rm(archivePath(test.context, id));
    await writeFile(copy, 'something else');
    const changed = /^The copy of this backup of COPIED has been changed: /;
    const plan = { query: { id, databaseName: 'NEW' } };
    for (const [route, { message, title }] of [
      [backupRoutes.download, (await download(id)).json()],
      [backupRoutes.planRestore, await test.call(backupRoutes.planRestore, plan)],
    ] as const) {
      expect(message).toMatch(changed);
      expect(refusalsOf(route).map((code) => ERRORS[code].title)).toContain(title);
    }
    expect(await readdir(test.context.backupDir)).toEqual(['original']);
  });

  it('takes the place of a damaged one, which is audited [DECISIONS §13]', async () => {
    useDisk();
    const id = await makeOne();
    work();
    await reached('copied');
    const { signal } = new AbortController();
    await rm(archivePath(test.context, id));
    await writeFile(archivePath(test.context, id), 'something else');
    await verifyStoredArchive(test.context, await getBackup(test.context, id), signal);
    expect(digest(await readFile(archivePath(test.context, id)))).toBe(sha256);
    expect(await audited(id)).toEqual(['databases.backup-damaged']);
    // A store that has none leaves it as it is.
    await writeFile(archivePath(test.context, id), 'something else');
    await writeFile(join(disk, `${id}.dump`), 'something else');
    await expect(verifyStoredArchive(test.context, await getBackup(test.context, id), signal)).rejects.toThrow(
      /^The stored archive of COPIED has been changed: /,
    );
  });

  it('stays in its store while a restore of a backup that was made here is planned [DECISIONS §13]', async () => {
    useDisk();
    const id = await makeOne();
    const known = { version: 2, tables: [], objects: [], privileges: [], largeObjects: 0 };
    await test.context.pool.query("update backups set origin = 'made', manifest = $1", [known]);
    work();
    await reached('copied');
    await rm(archivePath(test.context, id));
    const plan = () => test.call(backupRoutes.planRestore, { query: { id, databaseName: 'ANEW' } });
    expect(await plan()).toMatchObject({ status: 200, result: { leftOut: [] } });
    expect(await readdir(test.context.backupDir)).toEqual(['original']);
    useStores(s3.setting, [recipient]);
    expect(await plan()).toMatchObject({ status: 404, message: expect.stringMatching(/ is missing in the folder/) });
  });

  describe('while its store is slow', () => {
    let readAt: Promise<void>;
    let goOn = () => {};
    /** A backup whose archive is in the bucket only, where each read waits. */
    async function makeSlow(): Promise<string> {
      useStores(s3.setting, []);
      const id = await makeOne();
      work();
      await reached('copied');
      await worker?.stop();
      await rm(archivePath(test.context, id));
      const reading = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      readAt = reading.promise;
      goOn = held.resolve;
      s3.faults.choose((call) => {
        if (call !== 'read') return undefined;
        reading.resolve();
        return { hold: held.promise };
      });
      return id;
    }
    const reads = () => s3.faults.calls.get('read') ?? 0;

    it('comes back once for all who wait for it [DECISIONS §13]', async () => {
      const id = await makeSlow();
      const before = reads();
      const answers = [download(id), download(id), download(id)];
      await readAt;
      // Comes after them.
      expect((await download(randomUUID())).statusCode).toBe(404);
      goOn();
      expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      expect(reads() - before).toBe(1);
    });

    it('does not come back once the backup is deleted [DECISIONS §13]', async () => {
      const id = await makeSlow();
      const answer = download(id);
      await readAt;
      expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
      goOn();
      expect((await answer).json()).toMatchObject({ status: 404, message: 'There is no such backup.' });
      expect(await readdir(test.context.backupDir)).toEqual(['original']);
    });

    it('keeps nobody waiting who has gone, while another one fetches it [DECISIONS §13]', async () => {
      const id = await makeSlow();
      const row = await getBackup(test.context, id);
      const answer = download(id);
      await readAt;
      const gone = new AbortController();
      const waiting = findArchive(test.context, row, gone.signal).catch((error: Error) => error.name);
      // Comes after it.
      expect((await download(randomUUID())).statusCode).toBe(404);
      gone.abort();
      expect(await waiting).toBe('AbortError');
      goOn();
      expect((await answer).statusCode).toBe(200);
    });

    it('is not read on for somebody who has gone [DECISIONS §13]', async () => {
      const id = await makeSlow();
      const { result } = await test.signIn();
      const address = await test.app.listen({ host: '127.0.0.1', port: 0 });
      const gone = new AbortController();
      const url = `${address}${BASE_PATHS.api}${backupRoutes.download.path}?id=${id}`;
      const headers = { authorization: `Bearer ${result.accessToken}` };
      const answer = fetch(url, { headers, signal: gone.signal }).catch((error: Error) => error.name);
      await readAt;
      await vi.waitFor(async () => expect(await readdir(test.context.backupDir)).toHaveLength(2), PATIENCE);
      gone.abort();
      expect(await answer).toBe('AbortError');
      await vi.waitFor(async () => expect(await readdir(test.context.backupDir)).toEqual(['original']), PATIENCE);
      expect(await audited(id)).toEqual([]);
      goOn();
    });
  });

  it('is fetched from no other store once the backup is deleted [DECISIONS §13]', async () => {
    useStores(`file:${disk},${s3.setting}`, []);
    const id = await makeOne();
    work();
    await vi.waitFor(
      async () => expect((await copies()).map(({ state }) => state)).toEqual(['copied', 'copied']),
      PATIENCE,
    );
    await worker?.stop();
    const row = await getBackup(test.context, id);
    await rm(archivePath(test.context, id));
    await test.context.pool.query("update backups set state = 'deleting'");
    const reads = s3.faults.calls.get('read') ?? 0;
    await expect(findArchive(test.context, row)).rejects.toThrow('There is no such backup.');
    expect(s3.faults.calls.get('read') ?? 0).toBe(reads);
  });

  it.each([
    ['gone', (path: string) => rm(path)],
    ['damaged', (path: string) => rm(path).then(() => writeFile(path, 'something else'))],
  ])('is not given up where it is %s while a store that may have it is away [DECISIONS §13]', async (what, harm) => {
    const folders = [join(disk, 'first'), join(disk, 'second')];
    for (const folder of folders) await mkdir(folder);
    useStores(folders.map((folder) => `file:${folder}`).join(','), []);
    const id = await makeOne();
    work();
    await vi.waitFor(
      async () => expect((await copies()).map(({ state }) => state)).toEqual(['copied', 'copied']),
      PATIENCE,
    );
    await harm(archivePath(test.context, id));
    const [first = '', second = ''] = folders;
    await rm(join(first, `${id}.dump`));
    await rename(second, `${second}-away`);
    const message = `The file of this backup of COPIED is missing or damaged in the folder of backups. Its copy in file:${second} cannot be read: ENOENT: no such file or directory, stat '${second}'. Please try again later.`;
    if (what === 'gone') {
      expect((await download(id)).json()).toMatchObject({ status: 503, title: 'Store unavailable', message });
    }
    // What a proof and a restore do: neither is told that the archive is lost.
    const { signal } = new AbortController();
    const backup = await getBackup(test.context, id);
    const verify = () => verifyStoredArchive(test.context, backup, signal);
    await expect(verify()).rejects.toMatchObject({ code: 'store-away', message });
    await rename(`${second}-away`, second);
    await verify();
    expect(digest((await download(id)).rawPayload)).toBe(sha256);
  });

  it('is named with the way back where the copy is encrypted [DECISIONS §13]', async () => {
    useBucket();
    const id = await makeOne();
    work();
    await reached('copied');
    await rm(archivePath(test.context, id));
    const answer = await download(id);
    expect(answer.statusCode).toBe(404);
    expect(answer.json().message).toBe(
      `The file of this backup of COPIED is missing in the folder of backups. ${s3.name} has it encrypted, as ${id}.dump.age. ` +
        'Download it, decrypt it with your key (age --decrypt), and upload the archive.',
    );
  });
});

it('counts copies by state in the figures [DECISIONS §13]', async () => {
  // A registry for each time, as figures are kept for a while after a slow read.
  const figures = async () => {
    const registry = new Registry();
    measureCopies(test.context, registry);
    return registry.metrics();
  };
  useDisk();
  await makeOne();
  expect(await figures()).toContain('backup_copies{state="waiting"} 1');
  work();
  await reached('copied');
  expect(await figures()).toContain('backup_copies{state="copied"} 1');
  // It would take at once what failed and is due so late.
  await worker?.stop();
  await test.context.pool.query("update backup_copies set state = 'failed'");
  expect(await figures()).toContain('backup_copies{state="failed"} 1');
  // Also while it is tried again.
  await test.context.pool.query("update backup_copies set state = 'copying', attempts = 1");
  expect(await figures()).toMatch(/^backup_copies\{state="copying"\} 0\n(.*\n)*backup_copies\{state="failed"\} 1$/m);
  // Nothing is written any more to a store that was taken off the settings.
  useBucket();
  expect(await figures()).toContain('backup_copies{state="failed"} 0');
});

it.each(['waiting', 'copying', 'failed', 'copied'])(
  'does not wait for a moment that a clock set that was ahead, of a copy that is %s [DECISIONS §13]',
  async (state) => {
    useDisk();
    await makeOne();
    work();
    await reached('copied');
    await worker?.stop();
    await test.context.pool.query("update backup_copies set state = $1, due_at = now() + interval '1 year'", [state]);
    work();
    const done =
      "select from backup_copies where state = 'copied' and run is null and due_at < now() + interval '1 month'";
    await vi.waitFor(async () => expect((await test.context.pool.query(done)).rowCount).toBe(1), PATIENCE);
  },
);

it('takes over what a server process had when it was killed, once its lease has ended [DECISIONS §13]', async () => {
  useDisk();
  await makeOne();
  await test.context.pool.query(
    "update backup_copies set state = 'copying', run = gen_random_uuid(), due_at = now() + interval '1 hour'",
  );
  work();
  const second = await makeBackup();
  await planMissingCopies(test.context);
  const states = async () => (await copies()).map(({ state }) => state).sort();
  await vi.waitFor(async () => expect(await states()).toEqual(['copied', 'copying']), PATIENCE);
  expect(await filesInStore(disk)).toEqual([`${second}.dump`]);
  await test.context.pool.query("update backup_copies set due_at = now() where state = 'copying'");
  await vi.waitFor(async () => expect(await states()).toEqual(['copied', 'copied']), PATIENCE);
});
