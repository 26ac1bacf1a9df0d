import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, writeArchive } from '../../../../db/client-programs/client-program.ts';
import { useTestApp } from '../../../../testing/app.ts';
import { createEmptyDatabase, withClient } from '../../../../testing/databases.ts';
import { loadControlDump, WITHOUT_ROWS, withControlDump } from './installation-dump.ts';

const test = useTestApp();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apotheca-dump-'));
  await test.context.pool.query(`
    insert into provider_sessions (session_id, issuer, subject, id_token, checked_at)
    select id, 'https://provider.example', 'someone', '', now() from sessions limit 1`);
});
afterAll(() => rm(folder, { recursive: true }));

/** Loads a dump into a database of its own. @returns how many users, sessions and sessions of a provider that has */
async function countLoaded(path: string): Promise<unknown> {
  const target = await createEmptyDatabase();
  try {
    await loadControlDump(await test.context.findTools(), target.url, path);
    const { rows } = await withClient(target.url, (client) =>
      client.query(`
        select (select count(*) > 0 from users) as "hasUsers", (select count(*)::int from sessions) as sessions,
          (select count(*)::int from provider_sessions) as provided,
          (select count(*) > 0 from pg_constraint where conname = 'provider_sessions__session_id__sessions') as "hasKey"`),
    );
    return rows[0];
  } finally {
    await target.drop();
  }
}

it('is loaded where somebody had signed in by a provider [DECISIONS §13]', async () => {
  const path = join(folder, 'new');
  await withControlDump(test.context, new AbortController().signal, async ({ content }) => {
    await pipeline(content, createWriteStream(path));
  });
  expect(await countLoaded(path)).toEqual({ hasUsers: true, sessions: 0, provided: 0, hasKey: true });
});

it('is loaded where it was made with what belongs to sessions, but without them [DECISIONS §13]', async () => {
  const path = join(folder, 'old');
  const { address, environment } = addressOf(test.context.databaseUrl);
  const { pgDump } = await test.context.findTools();
  const file = await open(path, 'wx+');
  const { signal } = new AbortController();
  await writeArchive(pgDump, ['--exclude-table-data=sessions', `--dbname=${address}`], file, { environment, signal });
  await file.close();
  expect(await countLoaded(path)).toEqual({ hasUsers: true, sessions: 0, provided: 0, hasKey: true });
});

it('has no rows that refer to rows it leaves out [DECISIONS §13]', async () => {
  const { rows } = await test.context.pool.query(
    `select conrelid::regclass::text as from_table, confrelid::regclass::text as to_table from pg_constraint
     where contype = 'f' and confrelid = any($1::regclass[]) and not conrelid = any($1::regclass[])`,
    [WITHOUT_ROWS],
  );
  expect(rows).toEqual([]);
});
