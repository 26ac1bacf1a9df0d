import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { authRoutes } from '@apotheca/contract/auth';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { menuRoutes } from '@apotheca/contract/menus';
import type { ContractRoute } from '@apotheca/contract/route';
import { userRoutes } from '@apotheca/contract/users';
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mergeTableChanges } from '../db/json-list.ts';
import { PRODUCT_VERSION } from '../product-version.ts';
import { ADMINISTRATOR } from '../testing/administrator.ts';
import { TEST_CONNECTIONS, useTestApp } from '../testing/app.ts';
import { makeFaqs } from '../testing/faqs.ts';
import { type AskForList, fillLists, LISTS } from '../testing/lists.ts';
import { forRoutes } from '../testing/routes.ts';
import { fingerprintOf } from './list-answers.ts';

const test = useTestApp();
const make = makeFaqs(test);

let ask: AskForList;
beforeAll(async () => {
  ask = await fillLists(test);
});

const etagOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers.etag);

describe('a list', () => {
  it.each(LISTS.map((route) => [route.path, route] as const))(
    '%s is not sent again while nothing has changed [§7]',
    async (_, route) => {
      const first = await ask(route);
      expect(first.statusCode).toBe(200);
      expect(first.headers).toMatchObject({
        'cache-control': 'private, no-cache',
        vary: 'Accept-Encoding, Authorization',
        etag: expect.stringMatching(/^W\/"[\w-]{16}\.-?\d+"$/),
      });
      const again = await ask(route, { 'if-none-match': `"other", ${etagOf(first)}` });
      expect([again.statusCode, again.body, etagOf(again)]).toEqual([304, '', etagOf(first)]);
      expect((await ask(route)).body).toBe(first.body);
    },
  );

  it('has a version of its own for each order [§2.6]', async () => {
    const sorted = await test.call(userRoutes.list, { query: { sortColumn: 'email', sortDirection: 'desc' } });
    const other = await ask(userRoutes.list, { 'if-none-match': etagOf(sorted) });
    expect(other.statusCode).toBe(200);
  });

  it('has another version after an upgrade, whose code may make another form of the same rows [§7]', () => {
    const list = { name: 'any', rows: 'select 1' };
    expect(fingerprintOf(list, '0.1.0')).toBe(fingerprintOf(list, '0.1.0'));
    expect(fingerprintOf(list, '0.1.0')).not.toBe(fingerprintOf(list, '0.2.0'));
    expect(fingerprintOf(list)).toBe(fingerprintOf(list, PRODUCT_VERSION));
  });

  it('keeps its version when the numbers of its changes are merged [§7]', async () => {
    for (let n = 0; n < 20; n += 1) await test.context.pool.query('update users set notes = notes || $1', [n]);
    const before = await ask(userRoutes.list);
    await mergeTableChanges(test.context.pool, ['users', 'roles']);
    expect((await ask(userRoutes.list, { 'if-none-match': etagOf(before) })).statusCode).toBe(304);
    const { rows } = await test.context.pool.query("select from table_changes where table_name = 'users'");
    expect(rows).toHaveLength(1);
  });

  it('keeps its version when the numbers are merged by many at once, while more are added [§7]', async () => {
    // Without the server's limits: the last one waits for all the others.
    const pool = new pg.Pool({ connectionString: test.databaseUrl, max: TEST_CONNECTIONS });
    pool.on('error', () => {});
    onTestFinished(() => pool.end());
    // One row: two writers of several could each wait for a row of the other.
    const write = () =>
      pool.query("update users set notes = notes || '!' where user_name = $1", [ADMINISTRATOR.userName]);
    const merge = () => mergeTableChanges(pool);
    await Promise.all(Array.from({ length: 120 }, (_, n) => (n % 3 === 0 ? merge() : write())));
    const before = await ask(userRoutes.list);
    await Promise.all(Array.from({ length: 8 }, merge));
    await merge();
    expect((await ask(userRoutes.list, { 'if-none-match': etagOf(before) })).statusCode).toBe(304);
  });

  it('is made once for all who ask for it at once [§7]', async () => {
    await test.context.pool.query("update users set notes = 'for many'");
    const before = test.app.lists.uses.built;
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(userRoutes.list)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(test.app.lists.uses.built - before).toBe(1);
  });

  it('counts in /metrics with its bytes, as made and as taken from memory [§7]', async () => {
    await test.context.pool.query("update users set notes = 'for the figures'");
    await ask(userRoutes.list);
    const { rawPayload } = await ask(userRoutes.list, { 'accept-encoding': 'identity' });
    const { bytes, uses } = test.app.lists;
    expect(bytes).toBeGreaterThanOrEqual(rawPayload.length);
    const { body } = await test.app.inject('/metrics');
    expect(body).toContain(`\nlist_bodies_bytes ${bytes}\n`);
    for (const [from, count] of Object.entries(uses)) {
      expect(count).toBeGreaterThan(0);
      expect(body).toContain(`\nlist_bodies_total{from="${from}"} ${count}\n`);
    }
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ] as const)('is sent in %s where that is asked for [§7]', async (coding, decode) => {
    await test.context.pool.query(
      `insert into users (user_name, email, first_name, last_name, role_id, created_at, updated_at)
       select $1::text || n, $1::text || n || '@example.test', 'A', 'B', (select id from roles limit 1), now(), now()
       from generate_series(1, 30) n`,
      [`${coding}-${randomUUID()}`],
    );
    const plain = await ask(userRoutes.list, { 'accept-encoding': 'identity' });
    const coded = await ask(userRoutes.list, { 'accept-encoding': `${coding};q=0.9, identity;q=0.1` });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(decode(coded.rawPayload).toString()).toBe(plain.body);
    expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
    expect(etagOf(coded)).toBe(etagOf(plain));
  });
});

/** A part of what EXPLAIN tells of a plan that was run. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/** How often a plan has read a table. */
const readsOf = (node: PlanNode, table: string): number =>
  (node['Relation Name'] === table ? node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, each) => sum + readsOf(each, table), 0);

describe('a call that is no list', () => {
  it('reads no version, however many changes there were [§7]', async () => {
    const submit = vi.spyOn(pg.Query.prototype, 'submit');
    await test.call(authRoutes.me);
    const sent = submit.mock.contexts
      .filter((query) => query instanceof pg.Query)
      .map((query) => ({ text: String(Reflect.get(query, 'text')), values: Reflect.get(query, 'values') }));
    submit.mockRestore();
    const caller = sent.find(({ text }) => text.includes('table_changes'));
    const { rows } = await test.context.pool.query(`explain (analyze, format json) ${caller?.text}`, caller?.values);
    const plan = rows[0]['QUERY PLAN'][0].Plan;
    expect(readsOf(plan, 'sessions')).toBe(1);
    expect(readsOf(plan, 'table_changes')).toBe(0);
  });
});

describe('a client that takes several content codings', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['deflate', undefined],
  ])('is sent the best of %s [§7]', async (accepted, coding) => {
    const { headers } = await ask(userRoutes.list, { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(coding);
  });
});

describe('whoever may not read a list', () => {
  it('gets none from memory, and no word that it is unchanged [§6]', async () => {
    const viewer = await test.signInAs('Viewer');
    await test.context.pool.query(
      `insert into role_permissions (role_id, permission_id)
       select r.id, p.id from roles r, permissions p where r.name = 'Viewer' and p.identifier = any ($1) on conflict do nothing`,
      [LISTS.map(({ permission }) => permission)],
    );
    const statuses = async (authorization: string) => {
      const answers = await Promise.all(
        LISTS.map(async (route) => {
          const known = { 'if-none-match': etagOf(await ask(route)) };
          return [route, await ask(route, { ...known, authorization })] as const;
        }),
      );
      const told = answers.filter(([, { statusCode, headers, body }]) =>
        statusCode === 304 ? body !== '' : headers.etag !== undefined || body.includes('"success":true'),
      );
      expect(told.map(([route]) => route.path)).toEqual([]);
      return forRoutes(LISTS, (route) => answers.find(([asked]) => asked === route)?.[1].statusCode);
    };
    expect(await statuses('Bearer none')).toEqual(forRoutes(LISTS, () => 401));
    const asViewer = `Bearer ${viewer.token}`;
    expect(await statuses(asViewer)).toEqual(forRoutes(LISTS, () => 304));
    await test.context.pool.query(
      "delete from role_permissions rp using roles r where r.id = rp.role_id and r.name = 'Viewer'",
    );
    const refused = ({ permission }: ContractRoute) => (permission === 'signed-in' ? 304 : 403);
    expect(await statuses(asViewer)).toEqual(forRoutes(LISTS, refused));
    await test.context.pool.query('update sessions set revoked_at = now() where user_id = $1', [viewer.id]);
    expect(await statuses(asViewer)).toEqual(forRoutes(LISTS, () => 401));
  });
});

describe('a list that has no rows', () => {
  it.each([
    ['sections', faqSectionRoutes.list, 'faqs', 'faqId', async () => make.faq()],
    ['questions', faqQuestionRoutes.list, 'faq_sections', 'sectionId', async () => (await make.place()).sectionId],
    ['menus', menuRoutes.treeOfRole, 'roles', 'roleId', insertRole],
  ] as const)('of %s is not found once what it belongs to is gone, also to who knows it [§7]', async (...given) => {
    const [, route, table, field, makeParent] = given;
    const query = { [field]: await makeParent() };
    const before = await test.call(route, { query });
    expect([before.status, before.result]).toEqual([200, []]);
    await test.context.pool.query(`delete from ${table} where id = $1`, [query[field]]);
    const after = await test.call(route, { query, headers: { 'if-none-match': etagOf(before) } });
    expect(after.status).toBe(404);
  });
});

describe('transactions that change a table', () => {
  it('do not wait for each other [§7]', async () => {
    const [one, other] = [new pg.Client(test.databaseUrl), new pg.Client(test.databaseUrl)];
    await Promise.all([one.connect(), other.connect()]);
    try {
      const { rows } = await one.query<{ id: string }>('select id from users order by id limit 2');
      await one.query('begin');
      await one.query("update users set notes = 'held' where id = $1", [rows[0]?.id]);
      await other.query("set lock_timeout = '1s'");
      await other.query("update users set notes = 'not held' where id = $1", [rows[1]?.id]);
      await one.query('commit');
    } finally {
      await Promise.all([one.end(), other.end()]);
    }
  });

  it('are noted whatever their search path is, and by a role that may write that table only [§7]', async () => {
    const role = `writer_${randomUUID().replaceAll('-', '')}`;
    const client = new pg.Client(test.databaseUrl);
    await client.connect();
    try {
      const before = await ask(userRoutes.list);
      await client.query(`create role ${role}; grant usage on schema public to ${role};
        grant select, update on public.users to ${role};
        set role ${role}; set search_path = pg_catalog;
        update public.users set notes = 'by another role'`);
      expect((await ask(userRoutes.list, { 'if-none-match': etagOf(before) })).statusCode).toBe(200);
    } finally {
      await client.query(`reset role; drop owned by ${role}; drop role ${role}`);
      await client.end();
    }
  });

  it('leave nothing where they change no row, or only what no list tells [DECISIONS §6]', async () => {
    const count = async () => {
      const { rows } = await test.context.pool.query('select from table_changes');
      return rows.length;
    };
    const before = await count();
    await test.context.pool.query("update tenants set city = 'nowhere' where false");
    await test.context.pool.query('delete from faqs where false');
    await test.context.pool.query('update databases set measured_at = now()');
    expect(await count()).toBe(before);
  });
});

/** A role that nobody has, and without permissions. */
async function insertRole(): Promise<string> {
  const { rows } = await test.context.pool.query<{ id: string }>('insert into roles (name) values ($1) returning id', [
    `Role ${randomUUID()}`,
  ]);
  return rows[0]?.id ?? '';
}
