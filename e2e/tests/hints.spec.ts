import type { Locator, Page } from '@playwright/test';
import { codeOf } from '../authenticator-app.ts';
import { distantHour } from '../backup-schedules-screen.ts';
import {
  test as base,
  expect,
  expectAccessibleAtAnyWidth,
  expectNothingUnsaved,
  expectToast,
  signIn,
} from '../fixtures.ts';
import { startServer } from '../server-process.ts';
import { tenantRow } from '../tenants-screen.ts';
import { createUser, fillPassword, PASSWORD, userRow } from '../users-screen.ts';

/** A server of its own, on which nothing was done yet. */
const test = base.extend<object, { ownServer: string }>({
  ownServer: [
    async ({ browserName: _ }, use) => {
      const { url, stop } = await startServer();
      await use(url);
      await stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ ownServer }, use) => use(ownServer),
});

/** Longer than any way through a screen. */
const MOST_TABS = 150;
const hint = (page: Page): Locator => page.getByRole('region', { name: 'Next step' });

/** Goes from control to control until one has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  const hasFocus = () => control.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; tabs < MOST_TABS && !(await hasFocus()); tabs += 1) await page.keyboard.press('Tab');
  await expect(control).toBeFocused();
}

async function pressOn(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Waits for a hint on the dashboard and follows it. */
async function follow(page: Page, title: string, link: string): Promise<void> {
  await expect(hint(page).getByRole('heading')).toHaveText(title);
  await expect(hint(page)).toHaveCount(1);
  await pressOn(page, hint(page).getByRole('link', { name: link }));
}

async function goHome(page: Page): Promise<void> {
  await expectNothingUnsaved(page);
  await pressOn(page, page.getByRole('link', { name: 'Dashboard' }));
}

async function fillByKeys(page: Page, dialog: Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(page, dialog.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  }
}

test('a dismissed hint is gone in another browser too, and for nobody else [§2.29]', async ({
  signedIn,
  openBrowser,
}) => {
  await signedIn.goto('/users');
  const one = { username: 'anna', password: PASSWORD };
  const two = { username: 'bela', password: PASSWORD };
  for (const { username } of [one, two]) await createUser(signedIn, username, 'Viewer');
  const page = await openBrowser();
  await signIn(page, one);
  await expect(hint(page).getByRole('heading')).toHaveText('Protect your own account');
  await hint(page).getByRole('button', { name: 'Do not show again' }).press('Enter');
  await expect(hint(page)).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  const other = await openBrowser();
  const answered = other.waitForResponse('**/api/account/hint');
  await signIn(other, one);
  expect((await (await answered).json()).result).toEqual({ hint: null });
  await expect(hint(other)).toBeHidden();
  const third = await openBrowser();
  await signIn(third, two);
  await expect(hint(third).getByRole('heading')).toHaveText('Protect your own account');
});

test('a new administrator follows the hints by keyboard until none is left [§2.29]', async ({ dashboard: page }) => {
  await expect(hint(page)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  // What it is about is explained beside it.
  await pressOn(page, hint(page).getByRole('button', { name: 'How to do it' }));
  const guide = page.getByRole('complementary', { name: 'Guide' });
  await expect(guide.getByRole('heading', { name: 'Create a tenant' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(guide).toBeHidden();

  await follow(page, 'Create the first tenant', 'Create tenant');
  const create = page.getByRole('dialog', { name: 'Create Tenant' });
  await create.getByLabel('EMR').selectOption({ label: 'athenahealth' });
  await create.getByLabel('Time Zone').selectOption('America/Los_Angeles');
  await create.getByLabel('Customer Name/Code').focus();
  await fillByKeys(page, create, {
    'Customer Name/Code': 'First Clinic',
    'Tenant Code': 'FIRST',
    'First Name': 'Ines',
    'Last Name': 'Moreau',
    Email: 'ines@first.test',
    Phone: '(425) 555-0134',
  });
  await page.keyboard.press('Enter');
  await expect(tenantRow(page, 'FIRST')).toBeVisible();

  await goHome(page);
  await follow(page, 'Back up automatically', 'Set a schedule');
  const schedules = page.getByRole('dialog', { name: 'Backup Schedules' });
  await tabTo(page, schedules.getByRole('tab', { name: 'Databases' }));
  await page.keyboard.press('ArrowRight');
  await schedules.getByLabel('Frequency').selectOption('Daily');
  await schedules.getByLabel('Hour', { exact: true }).selectOption(distantHour());
  await pressOn(page, schedules.getByRole('button', { name: 'Save schedule' }));
  await expectToast(page, /schedule/i);
  // Until what was typed counts as saved, Escape asks whether to discard it.
  await expectNothingUnsaved(page);
  await page.keyboard.press('Escape');
  await expect(schedules).toBeHidden();

  await goHome(page);
  await follow(page, 'Protect your own account', 'Set up a second factor');
  await pressOn(page, page.getByRole('button', { name: 'Set up authenticator app' }));
  const app = page.getByRole('dialog', { name: 'Set up authenticator app' });
  const key = (await app.locator('code').first().textContent())?.replaceAll(/\s/g, '') ?? '';
  await tabTo(page, app.getByLabel('Code', { exact: true }));
  await page.keyboard.type(codeOf(key));
  await page.keyboard.press('Enter');
  await pressOn(page, page.getByRole('button', { name: 'I have kept them' }));
  await expect(app).toBeHidden();

  await goHome(page);
  await follow(page, 'Let a second person be administrator', 'Create user');
  const user = page.getByRole('dialog', { name: 'Create User' });
  await user.getByLabel('Clinical Role').selectOption({ label: 'Pharmacist' });
  await user.getByLabel('Access Role').selectOption({ label: 'Administrator' });
  await user.getByLabel('User Name').focus();
  await fillByKeys(page, user, { 'User Name': 'second' });
  await fillPassword(user, PASSWORD);
  await fillByKeys(page, user, { 'First Name': 'Ada', 'Last Name': 'Byron', Credentials: 'MD' });
  await page.keyboard.press('Enter');
  await expect(userRow(page, 'second')).toBeVisible();

  const answered = page.waitForResponse('**/api/account/hint');
  await goHome(page);
  await expect(page.getByRole('region', { name: 'Counts' })).toBeVisible();
  expect((await (await answered).json()).result).toEqual({ hint: null });
  await expect(hint(page)).toBeHidden();
});
