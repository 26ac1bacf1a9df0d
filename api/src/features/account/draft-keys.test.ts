import { accountRoutes, DRAFT_HOURS, draftKeys } from '@apotheca/contract/account';
import { expect, it } from 'vitest';
import { insertAccount, signInTo } from '../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../testing/administrator.ts';
import { useTestApp } from '../../testing/app.ts';

const test = useTestApp();
const HOUR = 3600;

const keysOf = async (token: string) => draftKeys.parse((await test.call(accountRoutes.draftKeys, { token })).result);
const signInNew = async () => (await signInTo(test, await insertAccount(test))).accessToken;

it('are those of the last day, the newest first, and of nobody else [§4]', async () => {
  const [mine, others] = [await keysOf(await signInNew()), await keysOf(await signInNew())];
  expect(mine).toHaveLength(DRAFT_HOURS);
  expect(mine.map(({ hour }) => (mine[0]?.hour ?? 0) - hour)).toEqual(mine.map((_, age) => age));
  for (const { key } of mine) expect(Buffer.from(key, 'base64url')).toHaveLength(32);
  expect(new Set([...mine, ...others].map(({ key }) => key)).size).toBe(2 * DRAFT_HOURS);
});

it('stay the same in another session and after a new password; each is gone after a day [§4]', async () => {
  const account = await insertAccount(test);
  const { accessToken: token } = await signInTo(test, account);
  const before = await keysOf(token);
  const body = {
    currentPassword: ADMINISTRATOR.password,
    password: 'battery staple 7',
    confirmPassword: 'battery staple 7',
  };
  expect(await test.call(accountRoutes.changePassword, { token, body })).toMatchObject({ status: 200 });
  const signIn = async () => (await test.signIn(account.userName, 'battery staple 7')).result.accessToken;
  test.clock.advance(HOUR);
  const after = await keysOf(await signIn());
  expect(after.slice(1)).toEqual(before.slice(0, -1));
  test.clock.advance(23 * HOUR);
  const known = new Set(before.map(({ key }) => key));
  expect((await keysOf(await signIn())).filter(({ key }) => known.has(key))).toEqual([]);
});

it('are refused to whoever is not signed in [§4]', async () => {
  expect(await test.call(accountRoutes.draftKeys, {})).toMatchObject({ status: 401 });
});
