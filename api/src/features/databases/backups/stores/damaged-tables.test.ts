import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readStorePlaces } from '../../../../backup-stores.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { flipped } from '../../../../testing/archives.ts';
import { tenantInput } from '../../../../testing/builders.ts';
import { withClient } from '../../../../testing/databases.ts';
import { type S3Server, startS3Server } from '../../../../testing/s3-server.ts';
import { connectionStringOf, getDatabaseByName } from '../../databases.service.ts';
import { readTableOfContents } from '../archive/archive-format.ts';
import { withArchive } from '../archive/archive-reader.ts';
import { verifySeal } from '../archive/archive-seal.ts';
import { archivePath } from '../archive/archive-store.ts';
import { startCopying } from './copy-worker.ts';

const test = useTestApp();
/** Bytes that age encrypts at once, with the tag behind them, and the nonce before them all (age-encryption.org/v1). */
const AGE = { chunk: 65_536, tag: 16, nonce: 16 };
/** Every wait only finds what hangs. */
const PATIENCE = { timeout: 240_000, interval: 50 };

let s3: S3Server;
let disk = '';
let recipient = '';
let id = '';
let worker: ReturnType<typeof startCopying> | undefined;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server();
  disk = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  recipient = await identityToRecipient(await generateX25519Identity());
  await test.call(tenantRoutes.create, { body: tenantInput('COPIED') });
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'COPIED'));
  // Rows of two tables that take many pieces, as they do not compress.
  const random = `(select string_agg(md5(random()::text), '') from generate_series(1, 40) where n > 0)`;
  await withClient(url, (client) =>
    client.query(`
      insert into wslogs (correlation_id, direction, service, method, url, error, duration_ms)
      select gen_random_uuid(), 'outbound', 'vendor', 'GET', '/', ${random}, 1 from generate_series(1, 400) n;
      insert into trlogs (action, outcome, message, duration_ms)
      select 'scan', 'failed', ${random}, 1 from generate_series(1, 400) n`),
  );
});
afterAll(async () => {
  await s3.close();
  await rm(disk, { recursive: true });
});
afterEach(async () => {
  await worker?.stop();
  await test.context.pool.query('delete from backup_copies');
  await test.context.pool.query('delete from backups');
});

const copy = async (): Promise<Backup['copies'][number] | undefined> => {
  const backups: Backup[] = (await test.call(backupRoutes.list)).result;
  return backups.find((backup) => backup.id === id)?.copies[0];
};

/** The middle of the rows of a table, in the archive. */
async function middleOf(table: string): Promise<number> {
  const path = archivePath(test.context, id);
  const { archiveBytes } = await verifySeal(path);
  const { rows } = await withArchive(path, archiveBytes, readTableOfContents);
  const places = [...rows.values()].map(({ position = 0 }) => position).toSorted((one, two) => one - two);
  const from = [...rows.values()].find(({ name }) => name === table)?.position ?? 0;
  const to = places.find((place) => place > from) ?? archiveBytes;
  return Math.floor((from + to) / 2);
}

/** Where age has a byte of what it encrypted: behind its head, which ends with a line of dashes, and the nonce. */
function encryptedPlace(stored: Buffer, byte: number): number {
  const head = stored.indexOf('\n', stored.indexOf('\n---') + 1) + 1;
  return head + AGE.nonce + Math.floor(byte / AGE.chunk) * (AGE.chunk + AGE.tag) + (byte % AGE.chunk);
}

describe('one flipped byte', () => {
  it.each([
    { kind: 'an encrypted copy in S3', isEncrypted: true, store: () => s3.setting, table: 'wslogs' },
    { kind: 'a copy in a folder', isEncrypted: false, store: () => `file:${disk}`, table: 'trlogs' },
    { kind: 'an encrypted copy in a folder', isEncrypted: true, store: () => `file:${disk}`, table: 'trlogs' },
  ])('of $kind is found when it is read back, with the one table that it is in [DECISIONS §13]', async (given) => {
    const { isEncrypted, store, table } = given;
    test.context.stores = { places: readStorePlaces(store()), recipients: isEncrypted ? [recipient] : [] };
    id = (await test.call(backupRoutes.create, { query: { databaseName: 'COPIED' } })).result.id;
    worker = startCopying(test.context, () => {}, { poll: 10, lease: 60 });
    await vi.waitFor(async () => expect(await copy()).toMatchObject({ state: 'copied', isEncrypted }), PATIENCE);

    const name = `${id}.dump${isEncrypted ? '.age' : ''}`;
    const path = store().startsWith('file:')
      ? join(disk, name)
      : (s3.objects().find((object) => object.name === name)?.path ?? '');
    const stored = await readFile(path);
    const byte = await middleOf(table);
    await writeFile(path, flipped(stored, isEncrypted ? encryptedPlace(stored, byte) : byte));
    await test.context.pool.query("update backup_copies set due_at = now() where state = 'copied'");
    await vi.waitFor(async () => expect((await copy())?.state).toBe('failed'), PATIENCE);
    expect((await copy())?.reason).toMatch(
      new RegExp(`^The copy has been changed: .*\\. The part that was changed has rows of ${table}\\.$`),
    );
  });
});
