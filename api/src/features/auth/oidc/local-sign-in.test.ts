import { accountRoutes } from '@apotheca/contract/account';
import { WRONG_PASSWORD } from '@apotheca/contract/proof';
import { expect, it } from 'vitest';
import { insertAccount } from '../../../testing/accounts.ts';
import { ADMINISTRATOR } from '../../../testing/administrator.ts';
import { useTestApp } from '../../../testing/app.ts';
import { providerSettings } from '../../../testing/provider.ts';
import { CONSOLE } from '../../../testing/provider-sign-in.ts';

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

it('the console is told that passwords are switched off, but not whose works [DECISIONS §13]', async () => {
  const { json, body } = await test.app.inject('/config.json');
  expect(json()).toMatchObject({ passwordsAreOff: true });
  expect(body.toLowerCase()).not.toContain('admin');
});
