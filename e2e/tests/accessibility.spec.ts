import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, test, turnDark } from '../fixtures.ts';

const PUBLIC = ['/login', '/forgot-password', '/recover-password', '/register'];
const PROTECTED = {
  'with lists': ['/tenants', '/database', '/users', '/licence', '/permission', '/menus', '/faqs'],
  'without lists': ['/', '/profile', '/blank', '/sub-menu-1', '/sub-menu-2', '/nowhere'],
};

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

    for (const [part, paths] of Object.entries(PROTECTED)) {
      test(`screens of the main layout ${part}, wide and narrow [§2.2]`, async ({ signedIn: page }) => {
        if (scheme === 'dark') await turnDark(page);
        for (const path of paths) {
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await expectAccessibleAtAnyWidth(page);
        }
      });
    }

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
