import type { Locator, Page } from '@playwright/test';
import { expect, expectNoDialog, expectToast } from './fixtures.ts';
import { addTenant } from './manage-tenant-screen.ts';
import { query } from './postgres.ts';

/** A database's row in the list, by its name. */
export const databaseRow = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader').getByText(name, { exact: true }) });

/** Makes a tenant, and opens the list of databases, which shows those of its name alone, as others add some too. */
export async function createDatabase(page: Page, name: string): Promise<void> {
  await addTenant(page, name);
  await page.goto(`/database?${new URLSearchParams({ q: name })}`);
  await expect(databaseRow(page, name)).toBeVisible();
}

/** Opens the list of databases by the menu. */
export async function openDatabases(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Database Management' }).first().click();
}

/** Chooses an entry of the menu above the list. */
export async function chooseForAll(page: Page, action: string): Promise<void> {
  await expectNoDialog(page);
  await page.getByRole('button', { name: 'More for all databases' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Chooses an entry of a database's … menu. */
export async function chooseDatabaseAction(page: Page, name: string, action: RegExp): Promise<void> {
  await expectNoDialog(page);
  await databaseRow(page, name).getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Starts a backup of a database from its row; the dialog then shows its progress, or has closed. */
export async function startBackup(page: Page, name: string): Promise<void> {
  await databaseRow(page, name)
    .getByRole('button', { name: `Back up ${name}` })
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Back up ${name}` })
    .click();
}

/** Backs a database up from its row, and waits for the end. */
export async function backUp(page: Page, name: string): Promise<void> {
  await startBackup(page, name);
  await expectToast(page, `${name} is backed up`);
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** Opens the list of all backups. @returns the row of a database's only backup */
export async function openBackup(page: Page, name: string): Promise<Locator> {
  await expectNoDialog(page);
  await page.getByRole('button', { name: 'Backups', exact: true }).click();
  const row = page
    .getByRole('dialog', { name: 'Backups' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row).toHaveCount(1);
  return row;
}

/** Waits until no operation works on databases. What follows the change of a tenant goes on where it takes longer than its call waits. */
export const expectNoOperation = (...names: string[]): Promise<void> =>
  expect
    .poll(() =>
      query(
        'apotheca',
        'select d.name from operation_claims c join databases d on d.id = c.database_id where d.name = any($1)',
        [names],
      ),
    )
    .toEqual([]);

/** Deletes a clone from its row's menu. */
export async function deleteClone(page: Page, name: string): Promise<void> {
  await chooseDatabaseAction(page, name, /delete/i);
  const dialog = page.getByRole('dialog', { name: 'Delete Database' });
  await expect(dialog.getByText(/It can be put back until/)).toBeVisible();
  await dialog.getByRole('textbox').pressSequentially(name);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted database.');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(databaseRow(page, name)).toHaveCount(0);
}

/** Opens the list of parked databases. @returns the row of the only parked one of a name */
export async function openParked(page: Page, name: string): Promise<Locator> {
  await chooseForAll(page, 'Parked Databases');
  const row = page
    .getByRole('dialog', { name: 'Parked Databases' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  await expect(row).toHaveCount(1);
  return row;
}
