import { ownFactorRoutes, secondStepRoutes } from '@apotheca/contract/second-factors';
import { generateSync } from 'otplib/functional';
import { type Account, insertAccount, signInTo } from './accounts.ts';
import type { Answer, TestApp } from './app.ts';
import { SoftwarePasskey } from './software-passkey.ts';

/** The address at which the console was opened, under a name that passkeys can belong to. */
export const ORIGIN = 'http://localhost:3000';
const AT_LOCALHOST = { host: 'localhost:3000' };

/** The code that an authenticator app shows. @param steps how many steps of 30 seconds its clock is ahead */
export const codeOf = (test: TestApp, secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(test.clock.now.getTime() / 1000) + 30 * steps });

/** A code that is not right. */
export function wrongCodeOf(test: TestApp, secret: string): string {
  const right = [-1, 0, 1].map((steps) => codeOf(test, secret, steps));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

interface TotpAccount extends Account {
  secret: string;
  recoveryCodes: string[];
  /** Of the session in which the app was set up. */
  token: string;
}

/** A user with an authenticator app, at whose next time step a code counts. */
export async function insertTotpAccount(test: TestApp, fields: Parameters<typeof insertAccount>[1] = {}) {
  const account = await insertAccount(test, fields);
  const { accessToken: token } = await signInTo(test, account);
  const added = await addTotpTo(test, token);
  return { ...account, ...added, token } satisfies TotpAccount;
}

/** Sets an authenticator app up. Its next code counts. */
export async function addTotpTo(test: TestApp, token: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret, token: begun } = (await test.call(ownFactorRoutes.beginTotp, { token })).result;
  const body = { token: begun, code: codeOf(test, secret) };
  const { result } = await test.call(ownFactorRoutes.confirmTotp, { token, body });
  test.clock.advance(30);
  return { secret, recoveryCodes: result.recoveryCodes ?? [] };
}

/** The first step of a sign-in. @returns the token that stands for the right password */
export async function passwordStep(test: TestApp, { userName }: Pick<Account, 'userName'>): Promise<string> {
  const { status, message, result } = await test.signIn(userName);
  if (!result?.secondFactor) throw new Error(`No second factor is asked for: ${status} ${message}`);
  return result.secondFactor.token;
}

/** The second step of a sign-in by a code. */
export const codeStep = (test: TestApp, token: string, code: string, method = 'totp'): Promise<Answer> =>
  test.call(secondStepRoutes.factor, { token: null, body: { token, method, code } });

/** Adds a passkey to the signed-in user. */
export async function addPasskeyTo(test: TestApp, token: string, name = 'Laptop'): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(ORIGIN);
  const begun = await test.call(ownFactorRoutes.beginPasskey, { token, headers: AT_LOCALHOST });
  const body = { token: begun.result.token, name, credential: passkey.create(begun.result.options) };
  const added = await test.call(ownFactorRoutes.addPasskey, { token, headers: AT_LOCALHOST, body });
  if (added.status !== 200) throw new Error(added.message);
  return passkey;
}

/** What a browser asks a passkey. @param token of the first step; absent: the passkey is the only step */
export async function askForPasskey(test: TestApp, token?: string) {
  test.clock.advance(1);
  const body = { token: token ?? null };
  return (await test.call(secondStepRoutes.passkeyOptions, { token: null, headers: AT_LOCALHOST, body })).result;
}

/** Answers with what a passkey has signed. */
export const passkeyStep = (test: TestApp, token: string, credential: unknown, headers: Record<string, string> = {}) =>
  test.call(secondStepRoutes.passkey, {
    token: null,
    headers: { ...AT_LOCALHOST, ...headers },
    body: { token, credential },
  });
