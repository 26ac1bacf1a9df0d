import { randomUUID } from 'node:crypto';
import { BACKUPS_MAX, backupRoutes } from '@apotheca/contract/backups';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { afterEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../testing/app.ts';
import { tenantInput } from '../../../testing/builders.ts';
import { withClient } from '../../../testing/databases.ts';
import { mostRowsRead } from '../../../testing/plans.ts';
import { getDatabaseByName } from '../databases.service.ts';
import { backupsList } from './backup-list.repository.ts';

const test = useTestApp();
afterEach(() => test.context.pool.query('delete from backups'));

interface Fields {
  id?: string;
  name?: string;
  state?: 'ready' | 'deleting' | 'writing';
  databaseId?: string;
}

/** Adds a backup that is so many hours old. @returns its id */
async function addBackup(
  hours: number,
  { id = randomUUID(), name = 'CEDAR', state = 'ready', databaseId }: Fields = {},
) {
  await test.context.pool.query(
    `insert into backups (id, database_id, database_name, origin, state, created_at)
     values ($1, $2, $3, 'made', $4, $5::timestamptz - $6 * interval '1 hour')`,
    [id, databaseId, name, state, test.clock.now, hours],
  );
  return id;
}

const call = (query: Record<string, unknown>) => test.call(backupRoutes.list, { query: query as { id?: string } });
const list = async (query: Record<string, unknown>): Promise<string[]> => {
  const { status, result } = await call(query);
  expect(status).toBe(200);
  return result.map(({ id }: { id: string }) => id);
};
const namesFound = async (search: string): Promise<string[]> => {
  const { result } = await call({ search, limit: 100 });
  return result.map(({ databaseName }: { databaseName: string }) => databaseName);
};

/** The ids of all pages of a list. */
async function listInPages(query: Record<string, unknown>): Promise<string[][]> {
  const pages: string[][] = [];
  for (let page = await list(query); page.length > 0; page = await list({ ...query, before: page.at(-1) }))
    pages.push(page);
  return pages;
}

describe('the list of backups', () => {
  it('comes in pages of which none skips or repeats a backup, also where many are of one moment [§2.13]', async () => {
    const moments = [1, 2, 2, 2, 2, 2, 3, 3, 4];
    for (const hours of moments) await addBackup(hours);
    await addBackup(2, { state: 'writing' });
    const all = await list({});
    expect(all).toHaveLength(moments.length);
    for (const limit of [1, 2, 4, 100]) {
      const pages = await listInPages({ limit });
      expect(pages.flat()).toEqual(all);
      expect(pages[0]).toHaveLength(Math.min(limit, all.length));
    }
  });

  it('goes on behind a backup whose deletion has begun, and is a 404 behind one that is gone [§2.13]', async () => {
    const [newest, between, oldest] = [await addBackup(1), await addBackup(2), await addBackup(3)];
    await test.context.pool.query("update backups set state = 'deleting' where id = $1", [between]);
    expect(await list({ before: between })).toEqual([oldest]);
    expect(await list({ before: oldest })).toEqual([]);
    await test.context.pool.query('delete from backups where id = $1', [between]);
    expect(await call({ before: between, limit: 5 })).toMatchObject({
      status: 404,
      message: 'There is no such backup.',
    });
    expect(await list({ limit: 5 })).toEqual([newest, oldest]);
  });

  it('is that of one id, of which there may be none [§2.13]', async () => {
    const [id, deleting] = [await addBackup(1), await addBackup(2, { state: 'deleting' })];
    await addBackup(3);
    expect(await list({ id })).toEqual([id]);
    expect(await list({ id: id.toUpperCase() })).toEqual([id]);
    expect(await list({ id: deleting })).toEqual([]);
    expect(await list({ id: randomUUID() })).toEqual([]);
  });

  it.each([
    ['ced', ['CEDAR']],
    ['RIVER', ['CLÍNICA RIVERA']],
    ['clinica', ['CLÍNICA RIVERA']],
    ['  rivera   clínica ', ['CLÍNICA RIVERA']],
    ['Cli\u0301nica', ['CLÍNICA RIVERA']],
    ['straße', ['STRASSE']],
    ['unknown DB_7', ['UNKNOWN db_7']],
    ['100%', ['100%']],
    ['0%0', []],
    ['b_7', ['UNKNOWN db_7']],
    ['c_dar', []],
    ['\\', ['BACK\\SLASH']],
    ['қ', ['ҚАЛА']],
    ['cedar rivera', []],
    ["'", []],
  ])('%j finds by the words of names, whatever case and accents: %j [§2.13]', async (search, found) => {
    const names = ['CEDAR', 'CLÍNICA RIVERA', 'STRASSE', 'UNKNOWN db_7', '100%', '1000', 'BACK\\SLASH', 'ҚАЛА'];
    for (const [hours, name] of names.entries()) await addBackup(hours, { name });
    expect(await namesFound(search)).toEqual(found);
  });

  it('is not searched by what has no word [§2.13]', async () => {
    await addBackup(1);
    for (const search of ['', '  ', '\u0301']) expect(await namesFound(search)).toEqual(['CEDAR']);
  });

  it('pages what is searched and what is of one database [§2.13]', async () => {
    await test.call(tenantRoutes.create, { body: tenantInput('PAGED') });
    const { id: databaseId } = await getDatabaseByName(test.context, 'PAGED');
    const first = await addBackup(1);
    const [second, third] = [await addBackup(2, { databaseId }), await addBackup(3, { databaseId })];
    await addBackup(2, { name: 'HARBOR' });
    expect(await listInPages({ search: 'cedar', limit: 1 })).toEqual([[first], [second], [third]]);
    expect(await listInPages({ databaseName: 'paged', limit: 1 })).toEqual([[second], [third]]);
    expect(await list({ databaseName: 'PAGED', search: 'harbor' })).toEqual([]);
  });

  it.each([
    [{ limit: 0 }, 'limit'],
    [{ limit: BACKUPS_MAX + 1 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: '1e3' }, 'limit'],
    [{ limit: '' }, 'limit'],
    [{ id: 'x' }, 'id'],
    [{ before: 'x' }, 'before'],
    [{ search: 'x'.repeat(257) }, 'search'],
  ])('refuses %j [§2.13]', async (query, field) => {
    expect(await call(query)).toMatchObject({ status: 400, errors: { [field]: [expect.any(String)] } });
  });

  it(`takes a limit of up to ${BACKUPS_MAX} [§2.13]`, async () => {
    await addBackup(1);
    expect(await list({ limit: BACKUPS_MAX })).toHaveLength(1);
  });

  it('in pages reads what it shows, not all backups, and those that a search passes over in an index only [DECISIONS §13]', async () => {
    const { pool } = test.context;
    await withClient(test.databaseUrl, async (client) => {
      await client.query(
        `insert into backups (id, database_name, origin, state, created_at, manifest)
       select gen_random_uuid(), 'CEDAR ' || n % 100, 'made', 'ready', $1::timestamptz - (n / 4) * interval '1 hour',
         -- As much as a backup knows of its archive: the index is smaller than the table.
         jsonb_build_object('of', repeat(md5(n::text), 30))
       from generate_series(1, 20000) n`,
        [test.clock.now],
      );
      // An index is enough only where a page is marked as visible to all, which none is that an older snapshot may still see otherwise.
      const isSeenByAll = async () => {
        await client.query('vacuum (analyze, index_cleanup on) backups');
        const text = "select relallvisible = relpages as seen from pg_class where oid = 'backups'::regclass";
        return (await client.query(text)).rows;
      };
      await expect.poll(isSeenByAll).toEqual([{ seen: true }]);
    });
    const { rows } = await pool.query('select id from backups order by created_at offset 10000 limit 1');
    const before: string = rows[0].id;
    const look = async (query: object) => {
      const { rows: text, values = [] } = backupsList.select({ isUnrestorable: 'false', ...query });
      const { rows: found } = await pool.query(text, [...values]);
      const { rows: plan } = await pool.query(`explain ${text}`, [...values]);
      return {
        found: found.length,
        read: await mostRowsRead(pool, text, [...values]),
        plan: plan.map((row) => row['QUERY PLAN']).join('\n'),
      };
    };
    for (const query of [
      { limit: 200 },
      { limit: 200, before },
      { limit: 20, before, search: 'cedar' },
      { limit: 1, id: before },
    ]) {
      const { found, read } = await look(query);
      expect(found).toBe(query.limit);
      expect(read).toBeLessThan(1_000);
    }
    const { found, plan } = await look({ limit: 200, search: 'nobody' });
    expect(found).toBe(0);
    expect(plan).toContain('Index Only Scan using backups__created_at__idx');
  });
});
