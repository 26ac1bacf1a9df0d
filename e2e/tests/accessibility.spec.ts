import type { Page } from '@playwright/test';
import { backUp, chooseDatabaseAction, createDatabase, databaseRow, openBackup } from '../databases-screen.ts';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, test, turnDark } from '../fixtures.ts';
import { addTenant, anonymize, openManageTenant, proceedToPurge, purge } from '../manage-tenant-screen.ts';
import { physicalName } from '../postgres.ts';
import { insertRows } from '../tenant-rows.ts';
import { chooseAction, createTenant, tenantRow } from '../tenants-screen.ts';

const PUBLIC = ['/login', '/forgot-password', '/recover-password', '/register'];
const PROTECTED = [
  '/',
  '/tenants',
  '/database',
  '/users',
  '/licence',
  '/permission',
  '/menus',
  '/profile',
  '/blank',
  '/sub-menu-1',
  '/sub-menu-2',
  '/faqs',
  '/nowhere',
];

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test('public screens [§2.1]', async ({ page }) => {
      if (scheme === 'dark') await keepDark(page);
      for (const path of PUBLIC) {
        await page.goto(path);
        await expect(page.getByRole('main')).toBeVisible();
        await expectAccessible(page);
      }
    });

    test('screens of the main layout, wide and narrow [§2.2]', async ({ signedIn: page }) => {
      if (scheme === 'dark') await turnDark(page);
      for (const path of PROTECTED) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessibleAtAnyWidth(page);
      }
    });

    test('every dialog and menu of the tenants screen [§2.7] [§2.9] [§2.10]', async ({ signedIn: page }) => {
      const code = `AXE${scheme.toUpperCase()}`;
      const dialog = page.getByRole('dialog');
      if (scheme === 'dark') await turnDark(page);
      await page.goto('/tenants');
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
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
      await chooseAction(page, code, 'Delete');
      await expect(dialog.getByLabel('Tenant Code')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
    });

    test('every dialog and menu of a database [§2.13]', async ({ signedIn: page }) => {
      const name = `AXEDB${scheme.toUpperCase()}`;
      const row = databaseRow(page, name);
      const dialog = page.getByRole('dialog');
      if (scheme === 'dark') await turnDark(page);
      await createDatabase(page, name);
      await row.getByRole('button', { name: /more/i }).click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      for (const action of [/^rename/i, /^back up/i]) {
        await row.getByRole('button', { name: action }).click();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
      await backUp(page, name);

      await row.getByRole('button', { name: /^view/i }).click();
      await expect(dialog.getByRole('rowheader', { name: 'patients', exact: true })).toBeVisible();
      await expect(dialog.getByRole('button', { name: /^Download/ })).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
      await page.keyboard.press('Escape');

      await row.getByRole('button', { name: /^clone/i }).click();
      await dialog.getByRole('textbox').fill(`${name} copy`);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Clone' }).click();
      await expect(databaseRow(page, `${name} COPY`)).toBeVisible();
      await expect(dialog).toBeHidden();
      await chooseDatabaseAction(page, `${name} COPY`, /delete/i);
      await expect(dialog.getByLabel('Database Name')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
    });

    test('backups, restoring and the activity panel [§2.13] [DECISIONS §8]', async ({ signedIn: page }) => {
      const name = `AXEBAK${scheme.toUpperCase()}`;
      const dialog = page.getByRole('dialog');
      if (scheme === 'dark') await turnDark(page);
      await createDatabase(page, name);
      await backUp(page, name);

      const backup = await openBackup(page, name);
      await expectAccessibleAtAnyWidth(page);
      await backup.getByRole('button', { name: /^Delete/ }).click();
      await expect(page.getByRole('dialog', { name: 'Delete Backup' })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await backup.getByRole('button', { name: /^Restore/ }).click();
      await expect(dialog.getByLabel('Name of the replaced database')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
      await dialog.getByRole('tab', { name: 'Upload an archive' }).click();
      await dialog.getByLabel('Name in the list').fill(name);
      await dialog.getByRole('button', { name: 'Upload' }).click();
      await expect(dialog.getByText('Archive is Required')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toBeHidden();

      await page.getByRole('button', { name: /^Activity/ }).click();
      const panel = page.getByRole('complementary', { name: 'Activity' });
      await expect(panel.getByText(`Backup of ${name}`)).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
    });

    test('every tab and dialog of Manage Tenant [§2.8]', async ({ signedIn: page }) => {
      const code = `AXEMAN${scheme.toUpperCase()}`;
      if (scheme === 'dark') await turnDark(page);
      await addTenant(page, code);
      await insertRows(await physicalName(code));

      const modal = await openManageTenant(page, code, 'Database Setting');
      await modal.getByRole('button', { name: 'Backup Database' }).click();
      await expect(modal.getByText('The backup is made')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);
      await modal.getByRole('tab', { name: 'Permissions' }).click();
      await modal.getByRole('button', { name: 'Sync Permissions' }).click();
      await expect(modal.getByText('Kept off')).toBeVisible();
      await expectAccessibleAtAnyWidth(page);

      await modal.getByRole('tab', { name: 'Delete Transaction Data & Reseed' }).click();
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

    test('user menu, control sidebar and the drawer of a phone [§2.2]', async ({ signedIn: page }) => {
      if (scheme === 'dark') await turnDark(page);
      const dashboard = page.getByRole('heading', { name: 'Dashboard', level: 1 });
      await page.goto('/');
      await expect(dashboard).toBeVisible();
      await page.getByRole('button', { name: /^User menu/ }).click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Layout settings' }).click();
      await expect(page.getByLabel('Keep the footer in view')).toBeVisible();
      await expectAccessible(page);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.goto('/');
      await expect(dashboard).toBeVisible();
      await page.getByRole('button', { name: 'Toggle menu' }).click();
      await expect(page.getByRole('link', { name: 'Tenants' })).toBeVisible();
      await expectAccessible(page);
    });
  });
}

/** As a browser that was switched to dark before it signed out. */
async function keepDark(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('layout', JSON.stringify({ darkMode: true })));
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark');
}
