import { expect, expectToast, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { createTenant, tenantRow } from '../tenants-screen.ts';

test('a tenant is edited, backed up, restored, deactivated and deleted on its page [§2.24]', async ({
  signedIn: page,
}) => {
  await page.goto('/tenants');
  await createTenant(page, 'page/1');
  await tenantRow(page, 'PAGE/1').getByRole('link', { name: 'page/1 Clinic' }).click();
  await expect(page).toHaveURL(/\/tenants\/PAGE%2F1$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('page/1 Clinic');
  const views = page.getByRole('navigation', { name: 'Views of the tenant' });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('City').fill('Everett');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! Tenant has been updated.');
  await expect(page.getByText('Everett')).toBeVisible();

  await expect(page.getByText('There is no backup.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up' }).click();
  await dialog.getByRole('button', { name: 'Back up' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No backup was proved to be restorable yet.')).toBeVisible();

  await views.getByRole('link', { name: 'Backups' }).click();
  await page.getByRole('button', { name: /^Restore the backup of PAGE\/1/i }).click();
  await dialog.getByLabel('Database Name').fill('PAGE COPY');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  expect(await physicalName('PAGE COPY')).toBeDefined();

  await views.getByRole('link', { name: 'Database' }).click();
  await expect(page.getByText('Size over Time')).toBeVisible();
  const physical = await physicalName('PAGE/1');
  await expect(page.getByText(physical ?? '').first()).toBeVisible();

  await views.getByRole('link', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History, newest first' });
  await expect(history).toContainText('databases.backup');
  await expect(history).toContainText('tenants.edit');

  await views.getByRole('link', { name: 'Summary' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('The tenant is deactivated.')).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).first().click();
  await expect(page.getByText('The tenant is deactivated.')).toBeHidden();

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').pressSequentially('PAGE/1');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted tenant.');
  await expect(page).toHaveURL(/\/tenants$/);
  await expect(tenantRow(page, 'PAGE/1')).toHaveCount(0);
  expect(await query('apotheca', "select 1 from tenants where code = 'PAGE/1'")).toEqual([]);
});

test('an unknown tenant leads back to the list, also after a reload [§2.24]', async ({ signedIn: page }) => {
  await page.goto('/tenants/NOBODY.JS');
  await expect(page.getByText('No tenant has the code NOBODY.JS')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Tenants' }).click();
  await expect(page).toHaveURL(/\/tenants$/);
});
