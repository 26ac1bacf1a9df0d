import type { Locator } from '@playwright/test';
import { expect, expectSignedOut, expectToast, signIn, test } from '../fixtures.ts';
import { chooseUserAction, createUser, fillPassword, openUser, PASSWORD, userRow } from '../users-screen.ts';

/** What a dialog shows as text under a label. */
const factOf = (dialog: Locator, label: string): Locator =>
  dialog
    .locator('dt')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd[1]');

test.describe('in a second browser', () => {
  test.use({ expectedErrors: [/status of 40[13]/] });

  test('a new user signs in, may not delete, and is signed out by a change of role [§2.11] [DECISIONS §5]', async ({
    dashboard: page,
    openBrowser,
  }) => {
    await page.getByRole('link', { name: 'Users' }).first().click();
    await Promise.all([
      expectToast(page, 'Success! User profile has been Created.'),
      createUser(page, 'opal', 'Operator'),
    ]);
    await createUser(page, 'opal-viewer', 'Viewer');
    // Rows that other tests add move one while it is pressed.
    await page.getByRole('searchbox', { name: 'Filter users' }).fill('opal');

    const second = await openBrowser();
    await signIn(second, { username: 'opal', password: PASSWORD });
    await second.goto('/users?q=opal');
    await userRow(second, 'opal-viewer').getByRole('button', { name: /more/i }).click();
    const remove = second.getByRole('menuitem', { name: 'Delete opal-viewer' });
    await expect(remove).toBeDisabled();
    await Promise.all([
      expectToast(
        second,
        "Your role lacks the permission 'Delete users'. Whoever has the role Administrator can give it.",
      ),
      remove.press('Enter'),
    ]);
    await expect(second.getByRole('dialog')).toBeHidden();
    await expect(userRow(second, 'opal-viewer')).toBeVisible();

    await expectSignedOut(second, async () => {
      const dialog = await openUser(page, 'opal');
      await dialog.getByLabel('Access Role').selectOption({ label: 'Viewer' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expectToast(page, 'Success! User profile has been updated.');
      await expect(userRow(page, 'opal')).toContainText('Viewer');
    });
    await signIn(second, { username: 'opal', password: PASSWORD });
  });

  test('a duplicate has no password until an edit sets one, and is deleted [§2.11] [§4]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users?q=iris');
    await createUser(page, 'iris', 'Viewer');
    await chooseUserAction(page, 'iris', 'Duplicate');
    const duplicate = page.getByRole('dialog', { name: 'Duplicate User' });
    await duplicate.getByLabel('User Name').fill('IRIS');
    await duplicate.getByRole('button', { name: 'Duplicate' }).click();
    await expect(duplicate.getByText('Username should not be the same as the existing username')).toBeVisible();
    await duplicate.getByLabel('User Name').fill('iris-copy');
    await duplicate.getByRole('button', { name: 'Duplicate' }).click();
    await expectToast(page, 'Success! User has been Duplicated.');
    await expect(userRow(page, 'iris-copy')).toContainText('No password');

    const dialog = await openUser(page, 'iris-copy');
    await expect(dialog.getByText('Nobody can sign in as this user until a password is set.')).toBeVisible();
    await fillPassword(dialog, 'another password');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(userRow(page, 'iris-copy')).not.toContainText('No password');
    const second = await openBrowser();
    await signIn(second, { username: 'iris-copy', password: 'another password' });

    await expectSignedOut(second, async () => {
      await chooseUserAction(page, 'iris-copy', 'Deactivate');
      await expectToast(page, 'User profile has been deactivated successfully');
    });
    await expect(userRow(page, 'iris-copy')).toContainText('Inactive');
    await chooseUserAction(page, 'iris-copy', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectToast(page, 'User deleted successfully.');
    await expect(userRow(page, 'iris-copy')).toHaveCount(0);
    await expect(userRow(page, 'iris')).toBeVisible();
  });
});

test.describe('an edit of a user that another user has changed meanwhile', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('keeps typed text, shows who changed what, and is saved at the second attempt [DECISIONS §10]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users?q=stella');
    await createUser(page, 'stella', 'Viewer');
    const second = await openBrowser();
    await signIn(second);
    await second.goto('/users?q=stella');
    const late = await openUser(second, 'stella');
    await late.getByLabel('Phone').fill('(425) 555-0199');

    const early = await openUser(page, 'stella');
    await early.getByLabel('Phone').fill('(425) 555-0111');
    await early.getByLabel('Credentials').fill('MD');
    await early.getByRole('button', { name: 'Save' }).click();
    await expect(early).toBeHidden();

    await late.getByRole('button', { name: 'Save' }).click();
    const notice = late.getByRole('alert').filter({ hasText: 'Changed meanwhile: nothing is saved yet' });
    await expect(notice).toContainText('Credentials: PharmD → MD, by admin');
    await expect(notice).toContainText('Phone: (empty) → (425) 555-0111, by admin');
    await expect(notice.getByRole('button', { name: 'Take theirs for Phone' })).toBeVisible();
    await expect(late.getByLabel('Phone')).toHaveValue('(425) 555-0199');
    await expect(late.getByLabel('Credentials')).toHaveValue('MD');
    await late.getByRole('button', { name: 'Save' }).click();
    await expect(late).toBeHidden();

    await page.reload();
    await userRow(page, 'stella').getByRole('button', { name: 'View stella' }).click();
    const view = page.getByRole('dialog', { name: 'View User' });
    await expect(factOf(view, 'Phone')).toHaveText('(425) 555-0199');
    await expect(factOf(view, 'Credentials')).toHaveText('MD');
  });
});
