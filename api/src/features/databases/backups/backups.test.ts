import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backupRoutes, backup as backupShape } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { reconciliationRoutes } from '@apotheca/contract/reconciliation';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { holdAt, installStops, removeStops } from '../../../testing/operation-stops.ts';
import { operationsEnded } from '../../../testing/operations.ts';
import { patiently } from '../../../testing/patiently.ts';
import { stopSteadyClock } from '../../../testing/steady-clock.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { verifySeal } from './archive/archive-seal.ts';
import { findOrigin } from './archive/archive-signature.ts';
import { archivePath } from './archive/archive-store.ts';
import { settleBackups } from './backup-deletion.ts';

const test = useTestApp();
beforeAll(() => installStops(test.databaseUrl));

const createTenant = (code: string) => test.call(tenantRoutes.create, { body: tenantInput(code) });
const fill = async (name: string, patients = 3) => {
  const url = await connectionStringOf(test.context, await getDatabaseByName(test.context, name));
  return withClient(url, (client) => insertSampleRows(client, { patients, seed: 1 }));
};
const backUp = (databaseName: string) => test.call(backupRoutes.create, { query: { databaseName } });
const statesOf = async (id: string) =>
  (await test.context.platform.selectFrom('backups').select('state').where('id', '=', id).execute()).map(
    ({ state }) => state,
  );
const list = async (databaseName?: string) =>
  (await test.call(backupRoutes.list, { query: databaseName === undefined ? {} : { databaseName } })).result;
const files = (): Promise<string[]> => readdir(test.context.backupDir);
const download = (id: string) =>
  test.app.inject({
    url: `${BASE_PATHS.api}${backupRoutes.download.path}?id=${id}`,
    headers: { authorization: `Bearer ${administratorToken}`, 'accept-encoding': 'gzip, deflate, br, zstd' },
  });
let administratorToken = '';
const audited = (entityId: string) =>
  test.context.platform
    .selectFrom('auditEntries')
    .select(['action', 'actorName'])
    .where('entityId', '=', entityId)
    .orderBy('id')
    .execute();

describe('POST /managedatabase/backupdatabase', () => {
  it('writes an archive that only the server’s account reads, with size, SHA-256 and rows [§2.13]', async () => {
    await createTenant('KEPT');
    const rows = await fill('KEPT');
    const { status, message, result } = await backUp('kept');
    expect({ status, message }).toEqual({ status: 200, message: 'Success! KEPT has been backed up.' });
    expect(backupShape.parse(result)).toEqual(result);
    const path = archivePath(test.context, result.id);
    const content = await readFile(path);
    expect(result).toMatchObject({
      databaseName: 'KEPT',
      origin: 'made',
      rows,
      createdBy: 'admin',
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    });
    expect(content.subarray(0, 5).toString()).toBe('PGDMP');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(test.context.backupDir)).mode & 0o777).toBe(0o700);
    expect(await files()).toEqual([`${result.id}.dump`]);
    const { id } = await getDatabaseByName(test.context, 'KEPT');
    expect(await audited(id)).toEqual([{ action: 'databases.backup', actorName: 'admin' }]);
  });

  it('is listed by its database, newest first, also after the database is renamed [§2.13]', async () => {
    await createTenant('OFTEN');
    const first = (await backUp('OFTEN')).result;
    test.clock.advance(60);
    const second = (await backUp('OFTEN')).result;
    await test.call(databaseRoutes.rename, { query: { databaseName: 'OFTEN', newName: 'SELDOM' } });
    expect(await list('seldom')).toEqual([second, first]);
    expect(z.array(backupShape).parse(await list())).toEqual(await list());
    expect((await list()).length).toBeGreaterThan(2);
    const details = (await test.call(databaseRoutes.details, { query: { databaseName: 'SELDOM' } })).result;
    expect(details.newestBackupOnUtc).toBe(second.createdOnUtc);
    expect(await test.call(backupRoutes.list, { query: { databaseName: 'NOBODY' } })).toMatchObject({ status: 404 });
  });

  it('is of the moment of its rows, not of that at which it was queued [§2.13]', async () => {
    await createTenant('QUEUED');
    const queuedAt = test.clock.now;
    await holdAt(
      test.databaseUrl,
      { kind: 'backup', point: 'running' },
      () =>
        test.call(backupRoutes.create, {
          query: { databaseName: 'QUEUED' },
          headers: { prefer: 'respond-async' },
        }),
      async () => test.clock.advance(6 * 3600),
    );
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    const takenAt = test.clock.now;
    test.clock.now = queuedAt;
    const [backup] = await list('QUEUED');
    expect(backup.createdOnUtc).toBe(takenAt.toISOString());
    const path = archivePath(test.context, backup.id);
    expect(await findOrigin(test.context.keys.archives, path, await verifySeal(path))).toEqual({
      backupId: backup.id,
      createdAt: takenAt,
    });
  });

  it('is a 404 for an unknown database, and leaves nothing [§2.13]', async () => {
    const before = await files();
    expect(await backUp('NOBODY')).toMatchObject({ status: 404, message: "There is no database 'NOBODY'." });
    expect(await files()).toEqual(before);
  });

  it('leaves neither row nor file when it fails, and tells why [DECISIONS §8]', async () => {
    await createTenant('BROKEN');
    const broken = await getDatabaseByName(test.context, 'BROKEN');
    const before = { files: await files(), list: await list() };
    await test.context.tenants.with(broken, (client) => client.query('drop table public.otps'));
    expect(await backUp('BROKEN')).toMatchObject({
      status: 409,
      message: 'The database lacks otps: no restore would accept its backup.',
    });
    expect({ files: await files(), list: await list() }).toEqual(before);
    expect(
      await test.context.platform.selectFrom('backups').select('id').where('state', '=', 'writing').execute(),
    ).toEqual([]);
    test.background.length = 0;
  });
});

describe('GET /managedatabase/downloadbackup', () => {
  it('sends exactly the bytes of the file, with length and name, and is audited [§2.13]', async () => {
    administratorToken = (await test.signIn()).result.accessToken;
    await createTenant('FETCHED');
    const { id, sizeBytes, sha256 } = (await backUp('FETCHED')).result;
    const { statusCode, headers, rawPayload } = await download(id);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(sizeBytes),
      'content-disposition': expect.stringMatching(/^attachment; filename\*=UTF-8''FETCHED%20.*\.dump$/),
    });
    expect(headers['content-encoding']).toBeUndefined();
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(sha256);
    expect(await audited(id)).toEqual([{ action: 'databases.backup-download', actorName: 'admin' }]);
  });

  it('names the file also where the database’s name is cut in the midst of a character [§2.13]', async () => {
    await createTenant('CUTNAME');
    const { id } = (await backUp('CUTNAME')).result;
    const databaseName = `${'N'.repeat(49)}🩺 OF THE NORTH`;
    await test.context.platform.updateTable('backups').set({ databaseName }).where('id', '=', id).execute();
    const { statusCode, headers } = await download(id);
    expect(statusCode).toBe(200);
    const [, name = ''] = /filename\*=UTF-8''(.*)$/.exec(String(headers['content-disposition'])) ?? [];
    expect(decodeURIComponent(name)).toMatch(/^N{49}\uFFFD .*\.dump$/);
  });

  it('is a 404 for an unknown backup and for a missing file [§2.13]', async () => {
    const unknown = await download('00000000-0000-4000-8000-000000000000');
    expect(unknown.json()).toMatchObject({ status: 404, message: 'There is no such backup.' });
    await createTenant('LOST');
    const { id } = (await backUp('LOST')).result;
    await rm(archivePath(test.context, id));
    expect((await download(id)).json()).toMatchObject({
      status: 404,
      message: 'The file of this backup of LOST is missing in the folder of backups.',
    });
  });
});

describe('DELETE /managedatabase/deletebackup', () => {
  it('removes row and file, and is audited [§2.13]', async () => {
    await createTenant('THROWN');
    const { id } = (await backUp('THROWN')).result;
    expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({
      status: 200,
      message: 'Successfully deleted backup.',
      result: { id, isRemoved: true },
    });
    expect(await list('THROWN')).toEqual([]);
    expect(await files()).not.toContain(`${id}.dump`);
    expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({ status: 404 });
    expect(await audited(id)).toEqual([{ action: 'databases.backup-delete', actorName: 'admin' }]);
  });

  it('is refused while the backup is being restored; a restore that comes later finds no backup [§2.13]', async () => {
    await createTenant('NEEDED');
    const { id } = (await backUp('NEEDED')).result;
    const remove = () => test.call(backupRoutes.delete, { query: { id } });
    const restore = (databaseName: string, headers = {}) =>
      test.call(backupRoutes.restore, { query: { id, databaseName }, headers });
    await holdAt(
      test.databaseUrl,
      { kind: 'restore', point: 'step 1' },
      () => restore('ANEW', { prefer: 'respond-async' }),
      async () => {
        expect(await remove()).toMatchObject({
          status: 409,
          title: 'Busy',
          message: 'The backup of NEEDED is being restored. Please delete it when that has ended.',
        });
      },
    );
    await removeStops(test.databaseUrl);
    await operationsEnded(test.databaseUrl);
    expect(await getDatabaseByName(test.context, 'ANEW')).toMatchObject({ state: 'ready' });
    expect(await files()).toContain(`${id}.dump`);

    await withClient(test.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('delete from backups where id = $1', [id]);
      const restoring = patiently(() => restore('LATE'));
      // On another session: within a transaction pg_stat_activity does not change.
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await test.context.pool.query(waiting)).rowCount).toBe(1);
      await client.query('commit');
      expect(await restoring).toMatchObject({ status: 404, message: 'There is no such backup.' });
    });
    await rm(archivePath(test.context, id));
  });

  it('unlists the backup when its archive cannot be removed, says so, and is finished later [§2.13]', async () => {
    await createTenant('STUCK');
    const { id } = (await backUp('STUCK')).result;
    const path = archivePath(test.context, id);
    // A folder: not even root can unlink it.
    await rm(path);
    await mkdir(join(path, 'within'), { recursive: true });
    expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({
      status: 200,
      message:
        'The backup is off the list, but its archive cannot be removed now (ERR_FS_EISDIR). The server tries again every minute.',
      result: { id, isRemoved: false },
    });
    expect(await list('STUCK')).toEqual([]);
    expect(await test.call(backupRoutes.delete, { query: { id } })).toMatchObject({ status: 404 });
    await expect(settleBackups(test.context)).rejects.toThrow('1 archives could not be removed');
    expect(await statesOf(id)).toEqual(['deleting']);
    await rm(path, { recursive: true });
    await writeFile(path, 'rows of patients');
    await settleBackups(test.context);
    expect(await statesOf(id)).toEqual([]);
    expect(await files()).not.toContain(`${id}.dump`);
    expect(await audited(id)).toEqual([{ action: 'databases.backup-delete', actorName: 'admin' }]);
  });

  it('is that of the first of two people who delete it at once [§2.13]', async () => {
    await createTenant('TWICE');
    const { id } = (await backUp('TWICE')).result;
    // Its row stays until this copy is removed.
    await test.context.pool.query("insert into backup_copies (backup_id, store) values ($1, 'file:/mnt/nas')", [id]);
    const remove = () => test.call(backupRoutes.delete, { query: { id } });
    const answers = await withClient(test.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('select from backups where id = $1 for update', [id]);
      const both = Promise.all([patiently(remove), patiently(remove)]);
      // By another session: one sees the same activity until its transaction ends.
      const waiting = () =>
        test.context.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike 'update \"backups\"%'",
        );
      await expect.poll(async () => (await waiting()).rowCount).toBe(2);
      await client.query('commit');
      return both;
    });
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await audited(id)).toEqual([{ action: 'databases.backup-delete', actorName: 'admin' }]);
    await test.context.pool.query('delete from backup_copies');
    await settleBackups(test.context);
    expect(await statesOf(id)).toEqual([]);
  });

  it('is finished after a kill: neither a row nor an archive stays without the other [§2.13]', async () => {
    await createTenant('CUT');
    const { id } = (await backUp('CUT')).result;
    const states = test.context.platform.updateTable('backups').where('id', '=', id);
    // As after a kill between the steps: first marked, then without its file.
    await states.set({ state: 'deleting' }).execute();
    await settleBackups(test.context);
    expect(await statesOf(id)).toEqual([]);
    expect(await files()).not.toContain(`${id}.dump`);

    const other = (await backUp('CUT')).result.id;
    await test.context.platform.updateTable('backups').where('id', '=', other).set({ state: 'deleting' }).execute();
    await rm(archivePath(test.context, other));
    await settleBackups(test.context);
    expect(await statesOf(other)).toEqual([]);

    // An upload that was killed when its archive was complete.
    const sent = (await backUp('CUT')).result.id;
    const upload = test.context.platform.updateTable('backups').where('id', '=', sent);
    await upload.set({ state: 'writing', origin: 'uploaded' }).execute();
    const pass = stopSteadyClock();
    for (let minutes = 0; minutes <= 60; minutes += 30) {
      await settleBackups(test.context);
      expect(await statesOf(sent)).toEqual(['writing']);
      pass(1_800_000);
    }
    await settleBackups(test.context);
    expect(await statesOf(sent)).toEqual([]);
    expect(await files()).not.toContain(`${sent}.dump`);
  });

  it('is not needed for a deleted database, whose backups stay [§2.13]', async () => {
    await createTenant('GOING');
    await test.call(databaseRoutes.copy, { query: { copyFrom: 'GOING', databaseName: 'GONE' } });
    const { id } = (await backUp('GONE')).result;
    await test.call(databaseRoutes.delete, { query: { databaseName: 'GONE' } });
    expect((await list()).map((row: { id: string }) => row.id)).toContain(id);
    expect(await files()).toContain(`${id}.dump`);
  });
});

it('an Operator may back up and download, but not restore, upload or delete; a Viewer may only list and plan [DECISIONS §5]', async () => {
  await createTenant('GUARDED');
  const { token: operator } = await test.signInAs('Operator');
  const { token: viewer } = await test.signInAs('Viewer');
  const query = { databaseName: 'GUARDED' };
  const made = await test.call(backupRoutes.create, { query, token: operator });
  expect(made.status).toBe(200);
  const { id } = made.result;
  const url = `${BASE_PATHS.api}${backupRoutes.download.path}?id=${id}`;
  const fetched = async (token: string) =>
    (await test.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode;
  expect([await fetched(operator), await fetched(viewer)]).toEqual([200, 403]);
  const statuses = (token: string) =>
    Promise.all([
      test.call(backupRoutes.list, { token }),
      test.call(backupRoutes.planRestore, { query: { id, databaseName: 'NEW' }, token }),
      test.call(backupRoutes.restore, { query: { id, databaseName: 'NEW' }, token }),
      test.call(backupRoutes.upload, { query, token }),
      test.call(backupRoutes.delete, { query: { id }, token }),
    ]).then((answers) => answers.map(({ status }) => status));
  expect(await statuses(operator)).toEqual([200, 200, 403, 403, 403]);
  expect(await statuses(viewer)).toEqual([200, 200, 403, 403, 403]);
  expect(await test.call(backupRoutes.create, { query, token: viewer })).toMatchObject({ status: 403 });
});

describe('a running backup', () => {
  /** Starts a backup that waits for a locked table. */
  async function withWaitingBackup(name: string, work: (id: string) => Promise<void>): Promise<void> {
    await createTenant(name);
    const { physicalName } = await getDatabaseByName(test.context, name);
    // The server's own sessions may not hold a lock for longer than ten seconds.
    await withClient(withDatabaseName(test.databaseUrl, physicalName), async (client) => {
      await client.query('begin; lock table public.trlogs in access exclusive mode');
      const query = { databaseName: name };
      const { result } = await test.call(backupRoutes.create, { query, headers: { prefer: 'respond-async' } });
      await until(async () => (await files()).includes(`${result.operationId}.part`));
      await work(result.operationId);
      await client.query('rollback');
    });
  }
  const until = async (isSo: () => Promise<boolean>) => {
    while (!(await isSo())) await test.context.pool.query('select pg_sleep(0.02)');
  };
  const operation = async (id: string) => (await test.call(operationRoutes.get, { query: { id } })).result;

  it('blocks other operations on the database, and leaves nothing when it is cancelled [DECISIONS §8]', async () => {
    await withWaitingBackup('WAITING', async (id) => {
      expect(await backUp('WAITING')).toMatchObject({
        status: 409,
        message: expect.stringMatching(/^WAITING is being backed up \(started by admin\)/),
      });
      expect(await list('WAITING')).toEqual([]);
      expect(await download(id)).toMatchObject({ statusCode: 404 });
      expect(await test.call(operationRoutes.cancel, { query: { id } })).toMatchObject({ status: 200 });
      await until(async () => (await operation(id)).state === 'cancelled');
      expect(await files()).not.toContain(`${id}.part`);
    });
    expect(await backUp('WAITING')).toMatchObject({ status: 200 });
    // Of this database only: other tests back up theirs. A session ends a moment after its client.
    const { physicalName } = await getDatabaseByName(test.context, 'WAITING');
    const sessions = "select from pg_stat_activity where application_name = 'pg_dump' and datname = $1";
    await until(async () => (await test.context.pool.query(sessions, [physicalName])).rows.length === 0);
  });
});

it('unfinished files of a crash are removed once nobody has touched them for an hour; a complete archive without a backup stays, and reconciling finds it [DECISIONS §8]', async () => {
  await createTenant('TIDY');
  const { id } = (await backUp('TIDY')).result;
  const pathOf = (name: string) => join(test.context.backupDir, name);
  const touch = (name: string, minutes: number) => {
    const at = new Date(test.clock.now.getTime() + minutes * 60_000);
    return utimes(pathOf(name), at, at);
  };
  const orphan = crypto.randomUUID();
  const [behind, ahead] = [`${crypto.randomUUID()}.part`, `${crypto.randomUUID()}.part`];
  for (const name of [`${orphan}.part`, `${orphan}.dump`, `${orphan}.list`, behind, ahead, 'notes.txt'])
    await writeFile(pathOf(name), '');
  // Listed but missing, like a file that another operation is renaming.
  const moving = pathOf(`${crypto.randomUUID()}.part`);
  await symlink('nowhere', moving);
  const pass = stopSteadyClock();
  // Processes of other machines are writing two of them, and touch them by their own clocks.
  for (let minutes = 0; minutes <= 60; minutes += 10) {
    await touch(behind, minutes - 70);
    await touch(ahead, minutes + 70);
    await settleBackups(test.context);
    const back = new Date(test.clock.now.getTime() - 4_200_000);
    await settleBackups({ ...test.context, now: () => back, trustedNow: async () => back });
    expect(await files()).toEqual(expect.arrayContaining([`${orphan}.part`, `${orphan}.list`, behind, ahead]));
    pass(600_000);
  }
  expect(await backUp('TIDY')).toMatchObject({ status: 200 });
  const left = await files();
  expect(left.filter((name) => name.startsWith(orphan))).toEqual([`${orphan}.dump`]);
  expect((await test.call(reconciliationRoutes.reconcile)).result.findings).toContainEqual(
    expect.objectContaining({ kind: 'file-without-backup', subject: `${orphan}.dump` }),
  );
  expect(left).toEqual(expect.arrayContaining([`${id}.dump`, behind, ahead, 'notes.txt']));
  // Both processes are killed.
  pass(3_600_000);
  await settleBackups(test.context);
  const ended = await files();
  for (const name of [behind, ahead]) expect(ended).not.toContain(name);
  await rm(moving);
});
