import { expect, expectNoDialog, expectToast, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { fillPermission, permissionRow, syncTenant } from '../permissions-screen.ts';
import { physicalName, query } from '../postgres.ts';

test('a permission is created, synced into a tenant, switched off there, and deleted [§2.14] [DECISIONS §10]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'PERMSYNC');
  await page.getByRole('link', { name: 'Permission Management' }).first().click();
  const create = await fillPermission(page, 'Count Stock');
  const ids = create.getByLabel('Id', { exact: true }).getByRole('option');
  const [first = ''] = (await ids.allTextContents()).filter((text) => /^[0-9a-f-]{36}$/.test(text));
  await expect(create.getByLabel('Id', { exact: true })).toHaveValue(first);
  await expect(create.getByLabel('Permission Identifier')).toHaveValue('countStock');
  await create.getByRole('button', { name: 'Create' }).click();
  await expectToast(page, 'Success! Permission has been Created.');
  await expect(permissionRow(page, 'countStock')).toContainText(first.slice(0, 8));

  await permissionRow(page, 'countStock').getByRole('button', { name: 'Edit Count Stock' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Permission' });
  await edit.getByLabel('Permission Name').fill('Count the stock');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! Permission has been updated.');
  await expect(permissionRow(page, 'countStock')).toContainText('Count the stock');

  const sync = async (group: string) => {
    const dialog = await syncTenant(page, 'PERMSYNC');
    await expect(dialog.getByRole('list', { name: group }).getByText('countStock')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expectNoDialog(page);
  };
  await sync('Added permissions');
  const database = await physicalName('PERMSYNC');
  await query(database, "update apotheca.permissions set is_active = false where identifier = 'countStock'");
  await sync('Kept: switched off by the tenant');
  const stored = "select is_active from apotheca.permissions where identifier = 'countStock'";
  expect(await query(database, stored)).toEqual([{ is_active: false }]);

  await permissionRow(page, 'countStock').getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: 'Delete Count the stock' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete permission' }).click();
  await expectToast(page, 'Success! Permission has been deleted.');
  await expect(permissionRow(page, 'countStock')).toHaveCount(0);
  await sync('Removed permissions');
  expect(await query(database, stored)).toEqual([]);
});

test('a sync of the catalogue restores a changed built-in permission [§2.14] [DECISIONS §10]', async ({
  signedIn: page,
}) => {
  await page.goto('/permission');
  await permissionRow(page, 'audit.read').getByRole('button', { name: /^Edit/ }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Permission' });
  await expect(edit.getByLabel('Permission Identifier')).not.toBeEditable();
  await edit.getByLabel('Permission Name').fill('Read everything');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await expect(permissionRow(page, 'audit.read')).toContainText('Read everything');

  await page.getByRole('button', { name: 'Sync Permission' }).click();
  const sync = page.getByRole('dialog', { name: 'Sync Permission' });
  await sync.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(sync.getByRole('list', { name: 'Changed permissions' })).toHaveText('View the audit trail audit.read');
  await sync.getByRole('button', { name: 'Sync', exact: true }).click();
  await expect(sync.getByText('Everything was up to date already.')).toBeVisible();
  await sync.getByRole('button', { name: 'Close' }).last().click();
  await expect(permissionRow(page, 'audit.read')).toContainText('View the audit trail');
});
