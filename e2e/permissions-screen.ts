import type { Locator, Page } from '@playwright/test';

/** A permission's row in the list, by its identifier. */
export const permissionRow = (page: Page, identifier: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: identifier, exact: true }) });

/** Opens the create dialog and fills in the required fields; the id is preselected. */
export async function fillPermission(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Create Permission' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Permission' });
  await dialog.getByLabel('Permission Name').fill(name);
  await dialog.getByLabel('Permission Module').selectOption('InventoryModule');
  return dialog;
}

/** Syncs the permissions into a tenant, from the open dialog or from the page. @returns the dialog with the result */
export async function syncTenant(page: Page, code: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Sync Permission' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sync Permission' });
  await dialog.getByRole('radio', { name: 'Console → one tenant' }).check();
  await dialog.getByRole('combobox', { name: 'Tenant' }).fill(code);
  await dialog.getByRole('button', { name: 'Sync', exact: true }).click();
  await dialog.getByText('Kept off').waitFor();
  return dialog;
}
