import type { Locator, Page } from '@playwright/test';
import { expectNoDialog, expectNothingUnsaved } from './fixtures.ts';

/** The password of the users that {@link createUser} makes. */
export const PASSWORD = 'battery staple';

/** A user's row in the list, by the user name. */
export const userRow = (page: Page, userName: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: userName, exact: true }) });

/** Opens the create dialog, fills in the required fields and sends it. */
export async function createUser(page: Page, userName: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create User' });
  await dialog.getByLabel('User Name').fill(userName);
  await fillPassword(dialog, PASSWORD);
  await dialog.getByLabel('First Name').fill('Ines');
  await dialog.getByLabel('Last Name').fill('Moreau');
  await dialog.getByLabel('Credentials').fill('PharmD');
  await dialog.getByLabel('Clinical Role').selectOption({ label: 'Pharmacist' });
  await dialog.getByLabel('Access Role').selectOption({ label: role });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectNoDialog(page);
  await userRow(page, userName).waitFor();
  await expectNothingUnsaved(page);
}

/** Types a password and its confirmation into the open form. */
export async function fillPassword(dialog: Locator, password: string): Promise<void> {
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByLabel('Confirm Password', { exact: true }).fill(password);
}

/** Opens the edit dialog of a user. */
export async function openUser(page: Page, userName: string): Promise<Locator> {
  await userRow(page, userName)
    .getByRole('button', { name: `Edit ${userName}` })
    .click();
  return page.getByRole('dialog', { name: 'Edit User' });
}

/** Chooses an entry of a user's … menu. */
export async function chooseUserAction(page: Page, userName: string, action: string): Promise<void> {
  await expectNoDialog(page);
  await userRow(page, userName).getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: `${action} ${userName}` }).click();
}
