import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { userRoutes } from '@apotheca/contract/users';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { mergeTableChanges } from '../db/json-list.ts';
import { useTestApp } from '../testing/app.ts';
import { makeFaqs } from '../testing/faqs.ts';
import { urlOf } from '../testing/routes.ts';

const test = useTestApp();
const make = makeFaqs(test);

const LISTS = ROUTES.filter((route) => 'list' in route && route.list);

let token: string;
let place: { faqId: string; sectionId: string };
beforeAll(async () => {
  token = (await test.signIn()).result.accessToken;
  place = await make.place();
  await make.question(place);
});

const queryOf = (route: ContractRoute): Record<string, string> => {
  if (route === faqSectionRoutes.list) return { faqId: place.faqId };
  return route === faqQuestionRoutes.list ? { sectionId: place.sectionId } : {};
};

const ask = (route: ContractRoute, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'GET',
    url: urlOf(route),
    query: queryOf(route),
    headers: { authorization: `Bearer ${token}`, ...headers },
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
    const sorted = await test.app.inject({
      method: 'GET',
      url: urlOf(userRoutes.list),
      query: { sortColumn: 'email', sortDirection: 'desc' },
      headers: { authorization: `Bearer ${token}` },
    });
    const other = await ask(userRoutes.list, { 'if-none-match': etagOf(sorted) });
    expect(other.statusCode).toBe(200);
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
    const write = () => test.context.pool.query("update users set notes = notes || '!'");
    const merge = () => mergeTableChanges(test.context.pool);
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
    const known = { 'if-none-match': etagOf(await ask(userRoutes.list)) };
    const nobody = await ask(userRoutes.list, { ...known, authorization: 'Bearer none' });
    expect(nobody.statusCode).toBe(401);
    const asViewer = { ...known, authorization: `Bearer ${viewer.token}` };
    expect((await ask(userRoutes.list, asViewer)).statusCode).toBe(304);
    await test.context.pool.query(
      `delete from role_permissions rp using roles r, permissions p
       where r.id = rp.role_id and p.id = rp.permission_id and r.name = 'Viewer' and p.identifier = 'users.read'`,
    );
    expect((await ask(userRoutes.list, asViewer)).statusCode).toBe(403);
    await test.context.pool.query('delete from sessions where user_id = $1', [viewer.id]);
    expect((await ask(userRoutes.list, asViewer)).statusCode).toBe(401);
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
