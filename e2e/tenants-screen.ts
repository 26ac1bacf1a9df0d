import type { Locator, Page } from '@playwright/test';
import { expectNoDialog } from './fixtures.ts';

/** A tenant's row in the list, by its code. */
export const tenantRow = (page: Page, code: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: code, exact: true }) });

/** Opens the create dialog, fills in the required fields and sends it. */
export async function createTenant(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Create' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Customer Name/Code').fill(`${code} Clinic`);
  await dialog.getByLabel('Tenant Code').fill(code);
  await dialog.getByLabel('First Name').fill('Ines');
  await dialog.getByLabel('Last Name').fill('Moreau');
  await dialog.getByLabel('Email').fill('ines@silverlake.test');
  await dialog.getByLabel('Phone').fill('(425) 555-0134');
  await dialog.getByLabel('EMR').selectOption({ label: 'athenahealth' });
  await dialog.getByLabel('Time Zone').selectOption('America/Los_Angeles');
  await dialog.getByRole('button', { name: 'Create' }).click();
}

/** Chooses an entry of a row's … menu. */
export async function chooseAction(page: Page, code: string, action: string): Promise<void> {
  await expectNoDialog(page);
  await tenantRow(page, code).getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: action }).click();
}
