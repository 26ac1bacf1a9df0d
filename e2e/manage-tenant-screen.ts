import type { Locator, Page } from '@playwright/test';
import { expect, expectNothingUnsaved, expectToast } from './fixtures.ts';
import { createTenant, tenantRow } from './tenants-screen.ts';

/** Makes a tenant in the list, which shows it alone: a row that others add may move it while it is pressed. */
export async function addTenant(page: Page, code: string): Promise<void> {
  await page.goto(`/tenants?${new URLSearchParams({ q: code })}`);
  await createTenant(page, code);
  await expect(tenantRow(page, code)).toBeVisible();
  await expectNothingUnsaved(page);
}

/** Opens the Manage Tenant modal with one of its tabs. */
export async function openManageTenant(page: Page, code: string, tab: string): Promise<Locator> {
  await tenantRow(page, code)
    .getByRole('button', { name: /manage/i })
    .click();
  const modal = page.getByRole('dialog', { name: 'Manage Tenant' });
  await modal.getByRole('tab', { name: tab }).click();
  return modal;
}

/** Ticks tables of the checklist, and opens the confirmation of purging them. */
export async function proceedToPurge(page: Page, modal: Locator, tables: readonly string[]): Promise<Locator> {
  for (const name of tables) await modal.getByRole('checkbox', { name, exact: true }).check();
  await modal.getByRole('button', { name: /^Delete data from/ }).click();
  return page.getByRole('dialog', { name: 'Delete Transaction Data' });
}

/** Purges tables of the open modal's tenant. */
export async function purge(page: Page, modal: Locator, name: string, tables: readonly string[]): Promise<void> {
  const confirmation = await proceedToPurge(page, modal, tables);
  await confirmation.getByLabel('Database Name').pressSequentially(name);
  await confirmation.getByRole('button', { name: /^Delete data from/ }).click();
  await expectToast(page, new RegExp(`^Success! \\d+ tables? of ${name} with .+ emptied\\.`));
  await expect(confirmation).toBeHidden();
}

/**
 * Anonymizes the open modal's tenant.
 * @param look runs while the confirmation is open
 */
export async function anonymize(page: Page, modal: Locator, name: string, look = async () => {}): Promise<void> {
  await modal.getByRole('button', { name: 'Anonymize database' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Anonymize Database' });
  await confirmation.getByLabel('Database Name').pressSequentially(name);
  await look();
  await confirmation.getByRole('button', { name: 'Anonymize database' }).click();
  await expect(modal.getByRole('region', { name: 'Anonymization report' })).toBeVisible();
  await expect(confirmation).toBeHidden();
}
