import type { Page } from '@playwright/test';
import { DIALOGS } from './every-dialog.ts';
import { expect, expectLoaded } from './fixtures.ts';

/** The addresses of the screens with a form, a tree or cards, and those that dialogs are opened from. */
const PATHS = [
  '/',
  '/tenants/CEDARVA',
  '/tenants/CEDARVA?view=database',
  '/tenants/CEDARVA?view=backups',
  '/tenants/CEDARVA?view=permissions',
  '/tenants/CEDARVA?view=people',
  '/tenants/CEDARVA?view=history',
  '/licence',
  '/profile',
  '/blank',
  '/sub-menu-1',
  '/sub-menu-2',
  '/nowhere',
];

/** Every screen behind the sign-in, by its address, on an API with one record of each kind. */
export const SCREENS: readonly string[] = [...new Set([...PATHS, ...DIALOGS.map(({ at }) => at)])];

/** Opens a screen and waits until it shows what it loads. */
export async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expectLoaded(page);
}
