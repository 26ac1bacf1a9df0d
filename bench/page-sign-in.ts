import type { Page } from '@playwright/test';
import { PASSWORD } from './installation.ts';

/** Signs the administrator in on the sign-in page. */
export async function signInTo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: /^User menu/ }).waitFor();
}
