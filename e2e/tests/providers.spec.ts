import type { Page } from '@playwright/test';
import { choosePort } from '../../api/src/testing/chosen-port.ts';
import { CLIENT, type ProviderProcess, startProvider } from '../../api/src/testing/provider.ts';
import { ageProof } from '../age-proof.ts';
import { expect, expectAccessible, test } from '../fixtures.ts';
import { query } from '../postgres.ts';
import { ADMINISTRATOR, postgresUrl } from '../server.ts';
import { startServer } from '../server-process.ts';
import { openSessions } from '../sessions-screen.ts';

let provider: ProviderProcess;
let server: Awaited<ReturnType<typeof startServer>>;

const CONTROL = 'apotheca_providers';
const ADA = { preferred_username: 'ada', given_name: 'Ada', family_name: 'Byron', groups: ['staff'] };

/** A console of its own, beside the one of the other tests, whose people sign in by a real provider. */
test.beforeAll(async () => {
  const port = await choosePort();
  const address = `http://127.0.0.1:${port}`;
  provider = await startProvider();
  await provider.open(address);
  await provider.account('ada', ADA);
  const clinic = {
    ...{ id: 'clinic', name: 'Clinic', issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
    ...{ roles: { staff: 'Viewer', managers: 'Administrator' }, createUsers: true, parameters: { prompt: 'consent' } },
  };
  server = await startServer({
    PORT: String(port),
    DATABASE_URL: postgresUrl(CONTROL),
    APOTHECA_MAX_CONNECTIONS: '20',
    APOTHECA_PUBLIC_URL: address,
    APOTHECA_OIDC_PROVIDERS: JSON.stringify([clinic]),
    APOTHECA_LOCAL_SIGN_IN: ADMINISTRATOR.username,
  });
});
test.afterAll(async () => {
  await server.stop();
  await provider.close();
});

/** The provider's pages want a font of another server. */
const withoutFonts = (page: Page) =>
  page.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ contentType: 'text/css', body: '' }));

async function fillLogin(page: Page): Promise<void> {
  await page.locator('input[name=login]').fill('ada');
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
}

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in using Clinic' }).click();
  await fillLogin(page);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a person signs in by a provider, sees that in the list of sessions, and signs out there too [DECISIONS §13]', async ({
  page,
}) => {
  await withoutFonts(page);
  await page.goto(server.url);
  await expect(page.getByText('Passwords are switched off. Please sign in as below.')).toBeVisible();
  await signInAtProvider(page);
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/`);
  const sessions = await openSessions(page);
  await expect(sessions.getByText(/^With Clinic/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in using Clinic' })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/login`);
});

test.describe('a call that wants a fresh proof', () => {
  test.use({ expectedErrors: [/status of 403/] });
  test('goes on once a person without password has proved at the provider who they are [DECISIONS §13]', async ({
    page,
  }) => {
    await withoutFonts(page);
    await provider.account('ada', { ...ADA, groups: ['managers'] });
    await page.goto(server.url);
    await signInAtProvider(page);
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    await ageProof('ada', CONTROL);
    await page.goto(`${server.url}/permission?view=roles`);
    await page.getByRole('button', { name: 'Create Role' }).click();
    await page.getByLabel('Role Name').fill('Night shift');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Confirm it is you' });
    await expect(question.getByRole('button', { name: 'Confirm with Clinic' })).toBeVisible();
    await expectAccessible(page);
    const opened = page.waitForEvent('popup');
    await question.getByRole('button', { name: 'Confirm with Clinic' }).click();
    const tab = await opened;
    await withoutFonts(tab);
    await fillLogin(tab);
    await expect(question).toHaveCount(0);
    await expect(page.getByRole('row', { name: /Night shift/ })).toBeVisible();
  });
});

test.describe('the end of a session', () => {
  test.use({ expectedErrors: [/status of 401/] });
  test('is followed by a sign-in at the provider from over the page, which leads back to it with what was typed [§4] [DECISIONS §13]', async ({
    page,
  }) => {
    await withoutFonts(page);
    await provider.account('ada', { ...ADA, groups: ['managers'] });
    await page.goto(server.url);
    await signInAtProvider(page);
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    await page.goto(`${server.url}/users`);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Create User' });
    await dialog.getByLabel('First Name').fill('Alan');
    const drafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('apotheca-draft-')).length);
    await expect.poll(drafts).toBe(1);
    await query(CONTROL, 'update sessions set revoked_at = now() where revoked_at is null');
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    const asking = page.getByRole('dialog', { name: 'Sign in to start your session' });
    page.on('dialog', (question) => question.accept());
    await asking.getByRole('button', { name: 'Sign in using Clinic' }).click();
    // The provider still knows who it is, and asks for no password.
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(`${server.url}/users`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByLabel('First Name')).toHaveValue('Alan');
  });
});

test.describe('a sign-in that is cancelled at the provider', () => {
  test('says so, and the way back shows the sign-in page [DECISIONS §13]', async ({ page }) => {
    await withoutFonts(page);
    await page.goto(server.url);
    await page.getByRole('button', { name: 'Sign in using Clinic' }).click();
    await page.getByRole('link', { name: /Cancel/ }).click();
    await expect(page.getByText('The sign-in was cancelled.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to the sign-in page' }).click();
    await expect(page.getByRole('button', { name: 'Sign in using Clinic' })).toBeVisible();
  });
});

test('the sign-in page with a provider is accessible, wide and narrow, and lets one account in by password [DECISIONS §13]', async ({
  page,
}) => {
  await page.goto(server.url);
  await expect(page.getByRole('button', { name: 'Sign in using Clinic' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectAccessible(page);
  await page.getByLabel('Username').fill(ADMINISTRATOR.username);
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
});
