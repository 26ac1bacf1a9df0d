import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../fixtures.ts';

const PUBLIC = ['/login', '/forgot-password', '/recover-password', '/register'];
const PROTECTED = ['/', '/tenants', '/users', '/nowhere'];

for (const scheme of ['light', 'dark'] as const) {
  test.describe(scheme, () => {
    test('public screens [§2.1]', async ({ page }) => {
      await page.addInitScript(
        (dark) => localStorage.setItem('layout', JSON.stringify({ darkMode: dark })),
        scheme === 'dark',
      );
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

    test('the tenant modal and the control sidebar [§2.7]', async ({ signedIn: page }) => {
      if (scheme === 'dark') await turnDark(page);
      await page.goto('/tenants');
      await page.getByRole('button', { name: 'Create' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
      await expect(page.getByText('Fist Name is required')).toBeVisible();
      await expectAccessible(page);
    });
  });
}

async function turnDark(page: Page): Promise<void> {
  await openControlSidebar(page);
  await page.getByLabel(/dark mode/i).check();
  await expect(page.locator('#root')).toHaveClass(/dark-mode/);
  await expectAccessible(page);
}

async function openControlSidebar(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /layout|customi[sz]e|settings|appearance/i })
    .first()
    .click();
}
