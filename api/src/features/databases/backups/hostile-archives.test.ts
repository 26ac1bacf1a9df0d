import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../../db/connections/connection-string.ts';
import { migrateTenantDatabase } from '../../../db/migrate.ts';
import { useTestApp } from '../../../testing/app.ts';
import { useArchives } from '../../../testing/archives.ts';
import { createEmptyDatabase, withClient } from '../../../testing/databases.ts';
import {
  archiveOf,
  dumpToPipe,
  type Entry,
  encodedNumber,
  isRowsOf,
  type Parts,
  PLACES,
  type Place,
  partsOf,
  textIn,
  withLongChunk,
  withRows,
  withSql,
  withTexts,
} from '../../../testing/hostile-archives.ts';
import { IS_LONG_RUN } from '../../../testing/long-run.ts';
import { queryTenant } from '../../../testing/tenant-query.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { sealing } from './archive/archive-seal.ts';

// What is deleted or replaced is dropped at once; parking has tests of its own.
const test = useTestApp({ parkDays: 0 });
const archives = useArchives(test);
const { upload, restore, everything } = archives;

/** An archive that pg_dump wrote to a pipe. */
let piped: Buffer;
beforeAll(async () => {
  const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
  piped = await dumpToPipe(withDatabaseName(test.databaseUrl, physicalName));
});

const rowsOfLocations = isRowsOf('locations');
const identityOfLocations = ({ kind, name }: Entry) =>
  textIn(kind) === 'SEQUENCE SET' && textIn(name) === 'locations_id_seq';
const isOf =
  (wanted: string) =>
  ({ kind }: Entry): boolean =>
    textIn(kind) === wanted;

describe('statements in a table of contents', () => {
  const MARK = join(tmpdir(), `apotheca-hostile-${process.pid}`);
  const ATTEMPTS = [
    `copy public.locations from program 'touch ${MARK}'`,
    'alter role current_user superuser',
    'create table public.planted ()',
    'create function public.planted() returns int language sql as $f$ select 1 $f$',
  ].map((attempt) => `begin execute $e$${attempt}$e$; exception when others then null; end;`);
  /** Makes every attempt and ignores the errors. */
  const SQL = `do $d$ begin ${ATTEMPTS.join(' ')} end $d$;\n`;

  /** Puts SQL before the statements of entries, or into their names, after a closing quotation mark. */
  const hostile = (places: readonly Place[], where: (entry: Entry) => boolean): Buffer =>
    withTexts(piped, where, (entry) =>
      places.map((place) => {
        const isStatement = place === 'definition' || place === 'drop' || place === 'copy';
        return [place, isStatement ? SQL + textIn(entry[place]) : `x"';\n${SQL}--`];
      }),
    );

  /** Uploads and restores an archive, and expects nothing else to change. @returns the reason of a refusal */
  async function refusalOf(archive: Buffer): Promise<string | undefined> {
    const before = (await everything()).cluster;
    const uploaded = await upload(archive);
    const isKept = uploaded.status === 200;
    const answer = isKept ? await restore(uploaded.result.id, 'HOSTILE') : uploaded;
    if (answer.status === 200) {
      const planted = "select to_regclass('public.planted') as table, to_regproc('public.planted') as function";
      expect(await queryTenant(test, 'HOSTILE', planted)).toEqual([{ table: null, function: null }]);
      await test.call(databaseRoutes.delete, { query: { databaseName: 'HOSTILE' } });
    } else expect(answer).toMatchObject({ status: 400, title: 'Damaged archive' });
    if (isKept) await test.call(backupRoutes.delete, { query: { id: uploaded.result.id } });
    expect(existsSync(MARK)).toBe(false);
    expect((await everything()).cluster).toEqual(before);
    expect(test.background).toEqual([]);
    return answer.status === 200 ? undefined : answer.message;
  }

  const UNREAD: Place[] = ['catalogue', 'object', 'drop', 'owner', 'withOids'];
  const SPECIAL = ['TABLE DATA', 'SEQUENCE SET', 'ENCODING', 'STDSTRINGS', 'SEARCHPATH'];

  it.each<[string, readonly Place[], (entry: Entry) => boolean]>([
    ['in places that pg_restore does not run', UNREAD, () => true],
    ['in entries that are not restored', PLACES, ({ kind }) => !SPECIAL.includes(textIn(kind))],
    ['as the definition of rows', ['definition'], rowsOfLocations],
    ['as the statement that copies rows', ['copy'], rowsOfLocations],
    ['as the definition of an identity', ['definition'], identityOfLocations],
    ['as the search path', ['definition'], isOf('SEARCHPATH')],
  ])('do no harm %s [§2.13]', async (_, places, where) => {
    expect(await refusalOf(hostile(places, where))).toBeUndefined();
  });

  it.each<[string, Place, (entry: Entry) => boolean, RegExp]>([
    ['the name of rows', 'name', rowsOfLocations, /a name in it is too long/],
    ['the schema of rows', 'namespace', rowsOfLocations, /a name in it is too long/],
    ['the kind of rows', 'kind', rowsOfLocations, /the block at byte \d+ belongs to no entry/],
    ['the tablespace of rows', 'tablespace', rowsOfLocations, /could not set "?default_tablespace"?/],
    ['the access method of rows', 'accessMethod', rowsOfLocations, /could not set "?default_table_access_method"?/],
    ['a dependency of rows', 'dependencies', rowsOfLocations, /pg_restore: error: bad table dumpId/],
    ['the name of an identity', 'name', identityOfLocations, /lacks the identity of locations_id_seq/],
    ['the encoding', 'definition', isOf('ENCODING'), /encoding/i],
    ['the kind of strings', 'definition', isOf('STDSTRINGS'), /invalid STDSTRINGS item/],
  ])('are refused in %s [§2.13]', async (_, place, where, refusal) => {
    expect(await refusalOf(hostile([place], where))).toMatch(refusal);
  });

  it.each(IS_LONG_RUN ? PLACES : [])('do no harm in %s of any kind of entry [§2.13]', async (place) => {
    for (const kind of new Set(partsOf(piped).entries.map((entry) => textIn(entry.kind)))) {
      await refusalOf(hostile([place], isOf(kind)));
    }
  });
});

describe('what a restore that fails tells everybody, and the audit trail', () => {
  /** The stored failure of a restore. */
  async function failureOf(archive: Buffer) {
    const { id } = (await upload(archive)).result;
    const { status, message } = await restore(id, 'HOSTILE');
    expect(status).toBe(400);
    const { platform } = test.context;
    const operation = platform
      .selectFrom('operations')
      .select(['message', 'error'])
      .where('databaseName', '=', 'HOSTILE');
    const entry = platform
      .selectFrom('auditEntries')
      .select('changes')
      .where('action', '=', 'databases.restore-failed');
    const stored = await Promise.all([
      operation.orderBy('createdAt', 'desc').executeTakeFirstOrThrow(),
      entry.orderBy('id', 'desc').executeTakeFirstOrThrow(),
    ]);
    return { message, stored: JSON.stringify(stored) };
  }

  it('holds no value of a row [§2.13]', async () => {
    const { message, stored } = await failureOf(withRows(piped, Buffer.from('SECRET-1961\n')));
    expect(message).toMatch(/COPY failed for table "locations": ERROR: {2}invalid input syntax for type bigint: "…"/);
    expect(message).not.toContain('SECRET');
    expect(stored).not.toContain('SECRET');
    expect(stored).toContain('invalid input syntax');
  });

  it('holds nothing that a terminal would obey [§2.13]', async () => {
    const { message } = await failureOf(withSql(piped, `do $$ begin raise '%', e'\\x1b[2Jall is well'; end $$`));
    expect(message).toContain('all is well');
    expect(message).not.toContain('\u001b');
  });
});

describe('archives that are not what they seem', () => {
  const withParts = (change: (parts: Parts) => Partial<Parts>): Buffer => {
    const parts = partsOf(piped);
    return archiveOf({ ...parts, ...change(parts) });
  };
  const withMore = (make: (entry: Entry) => Entry[], where: (entry: Entry) => boolean): Buffer =>
    withParts(({ entries }) => ({ entries: [...entries, ...entries.filter(where).flatMap(make)] }));
  const without = (where: (entry: Entry) => boolean): Buffer =>
    withParts(({ entries }) => ({ entries: entries.filter((entry) => !where(entry)) }));
  const numbered = (entry: Entry, id: number): Entry => ({ ...entry, id: encodedNumber(id) });
  const long = (place: Place, text: string) => withTexts(piped, rowsOfLocations, () => [[place, text]]);

  it.each<[string, () => Buffer, RegExp]>([
    ['the same archive twice', () => Buffer.concat([piped, piped]), /belongs to no entry/],
    ['all rows twice', () => Buffer.concat([piped, piped.subarray(piped.length / 2)]), /not a complete archive/],
    ['cut off', () => piped.subarray(0, piped.length - 1_000), /it ends too early/],
    ['cut off in its table of contents', () => piped.subarray(0, 50_000), /it ends too early/],
    ['an entry twice', () => withMore((entry) => [entry], rowsOfLocations), /it has entry \d+ twice/],
    [
      'an entry without rows',
      () => withMore((entry) => [numbered(entry, 90_000)], rowsOfLocations),
      /the rows of locations are not where they should be/,
    ],
    ['no entry for rows', () => without(rowsOfLocations), /belongs to no entry/],
    [
      'more entries than there can be',
      () =>
        withMore(
          (entry) => Array.from({ length: 100_000 }, (_, n) => numbered(entry, 90_000 + n)),
          identityOfLocations,
        ),
      /its table of contents is too long/,
    ],
    ['of an older format', () => withParts(() => ({ minor: 11 })), /its version is not known/],
    ['of a newer format', () => withParts(() => ({ minor: 17 })), /its version is not known/],
    ['a name of 900 KB', () => long('name', 'n'.repeat(900_000)), /a name in it is too long/],
    ['a chunk of 50 MB', () => withLongChunk(piped, 50_000_000), /the rows of \w+ are damaged/],
    ['a text of 2 MB', () => long('drop', ' '.repeat(2_000_000)), /a text in it is too long/],
  ])('are refused: %s [§2.13]', async (_, make, reason) => {
    const before = await everything();
    expect(await upload(make())).toMatchObject({ status: 400, message: expect.stringMatching(reason) });
    expect(await everything()).toEqual(before);
  });

  it.each<[string, () => Buffer, RegExp]>([
    [
      'an identity twice',
      () => withMore((entry) => [numbered(entry, 90_000)], identityOfLocations),
      /has the identity of locations_id_seq twice/,
    ],
    ['no entry for an identity', () => without(identityOfLocations), /lacks the identity of locations_id_seq/],
    ['a row of 10 MB', () => withRows(piped, Buffer.alloc(10_000_000, 'x')), /said more than 4 MiB/],
    ['rows without an end mark', () => withRows(piped, Buffer.from('1')), /missing data for column/],
  ])('are not restored: %s [§2.13]', async (_, make, reason) => {
    const { result } = await upload(make());
    const before = await everything();
    expect(await restore(result.id, 'SOURCE')).toMatchObject({ status: 400, message: expect.stringMatching(reason) });
    expect(await everything()).toEqual(before);
  });

  it.each([
    ['NUL', '\u0000'],
    ['half a character', '\ud83d'],
  ])('are refused: a manifest with %s, which the list of backups could not keep [§2.13]', async (_, character) => {
    const table = { schema: 'public', name: `locations${character}`, rows: 1, checksum: '' };
    const manifest = { version: 2, tables: [table], objects: [], privileges: [], largeObjects: 0 };
    const before = await everything();
    expect(await upload(await buffer(sealing(Readable.from([piped]), manifest)))).toMatchObject({
      status: 400,
      message: 'The manifest at the end of this archive cannot be read.',
    });
    expect(await everything()).toEqual(before);
  });

  it('are restored when their format is old [§2.13]', async () => {
    const { result } = await upload(withParts(() => ({ minor: 12 })));
    expect(await restore(result.id, 'OLD')).toMatchObject({ status: 200, result: { rows: archives.rows } });
  });

  it('are restored without their large objects [§2.13]', async () => {
    const source = await createEmptyDatabase();
    await migrateTenantDatabase(source.url);
    await withClient(source.url, (client) =>
      client.query("select lo_from_bytea(0, decode(repeat('ab', 10000), 'hex')) from generate_series(1, 500)"),
    );
    const { result } = await upload(await dumpToPipe(source.url));
    await source.drop();
    expect(await restore(result.id, 'OBJECTS')).toMatchObject({ status: 200 });
    expect(await queryTenant(test, 'OBJECTS', 'select from pg_largeobject_metadata')).toEqual([]);
  });
});

describe('a restore whose connection seems lost', () => {
  it.each([
    ['server closed the connection', "DO $$ BEGIN RAISE 'server closed the connection unexpectedly'; END $$;\n"],
    ['terminating connection', 'SELECT pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());\n'],
  ])('fails after some runs when PostgreSQL answers all the same: %s [§2.13]', async (said, sql) => {
    const before = await everything();
    const { result } = await upload(withSql(piped, sql));
    expect(await restore(result.id, 'HOSTILE')).toMatchObject({
      status: 400,
      title: 'Damaged archive',
      message: expect.stringMatching(
        `^pg_restore says that PostgreSQL went away, .* The archive may be damaged, or made to do that.*${said}`,
      ),
    });
    await test.call(backupRoutes.delete, { query: { id: result.id } });
    expect(await everything()).toEqual(before);
  });

  it('is run again, and succeeds, when an administrator has ended its session [DECISIONS §8]', async () => {
    const waiting = `DO $$ BEGIN
      WHILE EXISTS (SELECT FROM pg_catalog.pg_stat_activity WHERE application_name = 'holding') LOOP
        PERFORM pg_catalog.pg_sleep(0.05), pg_catalog.pg_stat_clear_snapshot();
      END LOOP;
    END $$;\n`;
    const { result } = await upload(withSql(piped, waiting));
    const restored = await withClient(
      { connectionString: test.databaseUrl, application_name: 'holding' },
      async (holder) => {
        const restoring = restore(result.id, 'CUT OFF');
        const end = () =>
          holder.query(
            `select pg_terminate_backend(pid, 60000) from pg_stat_activity
             where application_name = 'apotheca' and query like 'DO $$ BEGIN%'`,
          );
        await expect.poll(async () => (await end()).rowCount).toBe(1);
        return () => restoring;
      },
    );
    expect(await restored()).toMatchObject({ status: 200, result: { rows: archives.rows } });
    const row = await test.context.platform
      .selectFrom('operations')
      .select(['attempts', 'outlived'])
      .where('databaseName', '=', 'CUT OFF')
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ attempts: 2, outlived: 1 });
  });
});
