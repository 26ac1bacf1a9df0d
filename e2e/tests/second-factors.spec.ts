import { authRoutes } from '@apotheca/contract/auth';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import type { Page } from '@playwright/test';
import { ageProof } from '../age-proof.ts';
import { codeOf } from '../authenticator-app.ts';
import { expect, expectAccessibleAtAnyWidth, expectSignedOut, expectToast, test } from '../fixtures.ts';
import { query } from '../postgres.ts';
import { server } from '../server.ts';
import { chooseUserAction, createUser, PASSWORD, userRow } from '../users-screen.ts';

/** The server's address under the name that passkeys can belong to. */
const atLocalhost = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** What `result` of these calls is made of. */
interface Results {
  accessToken: string;
  token: string;
  secret: string;
  recoveryCodes: string[];
  options: unknown;
}

/** Calls the API from the page's own address. */
async function call(page: Page, url: string, route: ContractRoute, token: string | undefined, body?: unknown) {
  const response = await page.request.fetch(`${url}${BASE_PATHS[route.base]}${route.path}`, {
    method: route.method,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    ...(body !== undefined && { data: body }),
  });
  expect(response.status()).toBe(200);
  return ((await response.json()) as { result: Results }).result;
}

/** Types username and password; another step follows. */
async function enterPassword(page: Page, username: string): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeVisible();
}

async function enterCode(page: Page, label: string, code: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

const expectSignedIn = (page: Page) => expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible();

async function signInByApi(page: Page, url: string, username: string): Promise<string> {
  return (await call(page, url, authRoutes.authenticate, undefined, { username, password: PASSWORD })).accessToken;
}

test.describe('a sign-in with an authenticator app', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('asks for the code, refuses a wrong one, takes a recovery code, until it is reset [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users');
    await createUser(page, 'tilda', 'Viewer');
    const token = await signInByApi(page, server.url(), 'tilda');
    const begun = await call(page, server.url(), ownFactorRoutes.beginTotp, token);
    const first = { token: begun.token, code: codeOf(begun.secret) };
    const { recoveryCodes } = await call(page, server.url(), ownFactorRoutes.confirmTotp, token, first);

    const phone = await openBrowser();
    await enterPassword(phone, 'tilda');
    await expectAccessibleAtAnyWidth(phone);
    await enterCode(phone, 'Code', 'abcdef');
    await expect(phone.getByRole('alert').or(phone.locator('.notice-danger')).first()).toBeVisible();
    // The next step's code: that of the first step was used.
    await enterCode(phone, 'Code', codeOf(begun.secret, 1));
    await expectSignedIn(phone);

    const desk = await openBrowser();
    await enterPassword(desk, 'tilda');
    await desk.getByRole('button', { name: 'Use a recovery code' }).click();
    await expectAccessibleAtAnyWidth(desk);
    await enterCode(desk, 'Recovery code', recoveryCodes[0] ?? '');
    await expectSignedIn(desk);

    // Her row alone: where those of other tests' users lie, how many there are tells.
    await page.goto('/users?q=tilda');
    await expect(userRow(page, 'tilda')).toBeVisible();
    await chooseUserAction(page, 'tilda', 'Reset second factor of');
    const dialog = page.getByRole('dialog', { name: 'Reset second factor' });
    await expectAccessibleAtAnyWidth(page);
    await expectSignedOut(desk, async () => {
      await dialog.getByRole('button', { name: 'Reset second factor' }).click();
      await expectToast(page, "The user's second factor has been reset.");
    });
    await desk.getByLabel('Username').fill('tilda');
    await desk.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await desk.getByRole('button', { name: 'Sign In' }).click();
    await expectSignedIn(desk);
  });
});

test('a passkey of a real browser signs in alone, and after the password [DECISIONS §13]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await page.goto('/users');
  await createUser(page, 'petra', 'Viewer');
  const url = atLocalhost(server.url());
  const phone = await openBrowser();
  await addAuthenticator(phone);
  await phone.goto(`${url}/login`);
  await expect(phone.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await expectAccessibleAtAnyWidth(phone);

  await addPasskey(phone, url, 'petra');

  await phone.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expectSignedIn(phone);
  await phone.evaluate(() => localStorage.clear());

  await phone.goto(`${url}/login`);
  await phone.getByLabel('Username').fill('petra');
  await phone.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await phone.getByRole('button', { name: 'Sign In', exact: true }).click();
  await phone.getByRole('button', { name: 'Use a passkey' }).click();
  await expectSignedIn(phone);
});

test.describe('a call that wants a fresh proof', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('takes a passkey of a real browser, and the question in the other tab goes too [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users');
    await createUser(page, 'pia', 'Administrator');
    for (const name of ['pia-one', 'pia-two']) await createUser(page, name, 'Viewer');
    const url = atLocalhost(server.url());
    const desk = await openBrowser();
    await addAuthenticator(desk);
    await desk.goto(`${url}/login`);
    await addPasskey(desk, url, 'pia');
    await desk.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expectSignedIn(desk);
    await desk.goto(`${url}/users?q=pia`);
    const other = await desk.context().newPage();
    await other.goto(`${url}/users?q=pia`);
    await ageProof('pia');

    await askToDelete(other, 'pia-two');
    // A browser gives no passkey to a tab behind another one.
    await desk.bringToFront();
    const question = questionOf(desk);
    await askToDelete(desk, 'pia-one');
    await expect(question.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
    await expectAccessibleAtAnyWidth(desk);
    await question.getByRole('button', { name: 'Use a passkey' }).press('Enter');
    await expect(userRow(desk, 'pia-one')).toHaveCount(0);
    await expect(userRow(other, 'pia-two')).toHaveCount(0);
    for (const tab of [desk, other]) await expect(tab.getByRole('dialog')).toHaveCount(0);
    const proofs = await query(
      'apotheca',
      `select changes from audit_entries where action = 'auth.prove' and actor_name = 'pia'`,
    );
    expect(proofs).toEqual([{ changes: { method: 'passkey' } }]);
  });
});

const questionOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm it is you' });

/** Deletes a user, up to the question who is signed in. */
async function askToDelete(page: Page, name: string): Promise<void> {
  await chooseUserAction(page, name, 'Delete');
  await page.getByRole('dialog', { name: 'Delete User' }).getByRole('button', { name: 'Delete' }).click();
  await expect(questionOf(page).getByRole('button', { name: 'Use a passkey' })).toBeVisible();
}

/** Gives a browser an authenticator that verifies who is there by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds a passkey to a user with the authenticator of a page, which is open at the address that it will belong to. */
async function addPasskey(page: Page, url: string, username: string): Promise<void> {
  const token = await signInByApi(page, url, username);
  const begun = await call(page, url, ownFactorRoutes.beginPasskey, token);
  const credential = await page.evaluate(makePasskey, begun.options as PublicKeyCredentialCreationOptionsJSON);
  await call(page, url, ownFactorRoutes.addPasskey, token, { token: begun.token, name: 'Phone', credential });
}

/** Makes a passkey in the browser. */
async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey });
  if (!(made instanceof PublicKeyCredential)) throw new Error('No passkey was made.');
  return made.toJSON();
}

test('no passkey is offered at an address that is no name [DECISIONS §13]', async ({ page }) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0);
});
