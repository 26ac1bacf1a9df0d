import type { Page } from '@playwright/test';
import { CLIENT, type ProviderProcess, startProvider } from '../../api/src/testing/provider.ts';
import { expect, expectAccessible, test } from '../fixtures.ts';
import { ADMINISTRATOR, postgresUrl } from '../server.ts';
import { choosePort, startServer } from '../server-process.ts';
import { openSessions } from '../sessions-screen.ts';

let provider: ProviderProcess;
let server: Awaited<ReturnType<typeof startServer>>;

/** A console of its own, beside the one of the other tests, whose people sign in by a real provider. */
test.beforeAll(async () => {
  const port = await choosePort();
  const address = `http://127.0.0.1:${port}`;
  provider = await startProvider();
  await provider.open(address);
  await provider.account('ada', {
    preferred_username: 'ada',
    given_name: 'Ada',
    family_name: 'Byron',
    groups: ['staff'],
  });
  const clinic = {
    ...{ id: 'clinic', name: 'Clinic', issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret },
    ...{ roles: { staff: 'Viewer' }, createUsers: true, parameters: { prompt: 'consent' } },
  };
  server = await startServer({
    PORT: String(port),
    DATABASE_URL: postgresUrl('apotheca_providers'),
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

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in using Clinic' }).click();
  await page.locator('input[name=login]').fill('ada');
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
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
  await expect(sessions.getByText(/^By Clinic/).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in using Clinic' })).toBeVisible();
  expect(page.url()).toBe(`${server.url}/login`);
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
