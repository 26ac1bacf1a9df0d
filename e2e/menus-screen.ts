import type { Locator, Page } from '@playwright/test';
import { expectNoDialog } from './fixtures.ts';

/** The line of a menu in the tree, without the menus inside it. */
export const menuLine = (page: Page, name: string): Locator =>
  page.locator('.menu-row').filter({ has: page.getByText(name, { exact: true }) });

/** The button that expands and collapses a menu. */
export const menuToggle = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Makes a menu at the top. */
export async function createMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create Menu' });
  await dialog.getByLabel('Menu Name').fill(name);
  await dialog.getByLabel('Menu Icon').fill('pill');
  await sendMenu(dialog);
}

/** Makes a menu inside another one, whose icon it gets. */
export async function createMenuInside(page: Page, parent: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `Create a menu inside ${parent}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Create Menu' });
  await dialog.getByLabel('Menu Name').fill(name);
  await sendMenu(dialog);
}

/** Chooses an entry of a menu's … menu. */
export async function chooseMenuAction(page: Page, name: string, action: string): Promise<void> {
  await expectNoDialog(page);
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function sendMenu(dialog: Locator): Promise<void> {
  await dialog.getByRole('button', { name: 'Create' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
