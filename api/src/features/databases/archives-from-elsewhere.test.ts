import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { backupRoutes, backup as backupShape } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { BASE_PATHS } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../app.ts';
import { migrateTenantDatabase, newestTenantSchemaVersion } from '../../db/migrate.ts';
import { insertSampleRows } from '../../db/sample-rows.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { createEmptyDatabase, withClient } from '../../testing/databases.ts';
import { archivePath } from './archive-store.ts';
import { connectionStringOf, getDatabaseByName } from './databases.service.ts';

const test = useTestApp();
const run = promisify(execFile);
const SEAL_LENGTH = 107;
let authorization = '';
let folder = '';
/** A sealed archive of a filled tenant, its rows, and the same as pg_dump alone would have made it. */
let sealed = Buffer.alloc(0);
let plain = Buffer.alloc(0);
let rows = 0;

beforeAll(async () => {
  authorization = `Bearer ${(await test.signIn()).result.accessToken}`;
  folder = await mkdtemp(join(tmpdir(), 'apotheca-archives-'));
  await test.call(tenantRoutes.create, { body: tenantInput('SOURCE') });
  const url = connectionStringOf(test.context, await getDatabaseByName(test.context, 'SOURCE'));
  rows = await withClient(url, (client) => insertSampleRows(client, { patients: 3, seed: 2 }));
  const { result } = await test.call(backupRoutes.create, { query: { databaseName: 'SOURCE' } });
  sealed = await readFile(archivePath(test.context, result.id));
  plain = sealed.subarray(0, -SEAL_LENGTH);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const uploadUrl = `${BASE_PATHS.api}${backupRoutes.upload.path}?databaseName=ELSEWHERE`;
const upload = async (payload: Buffer | string, type = 'application/octet-stream') => {
  const headers = { authorization, 'content-type': type };
  return (await test.app.inject({ method: 'POST', url: uploadUrl, headers, payload })).json();
};
const restore = (id: string, databaseName: string) => test.call(backupRoutes.restore, { query: { id, databaseName } });
const flipped = (archive: Buffer, at: number) => {
  const copy = Buffer.from(archive);
  copy[at] = (copy[at] ?? 0) ^ 0x10;
  return copy;
};
/** Everything that a refusal must leave as it was. */
async function everything() {
  const { rows: cluster } = await test.context.pool.query<{ name: string }>(
    `
    select (datname || ' ' || datallowconn) collate "C" as name from pg_database where shobj_description(oid, 'pg_database') like $1
    union all select (rolname || ' ' || rolcanlogin) collate "C" from pg_roles where shobj_description(oid, 'pg_authid') like $1
    union all select (name || ' ' || state) collate "C" from databases
    union all select (id || ' ' || state || ' ' || sha256) collate "C" from backups
    order by 1`,
    [`%${new URL(test.databaseUrl).pathname.slice(1)}`],
  );
  return { cluster, files: (await readdir(test.context.backupDir)).sort() };
}

describe('POST /managedatabase/uploadbackup', () => {
  it('keeps a whole archive and tells what it is; it can be restored [§2.13]', async () => {
    const { status, message, result } = await upload(sealed);
    expect({ status, message }).toEqual({ status: 200, message: 'Success! The archive has been checked and kept.' });
    expect(backupShape.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      databaseName: 'ELSEWHERE',
      origin: 'uploaded',
      rows: null,
      createdBy: 'admin',
      schemaVersion: newestTenantSchemaVersion(),
      sizeBytes: sealed.length,
      sha256: createHash('sha256').update(sealed).digest('hex'),
    });
    expect(await readFile(archivePath(test.context, result.id))).toEqual(sealed);
    expect(await restore(result.id, 'ELSEWHERE')).toMatchObject({ status: 200, result: { rows } });
  });

  it('takes an archive that pg_dump alone has made, and what it makes is read by pg_restore alone [§2.13]', async () => {
    const { result } = await upload(plain);
    expect(await restore(result.id, 'PLAIN')).toMatchObject({ status: 200, result: { rows } });
    const path = join(folder, 'sealed.dump');
    await writeFile(path, sealed);
    const { pgRestore } = await test.context.findTools();
    const { stdout, stderr } = await run(pgRestore, ['--data-only', '--table=locations', '--file=-', path]);
    expect(stdout).toMatch(/^COPY public\.locations /m);
    expect(stderr).toBe('');
  });

  it('refuses one with a flipped byte, wherever that is, and keeps nothing [§2.13]', async () => {
    const before = await everything();
    const positions = Array.from({ length: 24 }, (_, index) => Math.floor(((sealed.length - 1) * index) / 23));
    for (const at of positions) {
      expect(await upload(flipped(sealed, at)), `byte ${at}`).toMatchObject({ status: 400, title: 'Damaged archive' });
    }
    const { message } = await upload(flipped(sealed, Math.floor(sealed.length / 2)));
    expect(message).toMatch(
      /^This archive has been changed: its SHA-256 is [0-9a-f]{64} instead of the [0-9a-f]{64} that/,
    );
    // Without a seal the rows' own checksums tell.
    expect(await upload(flipped(plain, plain.length - 40))).toMatchObject({ status: 400 });
    expect(await everything()).toEqual(before);
  });

  it('refuses one that is cut off, empty, a text or of something else, and keeps nothing [§2.13]', async () => {
    const other = await createEmptyDatabase();
    const path = join(folder, 'other.dump');
    const { pgDump } = await test.context.findTools();
    await run(pgDump, ['-Fc', `--file=${path}`, `--dbname=${other.url}`]);
    await other.drop();
    const before = await everything();
    const cut = (archive: Buffer, length: number) => upload(archive.subarray(0, length));
    for (const archive of [sealed, plain]) {
      for (const length of [archive.length - 1, archive.length - 20, Math.floor(archive.length / 2), 100, 5]) {
        expect(await cut(archive, length), `${length} bytes`).toMatchObject({ status: 400, title: 'Damaged archive' });
      }
    }
    expect(await upload('')).toMatchObject({ status: 400, message: 'The file is empty.' });
    expect(await upload('create table notes (text text);\n'.repeat(500))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^This archive cannot be restored\. pg_restore: error: /),
    });
    expect(await upload(await readFile(path))).toMatchObject({
      status: 400,
      message: 'This is an archive, but not one of a database of this platform.',
    });
    expect(await upload('{}', 'application/json')).toMatchObject({ status: 415 });
    expect(await everything()).toEqual(before);
  });

  it('may take longer than other requests while bytes come; what stops or breaks off is cut and not kept [DECISIONS §3]', async () => {
    const app = await buildApp(test.context, { logLevel: 'silent', requestTimeout: 300 });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const begin = () => {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      const type = 'Content-Type: application/octet-stream\r\nConnection: close';
      socket.write(
        `POST ${uploadUrl} HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\n${type}\r\nContent-Length: ${sealed.length}\r\n\r\n`,
      );
      return { socket, answer: () => answer };
    };
    try {
      const slow = begin();
      const part = Math.ceil(sealed.length / 10);
      for (let at = 0; at < sealed.length; at += part) {
        slow.socket.write(sealed.subarray(at, at + part));
        // The time between two parts is what this is about.
        await setTimeout(100);
      }
      await once(slow.socket, 'close');
      expect(slow.answer()).toMatch(/^HTTP\/1.1 200 /);

      const before = await everything();
      const stopped = begin();
      stopped.socket.write(sealed.subarray(0, 2000));
      await once(stopped.socket, 'close');
      expect(stopped.answer()).toMatch(/^HTTP\/1.1 408 /);
      const broken = begin();
      broken.socket.write(sealed.subarray(0, 2000));
      while ((await everything()).files.every((name) => !name.endsWith('.part'))) await setTimeout(10);
      broken.socket.destroy();
      while ((await everything()).files.some((name) => name.endsWith('.part'))) await setTimeout(10);
      expect(await everything()).toEqual(before);
    } finally {
      await app.close();
    }
  });
});

describe('restoring', () => {
  it('refuses a stored archive in which one byte was flipped, naming both digests, and changes nothing [§2.13]', async () => {
    const { result } = await upload(sealed);
    const path = archivePath(test.context, result.id);
    const before = await everything();
    for (const at of [0, 30, Math.floor(sealed.length / 3), sealed.length - 200, sealed.length - 1]) {
      const damaged = flipped(sealed, at);
      await writeFile(path, damaged);
      const digest = createHash('sha256').update(damaged).digest('hex');
      for (const name of ['SOURCE', 'BRAND NEW']) {
        expect(await restore(result.id, name)).toMatchObject({
          status: 400,
          title: 'Damaged archive',
          message: `The stored archive of ELSEWHERE has been changed: its SHA-256 is ${digest} instead of ${result.sha256}.`,
        });
      }
    }
    expect(await everything()).toEqual(before);
    const details = (await test.call(databaseRoutes.details, { query: { databaseName: 'SOURCE' } })).result;
    expect(details.tables.reduce((sum: number, table: { rows: number }) => sum + table.rows, 0)).toBe(rows);
  });

  it('brings an archive of an older schema to the newest one [§2.13]', async () => {
    const old = await createEmptyDatabase();
    await migrateTenantDatabase(old.url, 8);
    const inserted = await withClient(old.url, (client) => insertSampleRows(client, { patients: 2, seed: 3 }));
    const path = join(folder, 'old.dump');
    const { pgDump } = await test.context.findTools();
    await run(pgDump, ['-Fc', `--file=${path}`, `--dbname=${old.url}`]);
    await old.drop();
    const { result } = await upload(await readFile(path));
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

describe('an archive whose SQL was tampered with', () => {
  /** Puts SQL in the place of the statement that loads a table, at the same length. */
  function tampered(sql: string): Buffer {
    const text = plain.toString('latin1');
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

  it('leaves nothing at the role of the database: what it did to itself is gone with that role [§2.13]', async () => {
    const sql = "ALTER ROLE CURRENT_USER SET work_mem = '1MB'; COPY public.locations FROM stdin;";
    const { result } = await upload(tampered(sql));
    expect(await restore(result.id, 'RENEWED')).toMatchObject({ status: 200, result: { rows } });
    const row = await getDatabaseByName(test.context, 'RENEWED');
    await withClient(connectionStringOf(test.context, row), (client) => client.query('select 1 from locations'));
    const found = await test.context.pool.query('select rolconfig from pg_roles where rolname = $1', [row.roleName]);
    expect(found.rows).toEqual([{ rolconfig: null }]);
  });
});
