import { createHash } from 'node:crypto';
import { chmod, readFile, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backupProofRoutes } from '@apotheca/contract/backup-proofs';
import { type Backup, backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../../demo/sample-rows.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { flipped, useArchives } from '../../../../testing/archives.ts';
import { tenantInput } from '../../../../testing/builders.ts';
import { withClient } from '../../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../../testing/operations.ts';
import { connectionStringOf, getDatabaseByName } from '../../databases.service.ts';
import { type ListedRows, readTableOfContents } from '../archive/archive-format.ts';
import { withArchive } from '../archive/archive-reader.ts';
import { verifySeal } from '../archive/archive-seal.ts';
import { archivePath } from '../archive/archive-store.ts';
import { measureProofs } from './proof-figures.ts';

const test = useTestApp();
const archives = useArchives(test);
let id: string;

const prove = (backupId = id, headers = {}) => test.call(backupProofRoutes.prove, { query: { id: backupId }, headers });
const listed = async (backupId = id): Promise<Backup> =>
  (await test.call(backupRoutes.list)).result.find((backup: Backup) => backup.id === backupId);
const query = async (text: string, values: unknown[] = []) => (await test.context.pool.query(text, values)).rows;
const backUp = async (databaseName = 'PROVED'): Promise<string> =>
  (await test.call(backupRoutes.create, { query: { databaseName } })).result.id;
const figures = async () => {
  const registry = new Registry();
  measureProofs(test.context, registry);
  return registry.metrics();
};
/** What a proof must leave as it was. */
const surroundings = async () => ({
  ...(await archives.everything()),
  parked: await query('select * from parked_databases'),
  claims: await query('select * from operation_claims'),
});

beforeAll(async () => {
  await test.call(tenantRoutes.create, { body: tenantInput('PROVED') });
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, 'PROVED'));
  await withClient(url, (client) => insertSampleRows(client, { patients: 20, seed: 5 }));
  await installStops(test.databaseUrl);
});
beforeEach(async () => {
  await query('delete from backups');
  id = await backUp();
});

describe('a proof of a backup', () => {
  it('restores it, says how long that takes, and leaves nothing behind [DECISIONS §13]', async () => {
    const before = await surroundings();
    const { rows } = await listed();
    expect(await prove()).toMatchObject({
      status: 200,
      message: expect.stringMatching(
        `^Success! The backup of PROVED can be restored: ${rows?.toLocaleString('en-US')} rows in \\d+\\.\\d s, the checksum of each table as at the backup.$`,
      ),
      result: { id, proof: { result: 'proved', comparedWith: 'checksums' } },
    });
    expect((await listed()).proof).toEqual({
      result: 'proved',
      endedOnUtc: test.clock.now.toISOString(),
      restoreMs: expect.any(Number),
      comparedWith: 'checksums',
      reason: '',
      tables: [],
    });
    expect(await surroundings()).toEqual(before);
    expect(await query('select action, actor_name from audit_entries where entity_id = $1', [id])).toEqual([
      { action: 'databases.prove', actor_name: 'admin' },
    ]);
    expect(await figures()).toContain('backup_proofs{result="proved",of="newest"} 1');
  });

  it('is made in a database that no list shows and no role but the administrator may enter, one at a time [DECISIONS §13]', async () => {
    const lists = async () => [
      (await test.call(databaseRoutes.list)).result.map(({ databaseName }: { databaseName: string }) => databaseName),
      (await test.call(reconciliationRoutes.reconcile)).result.findings,
      (await test.call(backupRoutes.list)).result.length,
    ];
    const second = await backUp();
    const before = await lists();
    const work = async () => {
      expect(await lists()).toEqual(before);
      const [scratch] = await query("select id, physical_name as name from databases where state = 'creating'");
      // By its oid: other tests drop roles meanwhile, and a role without one is an error by its name only.
      expect(
        await query(
          `select rolname from pg_roles where not rolsuper and rolname not like 'pg\\_%' and has_database_privilege(oid, $1, 'connect')`,
          [scratch.name],
        ),
      ).toEqual([]);
      expect(scratch.name).toMatch(/^db_[0-9a-f]{32}_/);
      expect(await prove(second)).toMatchObject({
        status: 409,
        message:
          'The backup of PROVED is being proved, and one is proved at a time. Please try again when that has ended.',
      });
      expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({
        status: 409,
        message: 'The backup of PROVED is being proved. Please delete it when that has ended.',
      });
    };
    const asynchronously = () => prove(id, { prefer: 'respond-async' });
    await holdAt(test.databaseUrl, { kind: 'prove', point: 'step 2' }, asynchronously, work);
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    expect((await listed()).proof).toMatchObject({ result: 'proved' });
    expect(await prove(second)).toMatchObject({ status: 200 });
  });

  it('says what it could compare: counts of a backup without a manifest, nothing of an archive from elsewhere [DECISIONS §13]', async () => {
    await query('update backups set manifest = null');
    expect(await prove()).toMatchObject({
      message: expect.stringMatching(/the number of rows of each table as at the backup/),
      result: { proof: { comparedWith: 'counts' } },
    });
    const { result } = await archives.upload(archives.plain);
    expect(await prove(result.id)).toMatchObject({
      message: expect.stringMatching(/compared with nothing/),
      result: { proof: { comparedWith: 'nothing' } },
    });
  });

  it('of an archive from elsewhere is made on the home server, whether that takes new databases or not [§2.30]', async () => {
    const { result } = await archives.upload(archives.plain);
    await query("update database_servers set state = 'draining'");
    expect(await prove(result.id)).toMatchObject({ status: 200 });
    await query("update database_servers set state = 'active'");
  });

  it('may be made by whoever may restore [§7.3]', async () => {
    const { token } = await test.signInAs('Operator');
    expect(await test.call(backupProofRoutes.prove, { query: { id }, token })).toMatchObject({ status: 403 });
    expect(await prove(crypto.randomUUID())).toMatchObject({ status: 404 });
  });

  describe('of a disk that is known', () => {
    beforeEach(() => {
      test.context.clusterDir = tmpdir();
    });
    afterEach(() => {
      delete test.context.clusterDir;
    });

    it('is refused where there may be too little room, and begins nothing [DECISIONS §13]', async () => {
      const { bavail, bsize } = await statfs(tmpdir());
      await query('update backups set size_bytes = $1', [bavail * bsize]);
      const before = await surroundings();
      expect(await prove()).toMatchObject({
        status: 507,
        message: expect.stringMatching(
          /^PostgreSQL's disk has \d+\.\d GB free, and a proof of this backup of PROVED may take \d+\.\d GB\. Make room on it, then try again\.$/,
        ),
      });
      expect(await surroundings()).toEqual(before);
      expect((await listed()).proof).toBeNull();
    });
  });
});

describe('a backup that cannot be restored', () => {
  /** Where the rows of tables lie in an archive: those with the most bytes first. */
  async function blocksOf(path: string): Promise<{ name: string; from: number; to: number }[]> {
    const { archiveBytes } = await verifySeal(path);
    const { rows } = await withArchive(path, archiveBytes, readTableOfContents);
    const found = [...rows.values()].filter(({ position }: ListedRows) => position !== undefined);
    const ordered = found.toSorted((one, two) => (one.position ?? 0) - (two.position ?? 0));
    return ordered
      .map(({ schema, name, position = 0 }, index) => ({
        name: schema === 'public' ? name : `${schema}.${name}`,
        from: position,
        to: ordered[index + 1]?.position ?? archiveBytes,
      }))
      .toSorted((one, two) => two.to - two.from - (one.to - one.from));
  }

  it('is named with the table in whose rows one byte was flipped, wherever in them [DECISIONS §13]', async () => {
    const path = archivePath(test.context, id);
    const whole = await readFile(path);
    for (const { name, from, to } of (await blocksOf(path)).slice(0, 4)) {
      // The block's kind and number, the length of its first part, the middle and the end.
      for (const at of [from, from + 2, from + 8, from + 20, Math.floor((from + to) / 2), to - 12]) {
        await writeFile(path, flipped(whole, at));
        expect(await prove(), `byte ${at - from} of ${name}`).toMatchObject({
          status: 400,
          title: 'Damaged archive',
          message: expect.stringMatching(
            `^The stored archive of PROVED has been changed: .* The rows of ${name} are damaged\\.$`,
          ),
          result: { tables: [name] },
        });
        expect((await listed()).proof).toMatchObject({ result: 'failed', restoreMs: null, tables: [name] });
      }
    }
    await writeFile(path, whole);
    expect(await prove()).toMatchObject({ status: 200, result: { proof: { result: 'proved', tables: [] } } });
  });

  it('is found wherever else one byte was flipped [DECISIONS §13]', async () => {
    const path = archivePath(test.context, id);
    const whole = await readFile(path);
    for (const at of [0, 30, whole.length - 200, whole.length - 1]) {
      await writeFile(path, flipped(whole, at));
      expect(await prove()).toMatchObject({ status: 400, message: expect.stringMatching(/has been changed/) });
      expect((await listed()).proof).toMatchObject({ result: 'failed' });
    }
  });

  it('is told from its manifest, where the archive itself is whole [DECISIONS §13]', async () => {
    const before = await surroundings();
    await query(
      `update backups set manifest = jsonb_set(manifest, '{tables}', (
         select jsonb_agg(case when t ->> 'name' = 'patients' then t || '{"checksum": "1"}' else t end)
         from jsonb_array_elements(manifest -> 'tables') t))`,
    );
    const reason = 'The restored rows of patients are not those that were backed up.';
    expect(await prove()).toMatchObject({ status: 400, message: reason });
    expect((await listed()).proof).toEqual({
      result: 'failed',
      endedOnUtc: test.clock.now.toISOString(),
      restoreMs: null,
      comparedWith: null,
      reason,
      tables: ['patients'],
    });
    expect(await surroundings()).toEqual(before);
    expect(
      await query('select action, changes from audit_entries where entity_id = $1 order by audit_entries.id', [id]),
    ).toEqual([
      { action: 'databases.proof-failed', changes: { databaseName: 'PROVED', reason } },
      { action: 'databases.prove-failed', changes: { databaseName: 'PROVED', reason } },
    ]);
    expect(await figures()).toContain('backup_proofs{result="failed",of="newest"} 1');
  });

  it('is the answer to who asks for newest backups that cannot be restored, until there is a newer one [DECISIONS §13]', async () => {
    const unrestorable = async () =>
      (await test.call(backupRoutes.list, { query: { isUnrestorable: 'true' } })).result.map((row: Backup) => row.id);
    expect(await unrestorable()).toEqual([]);
    await writeFile(archivePath(test.context, id), 'nothing');
    expect(await prove()).toMatchObject({ status: 400 });
    expect(await unrestorable()).toEqual([id]);
    test.clock.advance(1);
    await backUp();
    expect(await unrestorable()).toEqual([]);
  });

  it('is not one because the system kills pg_restore: that says nothing of it, while a crash does [DECISIONS §13]', async () => {
    const { findTools } = test.context;
    const tools = await findTools();
    const proveWith = async (does: string) => {
      const pgRestore = await programThat(does);
      test.context.findTools = async () => ({ ...tools, pgRestore });
      return prove().finally(() => {
        test.context.findTools = findTools;
      });
    };
    expect(await proveWith('kill -KILL $$')).toMatchObject({
      status: 500,
      message: expect.stringMatching(/ but may be undamaged: It was ended by SIGKILL\./),
    });
    expect((await listed()).proof).toBeNull();
    expect(await proveWith('kill -SEGV $$')).toMatchObject({ status: 400, title: 'Damaged archive' });
    expect((await listed()).proof).toMatchObject({ result: 'failed' });
  });

  it('is not one because a newer pg_dump made it than pg_restore here can read [DECISIONS §13]', async () => {
    const path = archivePath(test.context, id);
    const archive = await readFile(path);
    // The minor version of the format, in the archive's head.
    archive[6] = 99;
    await writeFile(path, archive);
    await query('update backups set sha256 = $2 where id = $1', [
      id,
      createHash('sha256').update(archive).digest('hex'),
    ]);
    expect(await prove()).toMatchObject({
      status: 503,
      title: 'PostgreSQL client programs missing',
      message: expect.stringMatching(/^A newer pg_dump made this archive than /),
    });
    expect((await listed()).proof).toBeNull();
  });

  it('is not one because the folder of backups cannot be read [DECISIONS §13]', async () => {
    expect(await prove()).toMatchObject({ status: 200 });
    const { backupDir } = test.context;
    // A file in the place of the folder.
    test.context.backupDir = archivePath(test.context, id);
    const message =
      'The file of this backup of PROVED cannot be read in the folder of backups: ENOTDIR. Please try again later.';
    expect(await prove()).toMatchObject({ status: 503, message });
    expect(await test.call(backupRoutes.download, { query: { id } })).toMatchObject({ status: 503, message });
    test.context.backupDir = backupDir;
    expect((await listed()).proof).toMatchObject({ result: 'proved' });
  });

  it('keeps what is known of it when a proof is cancelled, which leaves nothing behind [DECISIONS §13]', async () => {
    expect(await prove()).toMatchObject({ status: 200 });
    const { proof } = await listed();
    const before = await surroundings();
    const { findTools } = test.context;
    const tools = await findTools();
    test.context.findTools = async () => ({ ...tools, pgRestore: await programThat('exec sleep infinity') });
    const { operationId } = (await prove(id, { prefer: 'respond-async' })).result;
    const state = async () => (await test.call(operationRoutes.get, { query: { id: operationId } })).result.state;
    await expect.poll(state).toBe('running');
    expect(await test.call(operationRoutes.cancel, { query: { id: operationId } })).toMatchObject({ status: 200 });
    await operationsEnded(test.databaseUrl);
    test.context.findTools = findTools;
    expect(await state()).toBe('cancelled');
    expect((await listed()).proof).toEqual(proof);
    expect(await surroundings()).toEqual(before);
  });
});

/** pg_restore runs as another account, which must find it. */
async function programThat(does: string): Promise<string> {
  const path = join(archives.folder, crypto.randomUUID());
  await writeFile(path, `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  await chmod(archives.folder, 0o755);
  return path;
}

describe('a database that a newer version has upgraded', () => {
  const inProved = async (statement: string) => {
    const { physicalName } = await getDatabaseByName(test.context, 'PROVED');
    return withClient(withDatabaseName(test.databaseUrl, physicalName), (client) => client.query(statement));
  };
  beforeAll(() => inProved("insert into apotheca.schema_version (version, name) values (99, 'later')"));
  afterAll(() => inProved('delete from apotheca.schema_version where version = 99'));

  it('is backed up, and nothing is noted of that backup where this version cannot restore it [DECISIONS §13]', async () => {
    expect(await listed()).toMatchObject({ schemaVersion: 99 });
    const refused = {
      status: 409,
      message: expect.stringMatching(/^The archive has schema version 99; this platform knows versions up to \d+\.$/),
    };
    expect(await prove()).toMatchObject(refused);
    expect(await archives.restore(id, 'TOO NEW')).toMatchObject(refused);
    expect(await query('select proof from backups where id = $1', [id])).toEqual([{ proof: null }]);
    expect(
      await query("select from audit_entries where action = 'databases.proof-failed' and entity_id = $1", [id]),
    ).toEqual([]);
  });
});
