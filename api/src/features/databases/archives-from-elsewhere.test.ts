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
import { withDatabaseName } from '../../db/connection-string.ts';
import { migrateTenantDatabase, newestTenantSchemaVersion } from '../../db/migrate.ts';
import { insertSampleRows } from '../../db/sample-rows.ts';
import { useTestApp } from '../../testing/app.ts';
import { tenantInput } from '../../testing/builders.ts';
import { createEmptyDatabase, withClient } from '../../testing/databases.ts';
import { stateOfTables, type TableState } from '../../testing/tenant-state.ts';
import { readTableOfContents } from './archive-format.ts';
import { withArchive } from './archive-reader.ts';
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
const upload = async (payload: Buffer | string, type = 'application/octet-stream', sha256?: string) => {
  const headers = { authorization, 'content-type': type };
  const url = sha256 === undefined ? uploadUrl : `${uploadUrl}&sha256=${sha256}`;
  return (await test.app.inject({ method: 'POST', url, headers, payload })).json();
};
const uploadWith = (payload: Buffer, sha256: string) => upload(payload, 'application/octet-stream', sha256);
const digestOf = (archive: Buffer) => createHash('sha256').update(archive).digest('hex');
/** What pg_dump alone makes of SOURCE. */
async function dump(...args: string[]): Promise<Buffer> {
  const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
  const path = join(folder, 'dump');
  const { pgDump } = await test.context.findTools();
  await run(pgDump, ['-Fc', ...args, `--file=${path}`, `--dbname=${withDatabaseName(test.databaseUrl, physicalName)}`]);
  return readFile(path);
}
/** What the tables of a database hold. */
const stateOf = async (name: string) => {
  const { physicalName } = await getDatabaseByName(test.context, name);
  return test.context.tenants.with(physicalName, stateOfTables);
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
      message: "This is no whole archive of pg_dump's custom format: it does not begin as one.",
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

describe('an archive without a seal', () => {
  it('whose rows carry no checksum is refused, unless its SHA-256 comes along [§2.13]', async () => {
    const bare = await dump('-Z0');
    const before = await everything();
    const message =
      'The rows of this archive are not compressed, so nothing in it tells whether it is damaged: send its SHA-256 along.';
    expect(await upload(bare)).toMatchObject({ status: 400, message, errors: { sha256: [message] } });
    const digest = digestOf(bare);
    const damaged = flipped(bare, bare.indexOf('COPY public.locations'));
    expect(await uploadWith(damaged, digest)).toMatchObject({
      status: 400,
      title: 'Damaged archive',
      errors: { sha256: [expect.stringContaining(`${digestOf(damaged)} instead of ${digest}`)] },
    });
    expect(await uploadWith(Buffer.alloc(0), digest.slice(1))).toMatchObject({
      status: 400,
      errors: { sha256: ['SHA-256 should be 64 hexadecimal digits'] },
    });
    expect(await everything()).toEqual(before);
    const { message: kept, result } = await uploadWith(bare, digest.toUpperCase());
    expect(kept).toBe('Success! The archive has been checked and kept.');
    expect(await restore(result.id, 'BARE')).toMatchObject({ status: 200, result: { rows } });
    expect(await stateOf('BARE')).toEqual(await stateOf('SOURCE'));
  });

  it('is read where pg_dump wrote to a pipe, and so noted no positions [§2.13]', async () => {
    const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
    const { pgDump } = await test.context.findTools();
    const args = ['-Fc', `--dbname=${withDatabaseName(test.databaseUrl, physicalName)}`];
    const { stdout } = await run(pgDump, args, { encoding: 'buffer', maxBuffer: 1e8 });
    const { result } = await upload(stdout);
    expect(await restore(result.id, 'PIPED')).toMatchObject({ status: 200, result: { rows } });
  });

  it('is refused or restored to the same rows, whatever byte of its table of contents was flipped [§2.13]', {
    timeout: 180_000,
  }, async () => {
    const original = await stateOf('SOURCE');
    const archive = await dump();
    const path = join(folder, 'dump');
    const end = await withArchive(path, archive.length, async (reader) => {
      await readTableOfContents(reader);
      return reader.position();
    });
    // Most of it is of no account for the rows: half of the bytes are those of entries that announce rows.
    const announcing = [...archive.toString('latin1', 0, end).matchAll(/TABLE DATA|SEQUENCE SET/g)].map(
      ({ index }) => index,
    );
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    for (let round = 0; round < 20; round += 1) {
      const at = round % 2 ? random(end) : (announcing[random(announcing.length)] ?? 0) - 60 + random(400);
      const { status, result } = await upload(flipped(archive, at));
      if (status !== 200) continue;
      const restored = await restore(result.id, `FLIPPED ${round}`);
      if (restored.status === 200) {
        const state = await stateOf(`FLIPPED ${round}`);
        expect(rowsOnly(state), `byte ${at}`).toEqual(rowsOnly(original));
      } else expect(restored, `byte ${at}`).toMatchObject({ status: 400, title: 'Damaged archive' });
    }
    expect(test.background).toEqual([]);
  });

  it('is refused where an entry disowns its rows, which pg_restore would take for an empty table [§2.13]', async () => {
    const archive = await dump();
    const before = await everything();
    const entry = archive.indexOf('TABLE DATA', archive.indexOf('COPY public.locations') - 200);
    // Number and sign of 'has rows', then object ids and name, stand before.
    const text = archive.toString('latin1', entry - 80, entry);
    const hasRows = entry - 80 + text.lastIndexOf('\0\x01\0\0\0\0', text.search(/\d\d\d\d\d/)) + 1;
    const disowned = Buffer.from(archive);
    disowned[hasRows] = 0;
    expect(await upload(disowned)).toMatchObject({
      status: 400,
      message: expect.stringMatching(/the rows of locations are not where they should be/),
    });
    expect(await everything()).toEqual(before);
  });

  it('is refused where a block of rows goes on behind its end, which would keep pg_restore busy for ever [§2.13]', async () => {
    const archive = await dump();
    const before = await everything();
    // The last block: its last chunk is followed by an empty one, five bytes that are 0.
    const chunk = lastChunkOf(archive);
    const longer = Buffer.from(archive);
    longer.writeUInt32LE(longer.readUInt32LE(chunk + 1) + 2, chunk + 1);
    expect(await upload(Buffer.concat([longer, Buffer.alloc(2)]))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/the rows of \w+ are damaged/),
    });
    expect(await everything()).toEqual(before);
  });
});

/** Where the length of the last block's only chunk stands: a sign and four bytes, before the two of zlib's head. */
function lastChunkOf(archive: Buffer): number {
  for (let at = archive.length - 12; at > 0; at -= 1) {
    if (archive[at] === 0 && archive.readUInt32LE(at + 1) === archive.length - 5 - (at + 5)) return at;
  }
  throw new Error('There is no last chunk');
}

const rowsOnly = (state: TableState[]) => state.map(({ name, rows: count, checksum }) => ({ name, count, checksum }));

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
