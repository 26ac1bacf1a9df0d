import type { Locator, Page } from '@playwright/test';
import { expect, expectToast, saidIn, signIn, test } from '../fixtures.ts';
import { openSessions, signOutButtons } from '../sessions-screen.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

const NEW_PASSWORD = 'another staple 7';

interface Ended {
  page: Page;
  /** A page of the administrator. */
  administrator: Page;
  username: string;
  openBrowser: () => Promise<Page>;
}

/** How a session ends that nobody ends here; `password` is what lets its user in again. */
const WAYS: { way: string; username: string; password: string; end: (ended: Ended) => Promise<void> }[] = [
  {
    way: 'its time',
    username: 'tess',
    password: PASSWORD,
    async end({ page }) {
      await page.route('**/identity/authenticate/refresh', (route) => route.abort());
      await page.clock.fastForward('16:00');
    },
  },
  {
    way: 'an administrator',
    username: 'toni',
    password: PASSWORD,
    async end({ administrator, username }) {
      const sessions = await openSessions(administrator);
      // By key: the dialog grows with the sessions that it loads, and the button moves while it is pressed.
      await sessions.getByRole('button', { name: 'Another user' }).press('Enter');
      await sessions.getByRole('combobox', { name: 'User' }).fill(username);
      await signOutButtons(sessions).click();
      await expect(sessions.getByText('Signed out', { exact: true })).toBeVisible();
    },
  },
  {
    way: 'a password change',
    username: 'tara',
    password: NEW_PASSWORD,
    async end({ username, openBrowser }) {
      const other = await openBrowser();
      await signIn(other, { username, password: PASSWORD });
      await other.goto('/profile');
      await other.getByLabel('Current Password').fill(PASSWORD);
      await other.getByLabel('New Password').fill(NEW_PASSWORD);
      await other.getByLabel('Confirm Password').fill(NEW_PASSWORD);
      await other.getByRole('button', { name: 'Change password' }).click();
      await expectToast(other, /^Your password has been changed/);
    },
  },
];

test.describe('the end of a session', () => {
  test.use({ expectedErrors: [/status of 401|ERR_FAILED/] });

  for (const { way, username, password, end } of WAYS) {
    test(`by ${way} asks for the sign-in over the page, which goes on with the typed text [§4] [§8]`, async ({
      signedIn: administrator,
      openBrowser,
    }) => {
      await administrator.goto('/users');
      await createUser(administrator, username, 'Operator');
      const page = await openBrowser();
      await page.clock.install();
      await signIn(page, { username, password: PASSWORD });
      const dialog = await typeName(page);
      await end({ page, administrator, username, openBrowser });
      const asking = page.getByRole('dialog', { name: 'Sign in to start your session' });
      await expect(asking.getByText(`Signed in as ${username} until now.`)).toBeVisible();
      // The focus is on nothing of the dialog then.
      await page.mouse.click(5, 5);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.unrouteAll();
      await asking.getByLabel('Password', { exact: true }).fill(password);
      await asking.getByRole('button', { name: 'Sign In' }).click();
      await expect(asking).toHaveCount(0);
      await expect(page).toHaveURL(/\/users$/);
      await expect(dialog.getByLabel('First Name')).toHaveValue('Alan');
    });
  }

  test('by a sign-out in another tab leaves nothing of the page; what was typed is offered again [§4]', async ({
    signedIn: page,
  }) => {
    page.on('dialog', (question) => question.accept());
    await typeName(page);
    await expect
      .poll(() =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('apotheca-draft-')).length),
      )
      .toBe(1);
    const other = await page.context().newPage();
    await other.goto('/');
    await other.getByRole('button', { name: /^User menu/ }).click();
    await other.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await page.content()).not.toContain('Create User');
    await other.close();
    await signIn(page);
    await page.goto('/users');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('dialog', { name: 'Create User' }).getByLabel('First Name')).toHaveValue('Alan');
    expect(saidIn(page).join()).not.toContain('Your session has expired');
  });
});

/** Types in a dialog and leaves it open. */
async function typeName(page: Page): Promise<Locator> {
  await page.goto('/users');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create User' });
  await dialog.getByLabel('First Name').fill('Alan');
  return dialog;
}
