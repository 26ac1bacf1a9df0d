import type { Locator, Page } from '@playwright/test';
import { expect, expectNoDialog, expectNothingUnsaved } from './fixtures.ts';

/** A role's row in the list, by its name. */
export const roleRow = (page: Page, roleName: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: roleName, exact: true }) });

/** Creates a role in the list of roles, as a copy if `copyOf` is given. */
export async function createRole(page: Page, roleName: string, copyOf?: string): Promise<void> {
  await page.getByRole('button', { name: 'Create Role' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Role' });
  await dialog.getByLabel('Role Name').fill(roleName);
  if (copyOf) await dialog.getByLabel('Same permissions as').selectOption({ label: copyOf });
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toBeHidden();
  await expect(roleRow(page, roleName)).toBeVisible();
  await expectNothingUnsaved(page);
}

/** Chooses an entry of a role's … menu. @returns the dialog that it opens */
export async function chooseRoleAction(page: Page, roleName: string, action: string): Promise<Locator> {
  await expectNoDialog(page);
  await roleRow(page, roleName).getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: `${action} ${roleName}` }).click();
  return page.getByRole('dialog', { name: `${action} Role` });
}

/** Opens the permissions of a role. */
export async function openPermissions(page: Page, roleName: string): Promise<Locator> {
  await roleRow(page, roleName)
    .getByRole('button', { name: `Permissions of ${roleName}` })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Permissions of a Role' });
  await expect(dialog.getByText(/ chosen$/)).toBeVisible();
  return dialog;
}
