import { expect, expectAccessible, expectAccessibleAtAnyWidth, test } from '../fixtures.ts';
import { addTenant, anonymize, openManageTenant, proceedToPurge, purge } from '../manage-tenant-screen.ts';
import { physicalName } from '../postgres.ts';
import { insertRows } from '../tenant-rows.ts';
import { chooseAction, createTenant, tenantRow } from '../tenants-screen.ts';

test('every dialog and menu of the tenants screen [§2.7] [§2.9] [§2.10]', async ({ signedIn: page }) => {
  const code = 'AXE';
  const dialog = page.getByRole('dialog');
  await page.goto(`/tenants?q=${code}`);
  await page.getByRole('button', { name: 'Create' }).first().click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Fist Name is required')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await createTenant(page, code);
  await expect(tenantRow(page, code)).toBeVisible();
  await tenantRow(page, code).getByRole('button', { name: /more/i }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  for (const open of [
    () => tenantRow(page, code).getByRole('button', { name: /view/i }).click(),
    () => tenantRow(page, code).getByRole('button', { name: /edit/i }).click(),
    () => chooseAction(page, code, 'Duplicate'),
  ]) {
    await open();
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText(/^Loading/)).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await chooseAction(page, code, 'Delete');
  await expect(dialog.getByLabel('Tenant Code')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('the page of a tenant, each view and its text dialog [§2.24]', async ({ signedIn: page }) => {
  await addTenant(page, 'AXEPAGE');
  for (const view of ['summary', 'database', 'backups', 'permissions', 'people', 'history']) {
    await page.goto(`/tenants/AXEPAGE?view=${view}`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    await expect(page.getByText(/^Loading|^Looking/)).toHaveCount(0);
    await expectAccessibleAtAnyWidth(page);
  }
  await page.getByRole('button', { name: 'View Tenant' }).click();
  await expect(page.getByRole('dialog').getByText('Zip Code')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.goto('/tenants/NOBODY');
  await expect(page.getByText('No tenant has the code NOBODY')).toBeVisible();
  await expectAccessible(page);
});

test('the backups, permissions and connection of Manage Tenant [§2.8]', async ({ signedIn: page }) => {
  const code = 'AXESET';
  await addTenant(page, code);

  const modal = await openManageTenant(page, code, 'Database Setting');
  await modal.getByRole('button', { name: 'Backup Database' }).click();
  await expect(modal.getByText('The backup is made')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await modal.getByLabel('Frequency').selectOption('Weekly');
  await modal.getByLabel('Monthly Backups').fill('121');
  await modal.getByRole('button', { name: 'Save schedule' }).click();
  await expect(modal.getByText(/^Monthly Backups should be/)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await modal.getByRole('tab', { name: 'Permissions' }).click();
  await modal.getByRole('button', { name: 'Sync Permissions' }).click();
  await expect(modal.getByText('Kept off')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await modal.getByRole('tab', { name: 'Connection' }).click();
  await expect(modal.getByRole('region', { name: 'Read only' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await modal.getByRole('region', { name: 'Read only' }).getByRole('button', { name: 'Reveal' }).click();
  const shown = page.getByRole('dialog', { name: 'Credentials' });
  await expect(shown).toBeVisible();
  await expectAccessible(page);
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toBeHidden();
  await modal.getByRole('button', { name: 'Rotate' }).click();
  await expect(page.getByRole('dialog', { name: 'Rotate Login' })).toBeVisible();
  await expectAccessible(page);
});

test('every dialog of purging, putting back and anonymizing in Manage Tenant [§2.8]', async ({ signedIn: page }) => {
  const code = 'AXEMAN';
  await addTenant(page, code);
  await insertRows(await physicalName(code));
  const modal = await openManageTenant(page, code, 'Delete Transaction Data & Reseed');
  const confirmation = await proceedToPurge(page, modal, ['locations', 'users']);
  await expect(confirmation.getByLabel('Database Name')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await expect(confirmation).toBeHidden();
  await expectAccessibleAtAnyWidth(page);
  await purge(page, modal, code, []);
  await expect(modal.getByRole('region', { name: 'Results' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await modal.getByRole('region', { name: 'Put back' }).getByRole('button', { name: 'Put back' }).click();
  const putBack = page.getByRole('dialog', { name: 'Put Rows Back' });
  await expect(putBack).toBeVisible();
  await expectAccessible(page);
  await putBack.getByRole('button', { name: 'Cancel' }).click();
  await expect(putBack).toBeHidden();

  await modal.getByRole('button', { name: 'DB Anonymization' }).click();
  await expect(modal.getByRole('region', { name: 'Columns by kind of identifier' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await anonymize(page, modal, code, () => expectAccessible(page));
  await expectAccessibleAtAnyWidth(page);
});
