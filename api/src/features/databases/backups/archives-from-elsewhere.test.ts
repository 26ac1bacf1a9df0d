import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { authRoutes } from '@apotheca/contract/auth';
import { backup as backupShape } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { type KyselyPlugin, sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { SERVER_ACTOR } from '../../../actor.ts';
import { buildApp } from '../../../app.ts';
import type { Context } from '../../../context.ts';
import { migrateTenantDatabase, newestTenantSchemaVersion } from '../../../db/migrate.ts';
import { insertSampleRows } from '../../../demo/sample-rows.ts';
import { insertAccount, signInTo } from '../../../testing/accounts.ts';
import { useTestApp } from '../../../testing/app.ts';
import { flipped, UPLOAD_URL, useArchives } from '../../../testing/archives.ts';
import { aheadByYear, putRight } from '../../../testing/clock-ahead.ts';
import { createEmptyDatabase, withClient } from '../../../testing/databases.ts';
import { stopSteadyClock } from '../../../testing/steady-clock.ts';
import { inspectUpload, removeOldSources, sourceStore } from '../adoption/adoption.service.ts';
import { connectionStringOf, getDatabaseByName } from '../databases.service.ts';
import { loadArchive, readContents } from './archive/archive.ts';
import { archivePath, openEntryList } from './archive/archive-store.ts';
import { receive } from './archive-upload.ts';
import { settleBackups } from './backup-deletion.ts';
import { uploadBackup } from './backups.service.ts';

const run = promisify(execFile);
const test = useTestApp();
const archives = useArchives(test);
const { upload, restore, dump, everything } = archives;

describe('POST /managedatabase/uploadbackup', () => {
  it('keeps a complete archive, describes it, and can restore it [§2.13]', async () => {
    const { status, message, result } = await upload(archives.sealed);
    expect({ status, message }).toEqual({ status: 200, message: 'Success! The archive has been checked and kept.' });
    expect(backupShape.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      databaseName: 'ELSEWHERE',
      origin: 'uploaded',
      rows: null,
      createdBy: 'admin',
      schemaVersion: newestTenantSchemaVersion(),
      sizeBytes: archives.sealed.length,
      sha256: createHash('sha256').update(archives.sealed).digest('hex'),
    });
    expect(await readFile(archivePath(test.context, result.id))).toEqual(archives.sealed);
    expect(await restore(result.id, 'ELSEWHERE')).toMatchObject({ status: 200, result: { rows: archives.rows } });
  });

  it('accepts pg_dump’s own archives, and pg_restore accepts sealed ones [§2.13]', async () => {
    const { result } = await upload(archives.plain);
    expect(await restore(result.id, 'PLAIN')).toMatchObject({ status: 200, result: { rows: archives.rows } });
    const path = join(archives.folder, 'sealed.dump');
    await writeFile(path, archives.sealed);
    const { pgRestore } = await test.context.findTools();
    const { stdout, stderr } = await run(pgRestore, ['--data-only', '--table=locations', '--file=-', path]);
    expect(stdout).toMatch(/^COPY public\.locations /m);
    expect(stderr).toBe('');
  });

  it('refuses an archive with a flipped byte anywhere, and keeps nothing [§2.13]', async () => {
    const before = await everything();
    const positions = Array.from({ length: 24 }, (_, index) => Math.floor(((archives.sealed.length - 1) * index) / 23));
    for (const at of positions) {
      expect(await upload(flipped(archives.sealed, at)), `byte ${at}`).toMatchObject({
        status: 400,
        title: 'Damaged archive',
      });
    }
    const { message } = await upload(flipped(archives.sealed, Math.floor(archives.sealed.length / 2)));
    expect(message).toMatch(
      /^This archive has been changed: its SHA-256 is [0-9a-f]{64} instead of the [0-9a-f]{64} that/,
    );
    // Without a seal, the rows' own checksums show it.
    expect(await upload(flipped(archives.plain, archives.plain.length - 40))).toMatchObject({ status: 400 });
    expect(await everything()).toEqual(before);
  });

  it('refuses a truncated archive, an empty file, a text and an archive of another database, and keeps nothing [§2.13]', async () => {
    const other = await createEmptyDatabase();
    const foreign = await dump([], other.url);
    await other.drop();
    const before = await everything();
    const cut = (archive: Buffer, length: number) => upload(archive.subarray(0, length));
    for (const archive of [archives.sealed, archives.plain]) {
      for (const length of [archive.length - 1, archive.length - 20, Math.floor(archive.length / 2), 100, 5]) {
        expect(await cut(archive, length), `${length} bytes`).toMatchObject({ status: 400, title: 'Damaged archive' });
      }
    }
    expect(await upload('')).toMatchObject({ status: 400, message: 'The file is empty.' });
    expect(await upload('create table notes (text text);\n'.repeat(500))).toMatchObject({
      status: 400,
      message: "This is not a complete archive of pg_dump's custom format: it does not begin as one.",
    });
    expect(await upload(foreign)).toMatchObject({
      status: 400,
      message: 'This is an archive, but not one of a database of this platform.',
    });
    expect(await upload('{}', { type: 'application/json' })).toMatchObject({ status: 415 });
    expect(await everything()).toEqual(before);
  });

  interface Sending {
    socket: Socket;
    /** The server's answer, once it has closed the connection. */
    answer: Promise<string>;
  }

  /** Runs `work` with a server that waits `requestTimeout` milliseconds for each part of an upload, and tells how many bytes have come. */
  async function whileUploading(
    requestTimeout: number,
    work: (begin: (authorization?: string) => Sending, received: () => number) => Promise<void>,
  ): Promise<void> {
    const app = await buildApp(test.context, { logLevel: 'silent', requestTimeout });
    let received = () => 0;
    app.server.on('connection', (socket: Socket) => {
      received = () => socket.bytesRead;
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const begin = (authorization = archives.authorization) => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      const type = 'Content-Type: application/octet-stream\r\nConnection: close';
      socket.write(
        `POST ${UPLOAD_URL} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n${type}\r\nContent-Length: ${archives.sealed.length}\r\n\r\n`,
      );
      return { socket, answer: once(socket, 'close').then(() => answer) };
    };
    await work(begin, () => received()).finally(() => app.close());
  }

  const hasDraft = async () => (await readdir(test.context.backupDir)).some((name) => name.endsWith('.part'));

  it.each([
    ['uploaded', uploadBackup, settleBackups, () => test.context],
    ['inspected', inspectUpload, removeOldSources, () => sourceStore(test.context)],
  ])(
    'lets no upkeep remove an archive that is %s for longer than an hour [DECISIONS §8]',
    async (_, take, tidy, store) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
      const recheckPermission = async () => {
        const { backupDir } = store();
        const [name = ''] = (await readdir(backupDir)).filter((each) => each.endsWith('.part'));
        const path = join(backupDir, name);
        const longAgo = new Date(Date.now() - 7_200_000);
        await utimes(path, longAgo, longAgo);
        await tidy(test.context);
        vi.advanceTimersByTime(3_600_001);
        await vi.waitFor(
          async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(longAgo.getTime() + 3_600_000),
          { timeout: 60_000 },
        );
        await tidy(test.context);
      };
      const upload = { content: Readable.from([archives.sealed]), databaseName: 'SLOW', sha256: '', recheckPermission };
      try {
        await expect(take(test.context, SERVER_ACTOR, upload)).resolves.toBeDefined();
        // It is finished, so nothing is touched any more.
        vi.advanceTimersByTime(3_600_000);
        await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0), { timeout: 60_000 });
      } finally {
        vi.useRealTimers();
      }
    },
  );

  /** Uploads an archive. `meanwhile` runs between its row, in state 'writing', and the end. */
  async function uploadWhile(meanwhile: () => Promise<void>, changes: Partial<Context> = {}) {
    let queryId: object | undefined;
    const plugin: KyselyPlugin = {
      transformQuery(query) {
        if (query.node.kind === 'InsertQueryNode') queryId ??= query.queryId;
        return query.node;
      },
      async transformResult(query) {
        if (query.queryId === queryId) await meanwhile();
        return query.result;
      },
    };
    const context = { ...test.context, ...changes, platform: test.context.platform.withPlugin(plugin) };
    const recheckPermission = async () => {};
    const sent = {
      content: Readable.from([archives.sealed]),
      databaseName: 'MEANWHILE',
      sha256: '',
      recheckPermission,
    };
    return uploadBackup(context, SERVER_ACTOR, sent);
  }

  it('keeps an archive that a process finds whose clock is ahead while it is made durable [DECISIONS §8]', async () => {
    const ahead = { ...test.context, ...aheadByYear(test.context.platform) };
    putRight(test.clock);
    const { backup } = await uploadWhile(() => settleBackups(ahead));
    expect(await readFile(archivePath(test.context, backup.id))).toEqual(archives.sealed);
  });

  it('keeps an archive that a server makes durable whose clock is hours behind [DECISIONS §8]', async () => {
    const behind = { now: () => new Date(test.clock.now.getTime() - 7_200_000) };
    const { backup } = await uploadWhile(() => settleBackups(test.context), behind);
    expect(await readFile(archivePath(test.context, backup.id))).toEqual(archives.sealed);
  });

  it('tells of no upload that was taken for a broken one meanwhile, and keeps nothing [DECISIONS §8]', async () => {
    const before = await everything();
    const pass = stopSteadyClock();
    const upkeep = async () => {
      await settleBackups(test.context);
      pass(3_600_001);
      await settleBackups(test.context);
    };
    await expect(uploadWhile(upkeep)).rejects.toMatchObject({ code: 'conflict' });
    expect(await everything()).toEqual(before);
  });

  it('takes no upload for a broken one whose folder is gone, and keeps nothing [DECISIONS §8]', async () => {
    const before = await everything();
    const backupDir = join(archives.folder, 'gone');
    const uploading = uploadWhile(() => rm(backupDir, { recursive: true }), { backupDir });
    await expect(uploading).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await everything()).toEqual(before);
  });

  it.each<[string, boolean]>([
    ['was lost', true],
    ['was lost before its end', false],
  ])('keeps an upload that is ready, although the answer of its COMMIT %s [DECISIONS §8]', async (_, isAtEnd) => {
    const { platform } = test.context;
    const lossy = platform.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => result,
    });
    const lost = Promise.withResolvers<never>();
    let ended: Promise<void> | undefined;
    const begun = lossy.transaction();
    vi.spyOn(begun, 'execute').mockImplementation((work) => {
      ended = platform.transaction().execute(async (trx) => {
        await work(trx);
        if (isAtEnd) return;
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        lost.reject(new Error('Connection terminated unexpectedly'));
        const waiting = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))';
        await expect
          .poll(async () => (await test.context.pool.query(waiting, [rows[0]?.pid])).rowCount)
          .toBeGreaterThan(0);
      });
      ended.then(() => lost.reject(new Error('Connection terminated unexpectedly')), lost.reject);
      return lost.promise;
    });
    vi.spyOn(lossy, 'transaction').mockReturnValue(begun);
    const { backup } = await uploadBackup({ ...test.context, platform: lossy }, SERVER_ACTOR, {
      content: Readable.from([archives.sealed]),
      databaseName: 'LOST',
      sha256: '',
      recheckPermission: async () => {},
    });
    await ended;
    expect(await readFile(archivePath(test.context, backup.id))).toEqual(archives.sealed);
  });

  it.each([
    ['before it is known who sends it', () => Promise.reject(new Error('connect ECONNREFUSED'))],
    ['before its row is inserted', () => Promise.resolve()],
  ])('keeps nothing where PostgreSQL goes away %s [DECISIONS §8]', async (_, recheckPermission) => {
    const before = await everything();
    const away = test.context.platform.withPlugin({
      transformQuery: () => {
        throw new Error('connect ECONNREFUSED');
      },
      transformResult: async ({ result }) => result,
    });
    const sent = { content: Readable.from([archives.sealed]), databaseName: 'AWAY', sha256: '', recheckPermission };
    const uploading = uploadBackup({ ...test.context, platform: away }, SERVER_ACTOR, sent);
    await expect(uploading).rejects.toThrow('ECONNREFUSED');
    expect(await everything()).toEqual(before);
  });

  it('keeps nothing when the sender signs out during the upload [DECISIONS §4]', async () => {
    const before = await everything();
    const account = await insertAccount(test, { role: 'Administrator' });
    const { accessToken, refreshToken } = await signInTo(test, account);
    await whileUploading(60_000, async (begin) => {
      const { socket, answer } = begin(`Bearer ${accessToken}`);
      socket.write(archives.sealed.subarray(0, 2000));
      await expect.poll(hasDraft).toBe(true);
      await test.call(authRoutes.logout, { token: null, body: { refreshToken } });
      socket.write(archives.sealed.subarray(2000));
      expect(await answer).toMatch(/^HTTP\/1.1 401 /);
      expect(await everything()).toEqual(before);
    });
  });

  describe('by the clock', () => {
    // A minute has passed when the test says so, and not because this process stood still.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
    afterEach(() => void vi.useRealTimers());

    it('may take longer than other requests while bytes arrive [DECISIONS §3]', async () => {
      await whileUploading(60_000, async (begin, received) => {
        const { socket, answer } = begin();
        const part = Math.ceil(archives.sealed.length / 10);
        socket.write(archives.sealed.subarray(0, part));
        await expect.poll(hasDraft).toBe(true);
        for (let at = part; at < archives.sealed.length; at += part) {
          vi.advanceTimersByTime(40_000);
          socket.write(archives.sealed.subarray(at, at + part));
          await expect.poll(received).toBe(socket.bytesWritten);
        }
        expect(await answer).toMatch(/^HTTP\/1.1 200 /);
      });
    });

    it('ends an upload that stalls, and keeps nothing [DECISIONS §3]', async () => {
      const before = await everything();
      await whileUploading(60_000, async (begin) => {
        const { socket, answer } = begin();
        socket.write(archives.sealed.subarray(0, 2000));
        await expect.poll(hasDraft).toBe(true);
        vi.advanceTimersByTime(120_000);
        expect(await answer).toMatch(/^HTTP\/1.1 408 /);
        await expect.poll(everything).toEqual(before);
      });
    });
  });

  it('keeps nothing of an upload that breaks off [DECISIONS §3]', async () => {
    const before = await everything();
    await whileUploading(60_000, async (begin) => {
      const { socket } = begin();
      socket.write(archives.sealed.subarray(0, 2000));
      await expect.poll(hasDraft).toBe(true);
      socket.destroy();
      await expect.poll(everything).toEqual(before);
    });
  });
});

describe('a failure that does not come from the archive', () => {
  it('of the disk is reported as such [§2.13]', async () => {
    await expect(receive(Readable.from([archives.sealed]), '/dev/full')).rejects.toMatchObject({
      code: 'disk-full',
      message:
        'The folder of backups has no room for this file: No space left on device. Make room there, then try again.',
    });
  });

  it('of PostgreSQL, or a missing file, is not reported as a damaged archive [§2.13]', async () => {
    const tools = await test.context.findTools();
    const path = join(archives.folder, 'whole.dump');
    await writeFile(path, archives.plain);
    const { entries } = await readContents(tools, path);
    const ids = entries.filter(({ kind, name }) => kind === 'TABLE DATA' && name === 'locations').map(({ id }) => id);
    const full = await createEmptyDatabase();
    await migrateTenantDatabase(full.url);
    // PostgreSQL's own message.
    await withClient(full.url, (client) =>
      client.query(`
        create function fill_disk() returns trigger language plpgsql as $$
        begin
          raise 'could not extend file "base/1/2": No space left on device' using errcode = 'disk_full';
        end $$;
        create trigger fill_disk before insert on locations for each row execute function fill_disk()`),
    );
    const { signal } = new AbortController();
    const list = await openEntryList(test.context, randomUUID(), ids);
    expect(await readdir(test.context.backupDir)).not.toContainEqual(expect.stringMatching(/\.list$/));
    const loading = loadArchive(tools, { url: full.url, path, list, signal, onTable: () => {} });
    await expect(loading).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringMatching(
        / but may be undamaged: .*could not extend file "base\/1\/2": No space left on device/,
      ),
    });
    await list.close();
    await full.drop();
    await expect(readContents(tools, join(archives.folder, 'gone.dump'))).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/No such file or directory\.$/),
    });
  });
});

describe('restoring', () => {
  it('refuses a stored archive in which one byte was flipped, naming both digests, and changes nothing [§2.13]', async () => {
    const { result } = await upload(archives.sealed);
    const path = archivePath(test.context, result.id);
    const before = await everything();
    for (const at of [
      0,
      30,
      Math.floor(archives.sealed.length / 3),
      archives.sealed.length - 200,
      archives.sealed.length - 1,
    ]) {
      const damaged = flipped(archives.sealed, at);
      await writeFile(path, damaged);
      const digest = createHash('sha256').update(damaged).digest('hex');
      for (const name of ['SOURCE', 'BRAND NEW']) {
        expect(await restore(result.id, name)).toMatchObject({
          status: 400,
          title: 'Damaged archive',
          message: expect.stringContaining(
            `The stored archive of ELSEWHERE has been changed: its SHA-256 is ${digest} instead of ${result.sha256}.`,
          ),
        });
      }
    }
    expect(await everything()).toEqual(before);
    const details = (await test.call(databaseRoutes.details, { query: { databaseName: 'SOURCE' } })).result;
    expect(details.tables.reduce((sum: number, table: { rows: number }) => sum + table.rows, 0)).toBe(archives.rows);
  });

  it('upgrades an archive of an older schema [§2.13]', async () => {
    const old = await createEmptyDatabase();
    await migrateTenantDatabase(old.url, 8);
    const inserted = await withClient(old.url, (client) => insertSampleRows(client, { patients: 2, seed: 3 }));
    const archive = await dump([], old.url);
    await old.drop();
    const { result } = await upload(archive);
    expect(result.schemaVersion).toBe(8);
    expect(await restore(result.id, 'UPGRADED')).toMatchObject({ status: 200, result: { rows: inserted } });
    const list = (await test.call(databaseRoutes.list)).result;
    expect(list.find(({ databaseName }: { databaseName: string }) => databaseName === 'UPGRADED')).toMatchObject({
      schemaVersion: newestTenantSchemaVersion(),
      isOutdated: false,
    });
    const details = (await test.call(databaseRoutes.details, { query: { databaseName: 'UPGRADED' } })).result;
    expect(details.schemaVersion).toBe(newestTenantSchemaVersion());
  });
});

describe('an archive from before schema version 8', () => {
  const refusal = {
    status: 400,
    title: 'Damaged archive',
    message: 'The archive has schema version 7; this platform restores versions from 8 on.',
  };
  let archive: Buffer;

  beforeAll(async () => {
    const old = await createEmptyDatabase();
    await migrateTenantDatabase(old.url, 7);
    archive = await dump([], old.url);
    await old.drop();
  });

  it('cannot be uploaded [§2.13]', async () => {
    const before = await everything();
    expect(await upload(archive)).toMatchObject(refusal);
    expect(await everything()).toEqual(before);
  });

  it('cannot be restored when it was uploaded earlier [§2.13]', async () => {
    const { id } = (await upload(archives.plain)).result;
    await writeFile(archivePath(test.context, id), archive);
    const sha256 = createHash('sha256').update(archive).digest('hex');
    const { platform } = test.context;
    await platform
      .updateTable('backups')
      .set({ sha256, sizeBytes: String(archive.length), schemaVersion: 7 })
      .where('id', '=', id)
      .execute();
    const before = await everything();
    for (const name of ['SOURCE', 'TOO OLD']) expect(await restore(id, name)).toMatchObject(refusal);
    expect(await everything()).toEqual(before);
  });
});

describe('an archive whose SQL was tampered with', () => {
  /** Replaces the statement that loads a table by SQL of the same length. */
  function tampered(sql: string): Buffer {
    const text = archives.plain.toString('latin1');
    const [statement = ''] = /COPY public\.locations \([^)]*\) FROM stdin;/.exec(text) ?? [];
    expect(sql.length).toBeLessThanOrEqual(statement.length);
    return Buffer.from(text.replace(statement, sql.padEnd(statement.length)), 'latin1');
  }

  it.each([
    ["COPY public.locations FROM PROGRAM 'touch MARK';", 'to COPY to or from an external program'],
    ['ALTER ROLE CURRENT_USER SUPERUSER; COPY public.locations FROM stdin;', ''],
    ['CREATE TABLE public.planted (); COPY public.locations FROM stdin;', 'permission denied for schema public'],
    ['DELETE FROM apotheca.schema_version; COPY public.locations FROM stdin;', 'permission denied for table'],
  ])('runs with the rights of an ordinary role only, and is refused: %s [§2.13]', async (sql, reason) => {
    const mark = join(tmpdir(), `m${process.pid}`);
    const { result } = await upload(tampered(sql.replace('MARK', mark)));
    const before = await everything();
    for (const name of ['SOURCE', 'TAMPERED']) {
      const answer = await restore(result.id, name);
      expect(answer).toMatchObject({ status: 400, title: 'Damaged archive' });
      expect(answer.message).toContain(reason);
    }
    expect(existsSync(mark)).toBe(false);
    expect(await everything()).toEqual(before);
    expect(test.background).toEqual([]);
  });

  it.each([
    ['ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;', 'pg_default_acl, pg_shdepend'],
    ['CREATE TEMP TABLE t();', 'pg_'],
  ])('is refused when it changes anything but rows: %s [§2.13]', async (sql, changed) => {
    const { result } = await upload(tampered(`${sql} COPY public.locations FROM stdin;`));
    const before = await everything();
    for (const name of ['SOURCE', 'TAMPERED']) {
      const answer = await restore(result.id, name);
      expect(answer).toMatchObject({ status: 400, title: 'Damaged archive' });
      expect(answer.message).toContain(`The archive does more than load rows: it changes ${changed}`);
    }
    expect(await everything()).toEqual(before);
    expect(test.background).toEqual([]);
  });

  it('cannot change the role of the database: the role that loads rows is dropped afterwards [§2.13]', async () => {
    const sql = "ALTER ROLE CURRENT_USER SET work_mem = '1MB'; COPY public.locations FROM stdin;";
    const { result } = await upload(tampered(sql));
    expect(await restore(result.id, 'RENEWED')).toMatchObject({ status: 200, result: { rows: archives.rows } });
    const row = await getDatabaseByName(test.context, 'RENEWED');
    await withClient(await connectionStringOf(test.context, row), (client) => client.query('select 1 from locations'));
    const found = await test.context.pool.query('select rolconfig from pg_roles where rolname = $1', [row.roleName]);
    expect(found.rows).toEqual([{ rolconfig: null }]);
  });
});
