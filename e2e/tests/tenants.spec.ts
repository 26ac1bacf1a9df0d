import type { Page } from '@playwright/test';
import pg from 'pg';
import { expect, test } from '../fixtures.ts';
import { postgresUrl } from '../server.ts';

/** The physical name of a tenant's database, from the registry. */
const physicalName = async (code: string) =>
  (await query('apotheca', 'select physical_name from databases where name = $1', [code]))[0]?.physical_name;

async function query(database: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: postgresUrl(database) });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}

const row = (page: Page, code: string) =>
  page.getByRole('row').filter({ has: page.getByRole('cell', { name: code, exact: true }) });
const toast = (page: Page, text: string) => expect(page.getByText(text)).toBeVisible();

async function fillTenant(page: Page, code: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Customer Name/Code').fill(`${code} Clinic`);
  await dialog.getByLabel('Tenant Code').fill(code);
  await dialog.getByLabel('First Name').fill('Ines');
  await dialog.getByLabel('Last Name').fill('Moreau');
  await dialog.getByLabel('Email').fill('ines@silverlake.test');
  await dialog.getByLabel('Phone').fill('(425) 555-0134');
  await dialog.getByLabel('EMR').selectOption({ label: 'athenahealth' });
  await dialog.getByLabel('Time Zone').selectOption('America/Los_Angeles');
}

async function choose(page: Page, code: string, action: string): Promise<void> {
  await row(page, code).getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('the whole life of a tenant [§2.6] [§2.7] [§2.9] [§2.10]', async ({ signedIn: page }) => {
  await page.getByRole('link', { name: 'Tenants' }).first().click();
  await page.getByRole('button', { name: 'Create' }).first().click();
  await fillTenant(page, 'acme');
  await expect(page.getByRole('dialog').getByLabel('Database Name')).toHaveValue('ACME');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await toast(page, 'Success! Tenant has been Created.');
  await expect(row(page, 'ACME')).toContainText('acme Clinic');

  const database = await physicalName('ACME');
  const tables = await query(
    database,
    "select count(*)::int as count from information_schema.tables where table_schema = 'public'",
  );
  expect(tables).toEqual([{ count: 37 }]);
  await query(database, "insert into locations (code, name, kind) values ('A', 'Clinic A', 'clinic')");

  await row(page, 'ACME').getByRole('button', { name: /edit/i }).click();
  await page.getByRole('dialog').getByLabel('City').fill('Everett');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await toast(page, 'Success! Tenant has been updated.');
  await expect(row(page, 'ACME')).toContainText('Everett');

  await choose(page, 'ACME', 'Deactivate');
  await toast(page, 'Success! Tenant has been Deactivated.');
  await expect(row(page, 'ACME')).toContainText('Inactive');
  await choose(page, 'ACME', 'Activate');
  await toast(page, 'Success! Tenant has been Activated.');
  await expect(row(page, 'ACME')).not.toContainText('Inactive');

  await choose(page, 'ACME', 'Duplicate');
  await page.getByRole('dialog').getByLabel('New Tenant Code').fill('acme2');
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await expect(row(page, 'ACME2')).toContainText('Everett');
  const copy = await physicalName('ACME2');
  expect(await query(copy, 'select name from locations')).toEqual([{ name: 'Clinic A' }]);

  await choose(page, 'ACME2', 'Delete');
  const dialog = page.getByRole('dialog');
  const typed = dialog.getByRole('textbox');
  await page.evaluate(() => navigator.clipboard?.writeText('ACME2').catch(() => undefined));
  await typed.focus();
  await page.keyboard.press('Control+V');
  await expect(typed).toHaveValue('');
  await typed.pressSequentially('ACME');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await typed.pressSequentially('2');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await toast(page, 'Successfully deleted tenant.');
  await expect(row(page, 'ACME2')).toHaveCount(0);
  expect(await physicalName('ACME2')).toBeUndefined();
  expect(await query('postgres', 'select from pg_database where datname = $1', [copy])).toEqual([]);
  expect(await query('postgres', 'select from pg_roles where rolname = $1', [copy])).toEqual([]);
  await expect(row(page, 'ACME')).toBeVisible();
});

test.describe('a code that exists already', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is refused at its field, and nothing typed is lost [§5]', async ({ signedIn: page }) => {
    await page.goto('/tenants');
    for (const attempt of ['first', 'second']) {
      await page.getByRole('button', { name: 'Create' }).first().click();
      await fillTenant(page, 'TWIN');
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      if (attempt === 'first') await expect(row(page, 'TWIN')).toBeVisible();
    }
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('A tenant with this code exists already.')).toBeVisible();
    await expect(dialog.getByLabel('Phone')).toHaveValue('(425) 555-0134');
  });
});
