import type { Locator, Page } from '@playwright/test';

/** Opens the signed-in user's sessions by the user menu. */
export async function openSessions(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.getByRole('button', { name: 'Sessions', exact: true }).click();
  return page.getByRole('dialog', { name: 'Open sessions' });
}

/** The Sign out buttons of the shown sessions. */
export const signOutButtons = (dialog: Locator): Locator => dialog.getByRole('button', { name: /^Sign out: / });
