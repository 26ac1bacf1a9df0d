import { type ListLayout, type Preferences, preferenceRoutes } from '@apotheca/contract/preferences';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();

const LAYOUT: ListLayout = { hidden: ['phone'], order: ['code', 'name'], widths: { code: 120 }, density: 'compact' };
const PLAIN: ListLayout = { hidden: [], order: [], widths: {}, density: 'comfortable' };

const NONE: Preferences = { lists: {}, language: 'en' };

const get = (token: string) => test.call(preferenceRoutes.get, { token });
const put = (token: string, body: object) => test.call(preferenceRoutes.put, { token, body });
const choose = (token: string, language: string) =>
  test.call(preferenceRoutes.putLanguage, { token, body: { language } });

/** A Viewer, who has no permission to write anything. */
async function signInNew() {
  const account = await insertAccount(test);
  return { ...account, token: (await signInTo(test, account)).accessToken };
}

it('everybody keeps an arrangement of each list, and nobody sees that of others [DECISIONS §13]', async () => {
  const [one, other] = [await signInNew(), await signInNew()];
  expect((await get(one.token)).result).toEqual(NONE);
  expect((await put(one.token, { list: 'tenants', layout: LAYOUT })).result).toEqual({
    ...NONE,
    lists: { tenants: LAYOUT },
  });
  await put(one.token, { list: 'users', layout: PLAIN });
  await put(one.token, { list: 'tenants', layout: { ...LAYOUT, hidden: [] } });
  const kept = { ...NONE, lists: { tenants: { ...LAYOUT, hidden: [] }, users: PLAIN } };
  expect((await get(one.token)).result).toEqual(kept);
  expect((await get(other.token)).result).toEqual(NONE);
  const { rows } = await test.context.pool.query('select list from list_layouts where user_id = $1', [one.id]);
  expect(rows.map(({ list }) => list).sort()).toEqual(['tenants', 'users']);
});

it('an arrangement goes with its person, and is not audited [DECISIONS §13]', async () => {
  const { id, token } = await signInNew();
  const entries = async () => (await test.context.pool.query('select count(*) from audit_entries')).rows[0].count;
  const before = await entries();
  await put(token, { list: 'audit', layout: LAYOUT });
  expect(await entries()).toBe(before);
  await test.context.pool.query('delete from users where id = $1', [id]);
  expect((await test.context.pool.query('select from list_layouts where user_id = $1', [id])).rowCount).toBe(0);
});

it.each([
  ['list', { list: 'secrets', layout: PLAIN }],
  ['layout.hidden.0', { list: 'tenants', layout: { ...PLAIN, hidden: ['<b>'] } }],
  ['layout.order', { list: 'tenants', layout: { ...PLAIN, order: Array.from({ length: 41 }, (_, n) => `c${n}`) } }],
  ['layout.widths.code', { list: 'tenants', layout: { ...PLAIN, widths: { code: 5 } } }],
  ['layout.density', { list: 'tenants', layout: { ...PLAIN, density: 'airy' } }],
])('a wrong %s is named, and nothing is stored [DECISIONS §13]', async (field, body) => {
  const { token } = await signInNew();
  const refused = await put(token, body);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused)).toContain(field);
  expect((await get(token)).result).toEqual(NONE);
});

it('everybody has a language of their own, English until another one is chosen [DECISIONS §13]', async () => {
  const [one, other] = [await signInNew(), await signInNew()];
  await put(one.token, { list: 'tenants', layout: LAYOUT });
  const chosen = { lists: { tenants: LAYOUT }, language: 'es' };
  expect((await choose(one.token, 'es')).result).toEqual(chosen);
  expect((await get(one.token)).result).toEqual(chosen);
  expect((await get(other.token)).result).toEqual(NONE);
  expect((await choose(one.token, 'en')).result).toMatchObject({ language: 'en' });
  await test.context.pool.query('delete from users where id = $1', [one.id]);
  expect((await test.context.pool.query('select from chosen_languages where user_id = $1', [one.id])).rowCount).toBe(0);
});

it('a language that the console does not have is refused [DECISIONS §13]', async () => {
  const { token } = await signInNew();
  const refused = await choose(token, 'tlh');
  expect(refused.status).toBe(400);
  expect(refused.errors).toEqual({ language: ['Choose one of the languages'] });
  expect((await get(token)).result).toEqual(NONE);
});

it('what a newer version has stored is left out, and kept [DECISIONS §13]', async () => {
  const { id, token } = await signInNew();
  const { pool } = test.context;
  await put(token, { list: 'tenants', layout: LAYOUT });
  await pool.query("insert into list_layouts values ($1, 'later', $2, now())", [id, JSON.stringify(PLAIN)]);
  await pool.query('alter table chosen_languages drop constraint chosen_languages__language');
  await pool.query("insert into chosen_languages values ($1, 'la', now())", [id]);
  expect(await get(token)).toMatchObject({ status: 200, result: { lists: { tenants: LAYOUT }, language: 'en' } });
  const { rows } = await pool.query('select list from list_layouts where user_id = $1 order by list', [id]);
  expect(rows).toEqual([{ list: 'later' }, { list: 'tenants' }]);
});
