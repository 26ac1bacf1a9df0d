import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStorePlaces } from '../../../../backup-stores.ts';
import { useTestApp } from '../../../../testing/app.ts';
import type { Fault } from '../../../../testing/faulty-s3.ts';
import { IS_LONG_RUN } from '../../../../testing/long-run.ts';
import { type S3Server, startS3Server } from '../../../../testing/s3-server.ts';
import { emptyStore, filesInStore } from '../../../../testing/store-folder.ts';
import { archivePath } from '../archive/archive-store.ts';
import { settleBackups } from '../backup-deletion.ts';
import { startInstallationBackups } from '../installation/installation-backups.ts';
import { planMissingCopies } from './copies.service.ts';
import { startCopying } from './copy-worker.ts';

const test = useTestApp();
const content = randomBytes(256 * 1024);
const sha256 = createHash('sha256').update(content).digest('hex');
/** Every wait only finds what hangs. */
const PATIENCE = { timeout: 300_000, interval: 50 };
const AWAY = /ECONNREFUSED|ECONNRESET|socket hang up|aborted|ENOENT/;

/** A store that is taken away and comes back with what it had. */
interface LosableStore {
  setting(): string;
  /** Has it go at a request of what is done next. @returns once it is gone */
  /** @param work what is under way meanwhile, or finds it gone */
  lose(work: () => unknown): Promise<void>;
  bringBack(): Promise<void>;
  /** Names of what it has, whole or not, but for anchors of the audit trail. */
  has(): Promise<string[]>;
}

let s3: S3Server;
let folder = '';
let recipient = '';
const workers: { stop(): Promise<void> }[] = [];
/** What the log would say. */
const failures: string[] = [];

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server();
  folder = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  recipient = await identityToRecipient(await generateX25519Identity());
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  await stopAll();
  s3.faults.choose(() => undefined);
  failures.length = 0;
  for (const table of ['backup_copies', 'backups', 'installation_copies']) {
    await test.context.pool.query(`delete from ${table}`);
  }
  for (const { path } of s3.objects()) await rm(path);
  await emptyStore(folder);
  for (const name of await readdir(test.context.backupDir)) await rm(join(test.context.backupDir, name));
});

async function stopAll(): Promise<void> {
  for (const worker of workers.splice(0)) await worker.stop();
}

/** S3's calls as the proxy names them, and the list of objects, which is read as an object is. */
type Moment = 'begin' | 'part' | 'complete' | 'describe' | 'list' | 'remove' | 'read' | 'names';

/** A bucket whose server is killed. @param fault what becomes of the request then; absent: it does not reach the server */
const bucket = (moment: Moment, fault?: Fault): LosableStore => ({
  setting: () => s3.setting,
  async lose(work) {
    const reached = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    let isFirst = true;
    s3.faults.choose((call, path) => {
      if ((path.includes('list-type') ? 'names' : call) !== moment || !isFirst) return undefined;
      isFirst = false;
      reached.resolve();
      return fault ?? { hold: gone.promise };
    });
    await work();
    await reached.promise;
    await s3.kill();
    gone.resolve();
  },
  bringBack: () => s3.start(),
  has: async () =>
    [...s3.objects().map(({ name }) => name), ...s3.rests()].filter((name) => !name.startsWith('audit-')),
});

/** A folder that is away, as a disk that is not mounted. */
const disk: LosableStore = {
  setting: () => `file:${folder}`,
  async lose(work) {
    await rename(folder, `${folder}-away`);
    await work();
  },
  bringBack: () => rename(`${folder}-away`, folder),
  has: async () => (await filesInStore(folder)).filter((name) => !name.startsWith('audit-')),
};

function use(store: LosableStore): void {
  test.context.stores = { places: readStorePlaces(store.setting()), recipients: [recipient] };
}
/** Works on copies until {@link stopAll}. */
function work(): void {
  workers.push(startCopying(test.context, () => {}, { poll: 10 }));
}
function backUpInstallation(): void {
  const secrets = { secret: 'the secret of this installation', adminPassword: 'admin', postgresPassword: 'postgres' };
  workers.push(
    startInstallationBackups(
      test.context,
      { secrets, settings: {} },
      (error) => failures.push(String((error as Error).message)),
      { poll: 10 },
    ),
  );
}
const query = async (text: string) => (await test.context.pool.query(text)).rows;
const copy = async () => (await query('select state, attempts, last_error as reason from backup_copies'))[0];
const installation = async () =>
  (await query('select state, attempts, last_error as reason from installation_copies'))[0];
const becomeDue = (table: string) => query(`update ${table} set due_at = now()`);

/** Waits until a failure is noted with a reason that names it. */
const noted = (row: () => Promise<{ attempts: number; reason: string } | undefined>, state: string) =>
  vi.waitFor(
    async () => expect(await row()).toMatchObject({ state, attempts: 1, reason: expect.stringMatching(AWAY) }),
    PATIENCE,
  );

/** A backup whose copy the store has. */
async function makeCopied(store: LosableStore): Promise<string> {
  use(store);
  const id = randomUUID();
  await writeFile(archivePath(test.context, id), content);
  await test.context.pool.query(
    `insert into backups (id, database_name, origin, state, size_bytes, sha256, created_at)
     values ($1, 'KEPT', 'uploaded', 'ready', $2, $3, now())`,
    [id, content.length, sha256],
  );
  await planMissingCopies(test.context);
  work();
  await vi.waitFor(async () => expect((await copy())?.state).toBe('copied'), PATIENCE);
  await stopAll();
  return id;
}
const damages = async () =>
  (await query("select count(*)::int as entries from audit_entries where action = 'databases.copy-damaged'"))[0]
    ?.entries;

/** The first of each kind in every run, all of them in a long one. */
const moments = (all: [string, LosableStore][]) => (IS_LONG_RUN ? all : all.slice(0, 2));

describe('a store that is away while a copy is read back', () => {
  it.each(
    moments([
      ['a folder', disk],
      ['a bucket, in mid-answer', bucket('read', 'break-off')],
      ['a bucket, before the answer', bucket('read')],
      ['a bucket, with the answer lost', bucket('read', 'lose-answer')],
    ]),
  )(
    '(%s) loses no copy and calls none damaged: it says why, and the copy is read when the store is back [DECISIONS §13]',
    async (_what, store) => {
      const id = await makeCopied(store);
      const before = { has: await store.has(), damages: await damages(), uploads: s3.faults.calls.get('begin') };
      await becomeDue('backup_copies');
      await store.lose(work);
      await noted(copy, 'copied');
      await store.bringBack();
      await becomeDue('backup_copies');
      await vi.waitFor(
        async () => expect(await copy()).toEqual({ state: 'copied', attempts: 0, reason: '' }),
        PATIENCE,
      );
      expect(await store.has()).toEqual(before.has);
      expect(before.has).toEqual([`${id}.dump.age`]);
      // The same copy: none was made anew.
      expect({ damages: await damages(), uploads: s3.faults.calls.get('begin') }).toEqual({
        damages: before.damages,
        uploads: before.uploads,
      });
    },
  );
});

describe('a store that is away while a copy is removed', () => {
  it.each(
    moments([
      ['a folder', disk],
      ['a bucket, with the answer lost', bucket('remove', 'lose-answer')],
      ['a bucket, before the removal', bucket('remove')],
      ['a bucket, while rests are looked for', bucket('list')],
    ]),
  )(
    '(%s) keeps the removal due, and has nothing of the backup once it is back [DECISIONS §13]',
    async (_what, store) => {
      const id = await makeCopied(store);
      await store.lose(async () => {
        // A folder is gone already: the row is deleted all the same.
        expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({ status: 200 });
        work();
      });
      await noted(copy, 'deleting');
      await settleBackups(test.context);
      expect(await query('select id, state from backups')).toEqual([{ id, state: 'deleting' }]);
      await store.bringBack();
      await becomeDue('backup_copies');
      await vi.waitFor(async () => expect(await copy()).toBeUndefined(), PATIENCE);
      await settleBackups(test.context);
      expect(await query('select from backups')).toEqual([]);
      expect(await store.has()).toEqual([]);
    },
  );
});

describe('a store that is away while the installation is backed up', () => {
  it.each(
    moments([
      ['a folder', disk],
      ['a bucket, in mid-upload', bucket('part')],
      ['a bucket, before the beginning', bucket('begin')],
      ['a bucket, with the answer to the beginning lost', bucket('begin', 'lose-answer')],
      ['a bucket, before the completion', bucket('complete')],
      ['a bucket, with the answer to the completion lost', bucket('complete', 'lose-answer')],
      ['a bucket, before it is compared', bucket('describe')],
    ]),
  )('(%s) has one whole backup in the end, no part and no other one [DECISIONS §13]', async (_what, store) => {
    use(store);
    await store.lose(backUpInstallation);
    await noted(installation, 'failed');
    await store.bringBack();
    // Within the second of the failed one the next one would have its name.
    test.clock.advance(1);
    await becomeDue('installation_copies');
    await vi.waitFor(
      async () => expect(await installation()).toEqual({ state: 'copied', attempts: 0, reason: '' }),
      PATIENCE,
    );
    await vi.waitFor(
      async () => expect(await store.has()).toEqual([expect.stringMatching(/^installation-.*\.dump\.age$/)]),
      PATIENCE,
    );
    const [{ object } = { object: '' }] = await query('select object from installation_copies');
    expect(await store.has()).toEqual([object]);
  });

  it.each(
    moments([
      ['while they are looked for', bucket('names')],
      ['before one is removed', bucket('remove')],
    ]),
  )(
    '(%s) keeps the newest, says that older ones stay, and removes them with the next [DECISIONS §13]',
    async (_what, store) => {
      use(store);
      const isCopied = () => vi.waitFor(async () => expect((await installation())?.state).toBe('copied'), PATIENCE);
      backUpInstallation();
      await isCopied();
      await stopAll();
      const older = await store.has();
      expect(older).toHaveLength(1);
      test.clock.advance(60);
      await query("update installation_copies set due_at = now(), mark = ''");
      await store.lose(backUpInstallation);
      await vi.waitFor(() => expect(failures).toEqual([expect.stringMatching(/^Older backups .* stay: /)]), PATIENCE);
      expect(await installation()).toEqual({ state: 'copied', attempts: 0, reason: '' });
      const both = await store.has();
      expect(both).toHaveLength(2);
      expect(both).toEqual(expect.arrayContaining(older));
      await store.bringBack();
      test.clock.advance(60);
      await query("update installation_copies set due_at = now(), mark = ''");
      await vi.waitFor(async () => expect(await store.has()).toHaveLength(1), PATIENCE);
      expect(both).not.toEqual(expect.arrayContaining(await store.has()));
    },
  );
});
