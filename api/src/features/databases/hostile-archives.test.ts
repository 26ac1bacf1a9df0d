import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backupRoutes } from '@apotheca/contract/backups';
import { databaseRoutes } from '@apotheca/contract/databases';
import { beforeAll, describe, expect, it } from 'vitest';
import { withDatabaseName } from '../../db/connection-string.ts';
import { useTestApp } from '../../testing/app.ts';
import { useArchives } from '../../testing/archives.ts';
import { withClient } from '../../testing/databases.ts';
import { PLACES, withLongChunk, withStatement, withVersion } from '../../testing/hostile-archives.ts';
import { getDatabaseByName } from './databases.service.ts';

const run = promisify(execFile);
const test = useTestApp();
const archives = useArchives(test);
const { upload, restore, everything } = archives;

/** As pg_dump writes it to a pipe. */
let piped = Buffer.alloc(0);
beforeAll(async () => {
  const { physicalName } = await getDatabaseByName(test.context, 'SOURCE');
  const { pgDump } = await test.context.findTools();
  const args = ['-Fc', `--dbname=${withDatabaseName(test.databaseUrl, physicalName)}`];
  piped = (await run(pgDump, args, { encoding: 'buffer', maxBuffer: 1e8 })).stdout;
});

const superusers = async () =>
  (await test.context.pool.query('select rolname from pg_roles where rolsuper order by 1')).rows;

describe('statements in a table of contents', () => {
  const mark = join(tmpdir(), `apotheca-hostile-${process.pid}`);
  const STATEMENTS = [`COPY public.locations FROM PROGRAM 'touch ${mark}';\n`, 'ALTER ROLE CURRENT_USER SUPERUSER;\n'];

  it.each(PLACES)(
    'do no harm as %s, and leave nothing of what is refused [§2.13]',
    { timeout: 120_000 },
    async (place) => {
      const before = { superusers: await superusers(), cluster: (await everything()).cluster };
      for (const sql of STATEMENTS) {
        const { status, result } = await upload(withStatement(piped, place, sql));
        const restored = status === 200 ? await restore(result.id, 'HOSTILE') : { status };
        expect([200, 400]).toContain(restored.status);
        if (restored.status === 200) await test.call(databaseRoutes.delete, { query: { databaseName: 'HOSTILE' } });
        if (status === 200) await test.call(backupRoutes.delete, { query: { id: result.id } });
      }
      expect(existsSync(mark)).toBe(false);
      expect({ superusers: await superusers(), cluster: (await everything()).cluster }).toEqual(before);
      expect(test.background).toEqual([]);
    },
  );
});

describe('archives that are not what they seem', () => {
  it.each([
    ['twice the same', () => Buffer.concat([piped, piped]), /belongs to nothing/],
    ['its rows twice', () => Buffer.concat([piped, piped.subarray(piped.length / 2)]), /whole archive/],
    ['cut off', () => piped.subarray(0, piped.length - 1_000), /it ends too early/],
    ['of an older format', () => withVersion(piped, 10), /its version is not known/],
    ['of a newer format', () => withVersion(piped, 99), /its version is not known/],
    ['a name of 900 KB', () => withStatement(piped, 'name', 'n'.repeat(900_000)), /a name in it is too long/],
    ['a chunk of 50 MB', () => withLongChunk(piped, 50_000_000), /the rows of \w+ are damaged/],
    ['a text of 2 MB', () => withStatement(piped, 'drop', ' '.repeat(2_000_000)), /a text in it is too long/],
  ])('are refused: %s [§2.13]', async (_, make, reason) => {
    const before = await everything();
    expect(await upload(make())).toMatchObject({ status: 400, message: expect.stringMatching(reason) });
    expect(await everything()).toEqual(before);
  });
});

describe('what an archive makes pg_restore say of PostgreSQL', () => {
  it.each([
    ['server closed the connection', "DO $$ BEGIN RAISE 'server closed the connection unexpectedly'; END $$;\n"],
    ['terminating connection', 'SELECT pg_catalog.pg_terminate_backend(pg_catalog.pg_backend_pid());\n'],
  ])('is not believed for ever while PostgreSQL answers: %s [§2.13]', async (said, sql) => {
    const before = await everything();
    const { result } = await upload(withStatement(piped, 'sequence', sql));
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

  it('may be true: a restore whose session an administrator ends is begun anew, and succeeds [DECISIONS §8]', async () => {
    const waiting = `DO $$ BEGIN
      WHILE EXISTS (SELECT FROM pg_catalog.pg_stat_activity WHERE application_name = 'holding') LOOP
        PERFORM pg_catalog.pg_sleep(0.05), pg_catalog.pg_stat_clear_snapshot();
      END LOOP;
    END $$;\n`;
    const { result } = await upload(withStatement(piped, 'sequence', waiting));
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
