import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures.ts';
import { chooseAction, createTenant, tenantRow } from '../tenants-screen.ts';

const PUBLIC = ['/login', '/forgot-password', '/recover-password', '/register'];
const PROTECTED = ['/', '/tenants', '/database', '/users', '/nowhere'];

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
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 860 });
        for (const path of PROTECTED) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectAccessible(page);
        }
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
        () => chooseAction(page, code, 'Delete'),
      ]) {
        await open();
        await expect(dialog).toBeVisible();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      }
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

async function turnDark(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await page.getByLabel('Dark mode').check();
  await expect(page.locator('#root')).toHaveClass(/dark-mode/);
}

/** As a browser that was switched to dark before it signed out. */
async function keepDark(page: Page): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('layout', JSON.stringify({ darkMode: true })));
  await page.goto('/login');
  await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark');
}
