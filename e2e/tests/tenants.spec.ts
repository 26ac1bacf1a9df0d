import { expectNoOperation } from '../databases-screen.ts';
import { expect, expectNothingUnsaved, expectToast, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { chooseAction, createTenant, tenantRow } from '../tenants-screen.ts';

test.use({ permissions: ['clipboard-write'] });

test('a time zone is found by its short name and chosen by Enter, which creates nothing [§2.7]', async ({
  dashboard: page,
}) => {
  await page.getByRole('link', { name: 'Tenants' }).first().click();
  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  const zone = dialog.getByLabel('Time Zone');
  await zone.selectOption('UTC');
  const search = dialog.getByLabel('Find Zone');
  await search.fill('cst');
  await expect(zone.locator('option', { hasText: 'Central Time (Chicago)' })).toHaveCount(1);
  await expect(zone.locator('option', { hasText: 'Los Angeles' })).toHaveCount(0);
  await expect(zone).toHaveValue('UTC');
  await search.fill('cst chicago');
  await search.press('Enter');
  await expect(zone).toHaveValue('America/Chicago');
  await expect(dialog.getByText('Central Time (Chicago) is chosen.')).toBeVisible();
  // A submit would have said what is missing.
  await expect(dialog.getByText('Fist Name is required')).toHaveCount(0);
  const [select, field] = [await zone.boundingBox(), await search.boundingBox()];
  expect(select?.y).toBe(field?.y);
});

test('a tenant is created, edited, duplicated and deleted [§2.6] [§2.7] [§2.9] [§2.10]', async ({
  dashboard: page,
}) => {
  await page.getByRole('link', { name: 'Tenants' }).first().click();
  await createTenant(page, 'acme');
  await expectToast(page, 'Success! Tenant has been Created.');
  await expect(tenantRow(page, 'ACME')).toContainText('acme Clinic');
  await expectNothingUnsaved(page);
  // Rows that other tests add move one while it is pressed.
  await page.getByRole('searchbox', { name: 'Filter tenants' }).fill('acme');

  const database = await physicalName('ACME');
  const tables = await query(
    database,
    "select count(*)::int as count from information_schema.tables where table_schema = 'public'",
  );
  expect(tables).toEqual([{ count: 37 }]);
  await query(database, "insert into locations (code, name, kind) values ('A', 'Clinic A', 'clinic')");

  await tenantRow(page, 'ACME').getByRole('button', { name: /edit/i }).click();
  await page.getByRole('dialog').getByLabel('City').fill('Everett');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! Tenant has been updated.');
  await expect(tenantRow(page, 'ACME')).toContainText('Everett');

  await chooseAction(page, 'ACME', 'Deactivate');
  await expectToast(page, 'Success! Tenant has been Deactivated.');
  await expect(tenantRow(page, 'ACME')).toContainText('Inactive');
  await chooseAction(page, 'ACME', 'Activate');
  await expectToast(page, 'Success! Tenant has been Activated.');
  await expect(tenantRow(page, 'ACME')).not.toContainText('Inactive');

  // Where opening it takes longer than the call waits.
  await expectNoOperation('ACME');
  await chooseAction(page, 'ACME', 'Duplicate');
  await page.getByRole('dialog').getByLabel('New Tenant Code').fill('acme2');
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click();
  await expect(tenantRow(page, 'ACME2')).toContainText('Everett');
  const copy = await physicalName('ACME2');
  expect(await query(copy, 'select name from locations')).toEqual([{ name: 'Clinic A' }]);

  await chooseAction(page, 'ACME2', 'Delete');
  const dialog = page.getByRole('dialog');
  const typed = dialog.getByRole('textbox');
  await page.evaluate(() => navigator.clipboard.writeText('ACME2'));
  await typed.focus();
  await page.keyboard.press('Control+V');
  await expect(typed).toHaveValue('');
  await typed.pressSequentially('ACME');
  await expect(dialog.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await typed.pressSequentially('2');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted tenant.');
  await expect(tenantRow(page, 'ACME2')).toHaveCount(0);
  expect(await physicalName('ACME2')).toBeUndefined();
  // It is parked: nobody connects to it.
  const isOpen =
    'select datallowconn or rolcanlogin as open from pg_database join pg_roles on rolname = datname where datname = $1';
  expect(await query('postgres', isOpen, [copy])).toEqual([{ open: false }]);
  await expect(tenantRow(page, 'ACME')).toBeVisible();
});

test.describe('a code that exists already', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is refused at its field, and typed text stays [§5]', async ({ signedIn: page }) => {
    await page.goto('/tenants');
    for (const attempt of ['first', 'second']) {
      await createTenant(page, 'TWIN');
      if (attempt === 'first') await expect(tenantRow(page, 'TWIN')).toBeVisible();
    }
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('A tenant with this code exists already.')).toBeVisible();
    await expect(dialog.getByLabel('Phone')).toHaveValue('(425) 555-0134');
  });
});
