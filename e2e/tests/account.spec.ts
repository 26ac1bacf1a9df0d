import type { Page } from '@playwright/test';
import { ageProof } from '../age-proof.ts';
import { expect, expectAccessible, expectSignedOut, expectToast, signIn, test } from '../fixtures.ts';
import { chooseUserAction, createUser, openUser, PASSWORD, userRow } from '../users-screen.ts';

const NEW_PASSWORD = 'staple battery 9';

async function openProfile(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible();
}

async function typePasswords(page: Page, current: string, password: string): Promise<void> {
  await page.getByLabel('Current Password').fill(current);
  await page.getByLabel('New Password').fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Change password' }).click();
}

test.describe('My account', () => {
  test.use({ expectedErrors: [/status of 40[01]/] });

  test('changes name and password; other sessions end, and the new password signs in [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/users');
    await createUser(page, 'una', 'Viewer');
    const [desk, phone] = [await openBrowser(), await openBrowser()];
    for (const browser of [phone, desk]) await signIn(browser, { username: 'una', password: PASSWORD });

    await openProfile(desk);
    await desk.getByLabel('First Name').fill('Una');
    await desk.getByLabel('Phone').fill('555-0100');
    await Promise.all([
      expectToast(desk, 'Your account has been updated.'),
      desk.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    await expect(desk.getByRole('heading', { name: 'Una Moreau' })).toBeVisible();

    await typePasswords(desk, 'wrong horse', NEW_PASSWORD);
    await expect(desk.getByText('This is not your password.')).toBeVisible();
    await expectSignedOut(phone, async () => {
      const told = expectToast(desk, /^Your password has been changed/);
      await typePasswords(desk, PASSWORD, NEW_PASSWORD);
      await told;
    });
    await expect(desk.getByRole('row', { name: /This session/ })).toBeVisible();
    await expect(desk.getByLabel('New Password')).toHaveValue('');

    await phone.getByLabel('Username').fill('una');
    await phone.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await phone.getByRole('button', { name: 'Sign In' }).click();
    await expect(phone.getByText('Username or password is incorrect.').first()).toBeVisible();
    await signIn(phone, { username: 'una', password: NEW_PASSWORD });
  });
});

test.describe('a call that wants a fresh proof', () => {
  test.use({ expectedErrors: [/status of 40[03]/] });

  test('asks once for all, above the open dialog, and the other tab then needs none [DECISIONS §13]', async ({
    signedIn: desk,
  }) => {
    await desk.goto('/users');
    await createUser(desk, 'vera', 'Administrator');
    for (const name of ['vera-one', 'vera-two']) await createUser(desk, name, 'Viewer');
    await desk.getByRole('button', { name: /^User menu/ }).click();
    await desk.getByRole('button', { name: 'Sign Out' }).click();
    await signIn(desk, { username: 'vera', password: PASSWORD });
    await desk.goto('/users?q=vera');
    await ageProof('vera');

    const edit = await openUser(desk, 'vera-two');
    await edit.getByLabel('First Name').fill('Alan');
    await edit.getByLabel('First Name').press('Enter');
    const question = desk.getByRole('dialog', { name: 'Confirm it is you' });
    await expect(question.getByLabel('Password', { exact: true })).toBeFocused();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(edit.getByText(/^Please confirm that it is you/)).toBeVisible();
    await expect(edit.getByLabel('First Name')).toHaveValue('Alan');
    await expect(edit.getByLabel('First Name')).toBeFocused();
    await edit.getByRole('button', { name: 'Cancel' }).click();
    await desk.getByRole('button', { name: 'Discard' }).click();
    await expect(edit).toBeHidden();

    await chooseUserAction(desk, 'vera-one', 'Delete');
    await desk.getByRole('dialog', { name: 'Delete User' }).getByRole('button', { name: 'Delete' }).click();
    await expect(question).toContainText('You are signed in as vera.');
    await expectAccessible(desk);
    await question.getByLabel('Password', { exact: true }).fill('wrong horse');
    await question.getByRole('button', { name: 'Confirm' }).click();
    await expect(question.getByText('This is not your password.')).toBeVisible();
    await question.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await question.getByLabel('Password', { exact: true }).press('Enter');
    await expect(userRow(desk, 'vera-one')).toHaveCount(0);
    await expect(desk.getByRole('dialog')).toHaveCount(0);

    const other = await desk.context().newPage();
    await other.goto('/users?q=vera');
    await chooseUserAction(other, 'vera-two', 'Delete');
    await other.getByRole('dialog', { name: 'Delete User' }).getByRole('button', { name: 'Delete' }).click();
    await expect(userRow(other, 'vera-two')).toHaveCount(0);
  });
});
