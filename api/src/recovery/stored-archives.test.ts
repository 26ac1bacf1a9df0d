import { copyFile, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { generateX25519Identity } from 'age-encryption';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readStorePlaces } from '../backup-stores.ts';
import type { Manifest } from '../features/databases/backups/archive/archive-manifest.ts';
import { sealArchive, verifySeal } from '../features/databases/backups/archive/archive-seal.ts';
import { archivePath } from '../features/databases/backups/archive/archive-store.ts';
import { readIdentities } from '../features/databases/backups/stores/encryption.ts';
import { connectionStringOf, getDatabaseByName } from '../features/databases/databases.service.ts';
import { useTestApp } from '../testing/app.ts';
import { tenantInput } from '../testing/builders.ts';
import { withClient } from '../testing/databases.ts';
import { listCandidates } from './recovery.repository.ts';
import { compareWithStores } from './stored-archives.ts';

const test = useTestApp();
let store = '';

beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'apotheca-store-'));
  test.context.stores = { places: readStorePlaces(`file:${store}`), recipients: [] };
  await test.call(tenantRoutes.create, { body: tenantInput('CLINIC') });
});
afterAll(() => rm(store, { recursive: true }));

/** Makes a backup of CLINIC that the store gets late, after all others. */
async function backUp(late = false): Promise<string> {
  test.clock.advance(60);
  const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'CLINIC' } });
  await putIntoStore(archivePath(test.context, result.id), result.id, late);
  return result.id;
}

async function putIntoStore(path: string, id: string, late = false): Promise<void> {
  const copy = join(store, `${id}.dump`);
  await copyFile(path, copy);
  if (late) await utimes(copy, new Date(), new Date(Date.now() + 60_000));
}

/** The list of backups, newest first, as a recovery finds it whose control database knows none of them. */
async function recovered(): Promise<{ backups: unknown[]; said: string[] }> {
  const { pool, backupDir } = test.context;
  await pool.query('delete from backup_copies');
  await pool.query('delete from backups');
  await rm(backupDir, { recursive: true });
  const said: string[] = [];
  const identities = await readIdentities(await generateX25519Identity());
  const { signal } = new AbortController();
  const recovery = { context: test.context, identities, signal, say: (line: string) => said.push(line) };
  expect(await compareWithStores(recovery)).toEqual([]);
  const { rows } = await pool.query(
    `select b.id, origin, d.name, b.created_at as "createdAt" from backups b left join databases d on d.id = database_id order by b.created_at desc`,
  );
  return { backups: rows, said };
}

it('dates an archive that the control database does not know by when it was made, not by when a store got it [DECISIONS §13]', async () => {
  const older = await backUp(true);
  const newer = await backUp();
  const known = await test.context.pool.query(
    `select id, origin, 'CLINIC' as name, created_at as "createdAt" from backups order by created_at desc`,
  );
  expect(await recovered()).toEqual({ backups: known.rows, said: [] });
  expect(known.rows.map(({ id }) => id)).toEqual([newer, older]);
});

it('takes a backup of a moment that is still to come for older than all others [DECISIONS §13]', async () => {
  const { pool, platform } = test.context;
  await pool.query('delete from backup_copies');
  await pool.query('delete from backups');
  const [first, ahead, last] = [await backUp(), await backUp(), await backUp()];
  await pool.query("update backups set created_at = created_at + interval '1 year' where id = $1", [ahead]);
  const { id } = await getDatabaseByName(test.context, 'CLINIC');
  const candidates = await listCandidates(platform, id, test.clock.now);
  expect(candidates.map((candidate) => candidate.id)).toEqual([last, first, ahead]);
});

it('takes no upload, and no archive or manifest that was changed, for the newest rows of a tenant [DECISIONS §13]', async () => {
  const id = await backUp();
  const clinic = await getDatabaseByName(test.context, 'CLINIC');
  await withClient(await connectionStringOf(test.context, clinic), (client) =>
    client.query("insert into public.units (name, abbreviation) values ('Later', 'l')"),
  );
  const other = await backUp();
  const read = async (of: string) => {
    const path = archivePath(test.context, of);
    const { archiveBytes, manifest } = await verifySeal(path);
    if (!manifest?.origin) throw new Error('A backup says in its archive which one it is.');
    return { archive: (await readFile(path)).subarray(0, archiveBytes), manifest, origin: manifest.origin };
  };
  const { archive, manifest, origin } = await read(id);
  const draft = join(store, 'draft');
  /** Whoever can write into a store can seal by hand. */
  const forge = async (content: Buffer, says: Manifest) => {
    await writeFile(draft, content);
    await sealArchive(draft, () => says, new AbortController().signal);
    const copy = says.origin?.backupId ?? crypto.randomUUID();
    await putIntoStore(draft, copy);
    return copy;
  };
  const uploaded = crypto.randomUUID();
  await putIntoStore(archivePath(test.context, id), uploaded);
  const uploads = [
    uploaded,
    await forge(archive, { ...manifest, origin: undefined }),
    await forge(archive, { ...manifest, origin: { ...origin, backupId: crypto.randomUUID() } }),
    // In place of the backup itself.
    await forge(archive, { ...manifest, largeObjects: 1 }),
    await forge(archive, (await read(other)).manifest),
  ];
  await rm(draft);
  const { backups, said } = await recovered();
  for (const each of uploads) {
    expect(backups).toContainEqual({ id: each, origin: 'uploaded', name: null, createdAt: expect.any(Date) });
  }
  expect(said.map((line) => line.split('.dump: ')[0]).toSorted()).toEqual(
    uploads.map((each) => `UPLOADED ${each}`).toSorted(),
  );
});
