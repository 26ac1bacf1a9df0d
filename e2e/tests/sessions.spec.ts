import { expect, expectSignedOut, expectToast, signIn, test } from '../fixtures.ts';
import { openSessions, signOutButtons } from '../sessions-screen.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

test.describe('a session that is ended from another session', () => {
  test.use({ expectedErrors: [/status of 401/] });

  test('ends at its next call: when its owner ends it, and when an administrator does [§2.2] [DECISIONS §4]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users');
    await createUser(page, 'wanda', 'Viewer');
    const [desk, phone] = [await openBrowser(), await openBrowser()];
    for (const browser of [phone, desk]) await signIn(browser, { username: 'wanda', password: PASSWORD });

    const own = await openSessions(desk);
    await expect(signOutButtons(own)).toHaveCount(2);
    const other = own
      .getByRole('row')
      .filter({ has: desk.getByRole('button', { name: /^Sign out: / }), hasNotText: 'This session' });
    await expectSignedOut(phone, async () => {
      await other.getByRole('button').click();
      await expectToast(desk, /is signed out\.$/);
      await expect(other.getByText('Signed out', { exact: true })).toBeVisible();
    });
    // The row stays where it is until the list is left.
    await own.getByRole('heading', { name: 'Open sessions' }).click();
    await expect(signOutButtons(own)).toHaveCount(1);
    await own.getByRole('button', { name: 'Close' }).last().click();
    await expect(own).toBeHidden();

    const ofAdministrator = await openSessions(page);
    // By key: the dialog grows with the sessions that it loads, and the button moves while it is pressed.
    await ofAdministrator.getByRole('button', { name: 'Another user' }).press('Enter');
    await ofAdministrator.getByRole('combobox', { name: 'User' }).fill('wanda');
    await expect(signOutButtons(ofAdministrator)).toHaveCount(1);
    await expectSignedOut(desk, async () => {
      await signOutButtons(ofAdministrator).click();
      await expect(ofAdministrator.getByText('Signed out', { exact: true })).toBeVisible();
    });
  });
});
