import { accountRoutes } from '@apotheca/contract/account';
import { authRoutes } from '@apotheca/contract/auth';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { userRoutes } from '@apotheca/contract/users';
import { expect, it } from 'vitest';
import { administratorIdOf, insertAccount, roleIdOf, signInTo } from '../../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { useTestApp } from '../../../testing/app.ts';
import { editedUser } from '../../../testing/builders.ts';
import { providerSettings } from '../../../testing/provider.ts';
import { CONSOLE } from '../../../testing/provider-sign-in.ts';
import { PROOF_SECONDS } from '../session-times.ts';

const test = useTestApp({
  // Nothing answers there: the account for emergencies must not depend on it.
  oidcProviders: [providerSettings('http://127.0.0.1:9')],
  onlyLocalAccount: 'ADMIN',
  publicUrl: CONSOLE,
});

it('only one account may sign in with a password; others are refused as for a wrong one [DECISIONS §13]', async () => {
  const { userName } = await insertAccount(test, { email: 'admin@clinic.test' });
  const wrong = await test.signIn(userName, 'wrong password');
  for (const name of [userName, 'admin@clinic.test']) {
    const refused = await test.signIn(name);
    expect({ ...refused, headers: {} }).toEqual({ ...wrong, headers: {} });
  }
  expect(await test.signIn()).toMatchObject({ status: 200, result: { username: 'admin' } });
});

it('nobody whose password is switched off proves by it who they are [DECISIONS §13]', async () => {
  const token = (await test.signIn()).result.accessToken;
  const prove = () => test.call(accountRoutes.prove, { token, body: { password: ADMINISTRATOR.password } });
  const waysOf = async () => (await test.call(accountRoutes.proofWays, { token })).result;
  expect([await prove(), await waysOf()]).toMatchObject([{ status: 200 }, { password: true }]);
  const rename = (from: string, to: string) =>
    test.context.platform.updateTable('users').set({ userName: to }).where('userName', '=', from).execute();
  await rename('admin', 'former');
  expect(await prove()).toMatchObject({ status: 400, errors: { password: [WRONG_PASSWORD] } });
  expect(await waysOf()).toEqual({ password: false, code: false, passkeys: false, provider: null });
  await rename('former', 'admin');
});

it('nor by a new password, which they may still set [DECISIONS §13]', async () => {
  const { userName } = await insertAccount(test, { role: 'Administrator' });
  test.context.onlyLocalAccount = userName;
  const { accessToken, refreshToken } = await signInTo(test, { userName });
  test.context.onlyLocalAccount = 'ADMIN';
  test.clock.advance(PROOF_SECONDS + 1);
  const body = { accessToken, refreshToken };
  const token = (await test.call(authRoutes.refresh, { body, token: null })).result.accessToken;
  const change = {
    currentPassword: ADMINISTRATOR.password,
    password: 'another horse',
    confirmPassword: 'another horse',
  };
  expect((await test.call(accountRoutes.changePassword, { body: change, token })).status).toBe(200);
  const query = { id: (await insertAccount(test)).id };
  expect(await test.call(userRoutes.delete, { query, token })).toMatchObject({ status: 403, title: 'Proof needed' });
});

it('the only account with a password stays an Administrator that can sign in, under its name [DECISIONS §13]', async () => {
  const deputy = await insertAccount(test, { role: 'Administrator' });
  test.context.onlyLocalAccount = deputy.userName;
  const { accessToken: token } = await signInTo(test, deputy);
  test.context.onlyLocalAccount = 'ADMIN';
  const id = await administratorIdOf(test);
  const [administrator, viewer] = [await roleIdOf(test, 'Administrator'), await roleIdOf(test, 'Viewer')];
  const edit = (fields: object) => test.call(userRoutes.edit, { body: { ...fields, id }, token });
  const rowOf = () => test.context.platform.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  const before = await rowOf();
  const message = "'ADMIN' alone may sign in with a password: it must stay an active Administrator with this name.";
  const answers = [
    await edit(editedUser('admin2', administrator)),
    await edit(editedUser('admin', viewer)),
    await test.call(userRoutes.deactivate, { query: { id }, token }),
    await test.call(userRoutes.delete, { query: { id }, token }),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 409, title: 'Protected', message });
  expect(await rowOf()).toEqual(before);
  expect((await edit(editedUser('Admin', administrator))).status).toBe(200);
  const query = { id: deputy.id };
  expect((await test.call(userRoutes.delete, { query, token: (await test.signIn()).result.accessToken })).status).toBe(
    200,
  );
});

it('the console is told that passwords are switched off, but not whose works [DECISIONS §13]', async () => {
  const { json, body } = await test.app.inject('/config.json');
  expect(json()).toMatchObject({ passwordsAreOff: true });
  expect(body.toLowerCase()).not.toContain('admin');
});
