import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { makePlace } from '../faqs-screen.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleAtAnyWidth,
  expectFocusIn,
  expectNoDialog,
  expectToast,
  signIn,
  test,
} from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and actions' });
const field = (page: Page) => palette(page).getByRole('combobox');
const active = (page: Page) => palette(page).getByRole('option', { selected: true });

/** Opens the palette by its key. */
async function open(page: Page) {
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
}

/** Types into the palette until the entry with that name is the active one, and chooses it. @param name its beginning */
async function choose(page: Page, typed: string, name = typed) {
  await page.keyboard.type(typed);
  await expect(active(page)).toHaveText(new RegExp(`^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`));
  await page.keyboard.press('Enter');
}

/** Closes a dialog by its key. */
async function close(page: Page, name: string | RegExp) {
  const dialog = page.getByRole('dialog', { name, exact: true });
  await expect(dialog).toBeVisible();
  await expectFocusIn(dialog);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expectNoDialog(page);
}

const SCREENS = [
  ['Dashboard', '/'],
  ['Tenants', '/tenants'],
  ['Users', '/users'],
  ['Database Management', '/database'],
  ['Licence Management', '/licence'],
  ['Permission Management', '/permission'],
  ['Menu Management', '/menus'],
  ["FAQ's Management", '/faqs'],
  ['Audit Trail', '/audit'],
  ['Database Servers', '/database-servers'],
  ['Roles', '/permission?view=roles'],
  ['Webhooks', '/audit?view=webhooks'],
  ['Profile', '/profile'],
  ['Help', '/guide'],
] as const;

/** Actions that open a dialog of a screen. */
const ACTIONS = [
  ['Create tenant', '/tenants', 'Create Tenant'],
  ['Import tenants from a CSV file', '/tenants', 'Import Tenants'],
  ['Create user', '/users', 'Create User'],
  ['Create service account', '/users', 'Create Service Account'],
  ['Import users from a CSV file', '/users', 'Import Users'],
  ['Reconcile databases', '/database', 'Reconcile'],
  ['Show backup schedules', '/database', 'Backup Schedules'],
  ['Show all backups', '/database', 'Backups'],
  ['Show parked databases', '/database', 'Parked Databases'],
  ['Adopt database', '/database', 'Adopt Database'],
  ['Restore a backup', '/database', 'Restore Database'],
  ['Create permission', '/permission', 'Create Permission'],
  ['Sync permissions', '/permission', 'Sync Permission'],
  ['Create role', '/permission?view=roles', 'Create Role'],
  ['Create menu', '/menus', 'Create Menu'],
  ['Create FAQ', '/faqs', 'Create FAQ'],
  ['Import FAQs from a CSV file', '/faqs', 'Import FAQs'],
  ['Preview all FAQs', '/faqs', 'Preview'],
  ['Create webhook', '/audit?view=webhooks', 'Create Webhook'],
  ['Create database server', '/database-servers', 'Create Database Server'],
] as const;

/** Actions that leave the screen as it is. */
const COMMANDS = [
  'Show the activity',
  'Show own sessions',
  'Switch between light and dark',
  'Open layout settings',
  'Show keyboard shortcuts',
  'Sign out',
];

/** Actions on a record: what is typed for the record, and where its dialog is. */
const RECORD_ACTIONS = [
  ['Edit tenant …', 'PALETTE', '/tenants/PALETTE', 'Edit Tenant'],
  ['Manage tenant …', 'PALETTE', '/tenants/PALETTE', 'Manage Tenant'],
  ['Duplicate tenant …', 'PALETTE', '/tenants/PALETTE', 'Duplicate Tenant'],
  ['Edit user …', 'paletteviewer', '/users', 'Edit User'],
  ['Back up database …', 'PALETTE', '/database', 'Back Up Database'],
  ['Restore database …', 'PALETTE', '/database', 'Restore Database'],
  ['Clone database …', 'PALETTE', '/database', 'Clone Database'],
  ['Rename database …', 'PALETTE', '/database', 'Rename Database'],
  ['Edit FAQ …', 'Palettes', '/faqs', 'Edit FAQ'],
  ['Preview FAQ …', 'Palettes', '/faqs', 'Preview'],
] as const;

/** In a long run all, otherwise every third one: an entry is found and chosen as the others are. */
const sampleOf = <T>(entries: readonly T[]) => entries.filter((_, index) => IS_LONG_RUN || index % 3 === 0);

test('screens, records and actions of the palette by keyboard alone; a Viewer is told what is missing [§2.28]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await addTenant(page, 'PALETTE');
  await page.goto('/users');
  await createUser(page, 'paletteviewer', 'Viewer');
  await makePlace(page, 'Palettes');

  await test.step('what there is', async () => {
    await open(page);
    const names = (group: string) => palette(page).getByRole('group', { name: group }).getByRole('option');
    expect(await names('Screens').allTextContents()).toEqual(SCREENS.map(([name]) => name));
    const actions = [...ACTIONS.map(([name]) => name), ...COMMANDS, ...RECORD_ACTIONS.map(([name]) => name)];
    expect(await names('Actions').allTextContents()).toEqual(actions);
    await page.keyboard.press('Escape');
  });
  await test.step('screens', async () => {
    for (const [name, path] of sampleOf(SCREENS)) {
      await open(page);
      await choose(page, name);
      await expect(page).toHaveURL(path);
      await expect(page.locator('#content')).toBeFocused();
    }
  });
  await test.step('records of each kind', async () => {
    await open(page);
    await choose(page, 'palete clinc', 'PALETTE Clinic');
    await expect(page).toHaveURL('/tenants/PALETTE');
    await open(page);
    await choose(page, 'paletteviewer', 'Ines Moreau');
    await expect(page).toHaveURL('/users');
    await close(page, 'View User');
    // A reload does not open it once more.
    await page.reload();
    await expect(page.getByRole('cell', { name: 'Ines' }).first()).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await open(page);
    await page.keyboard.type('PALETTE');
    await palette(page)
      .getByRole('group', { name: 'Databases' })
      .getByRole('option', { name: /^PALETTE/ })
      .waitFor();
    while (!(await active(page).textContent())?.startsWith('PALETTEPALETTE')) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/database');
    await close(page, 'View Database');
    await open(page);
    await choose(page, 'Palettes');
    await expect(page).toHaveURL(/\/faq\/Palettes\//);
  });
  await test.step('actions', async () => {
    for (const [name, path, dialog] of sampleOf(ACTIONS)) {
      await open(page);
      await choose(page, name);
      await expect(page).toHaveURL(path);
      await close(page, dialog);
    }
  });
  await test.step('actions on a record', async () => {
    for (const [name, record, path, dialog] of sampleOf(RECORD_ACTIONS)) {
      await open(page);
      await choose(page, name);
      await expect(palette(page).getByRole('combobox', { name: /^Which/ })).toBeFocused();
      await page.keyboard.type(record);
      await expect(active(page)).toContainText(record);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(path);
      await close(page, dialog);
    }
  });
  await test.step('a deed and its record in one line', async () => {
    await open(page);
    await choose(page, 'edit user palettev', 'Edit user …Ines Moreau');
    await close(page, 'Edit User');
    await open(page);
    await expect(active(page)).toContainText('Edit user …Ines Moreau');
    await page.keyboard.press('Escape');
  });
  await test.step('actions that go nowhere', async () => {
    await open(page);
    await choose(page, 'Switch between light and dark');
    await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark');
    await open(page);
    await choose(page, 'Open layout settings');
    await expect(page.getByLabel('Keep the footer in view')).toBeVisible();
    await open(page);
    await choose(page, 'Show keyboard shortcuts');
    await close(page, 'Keyboard shortcuts');
    await page.keyboard.press('?');
    await close(page, 'Keyboard shortcuts');
  });
  await test.step('what was chosen last stands first', async () => {
    await open(page);
    const recent = palette(page).getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect(recent.first()).toHaveText('Show keyboard shortcuts');
    await expect(recent).toHaveCount(8);
    await choose(page, 'Sign out');
    await expect(page).toHaveURL('/login');
  });

  const other = await openBrowser();
  await signIn(other, { username: 'paletteviewer', password: PASSWORD });
  await open(other);
  await expect(palette(other).getByRole('group', { name: 'Recent' })).toHaveCount(0);
  await other.keyboard.type('Create tenant');
  await expect(active(other)).toHaveAttribute('aria-disabled', 'true');
  await expect(active(other)).toContainText("Your role lacks the permission 'Create and edit tenants'.");
  await other.keyboard.press('Enter');
  await expect(field(other)).toBeFocused();
  await expect(other).toHaveURL('/');
  await expectAccessible(other);
});

test('Enter that comes before the palette shows what was found chooses it all the same [§2.28]', async ({
  dashboard: page,
}) => {
  await open(page);
  await field(page).evaluate(async (input: HTMLInputElement) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'Licence Management');
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    // What the key itself changes is drawn by now, and what it finds is not.
    await Promise.resolve();
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  });
  await expect(page).toHaveURL(/\/licence$/);
});

test('the palette and the sheet of keys, light and dark, wide and narrow; the focus returns [§2.28]', async ({
  signedIn: page,
}) => {
  await page.goto('/users');
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
  const button = page.getByRole('button', { name: 'Search and actions (Ctrl K)' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(active(page)).toHaveText('Dashboard');
  await expectAccessibleAtAnyWidth(page);
  await field(page).fill('admin');
  await expect(palette(page).getByRole('group', { name: 'Users' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await field(page).fill('qqxzqq');
  await expect(palette(page)).toContainText("Nothing matches 'qqxzqq'.");
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();

  await page.setViewportSize({ width: 390, height: 700 });
  await button.click();
  const box = await palette(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await palette(page).getByRole('option', { name: 'Edit tenant …' }).click();
  await expect(palette(page).getByRole('combobox', { name: 'Which tenant?' })).toBeFocused();
  await expectAccessible(page);
  await palette(page).getByRole('button', { name: 'Back to everything' }).click();
  await palette(page).getByRole('button', { name: 'Close' }).click();
  await expect(palette(page)).toBeHidden();

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test.describe('a list that cannot be loaded', () => {
  test.use({ expectedErrors: [/status of 503|^503 /] });

  test('is named in the palette, and found once it is there [§2.28]', async ({ dashboard: page }) => {
    await page.route('**/api/users/get*', (route) =>
      route.fulfill({
        status: 503,
        json: { status: 503, success: false, message: 'The database is away.', title: 'Unavailable' },
      }),
    );
    await open(page);
    await expect(palette(page)).toContainText('Users could not be loaded:');
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(palette(page).getByRole('button', { name: 'Retry' })).toBeFocused();
    // Not before: the list also comes again when an operation of another test has ended.
    await page.unrouteAll();
    await page.keyboard.press('Enter');
    await expect(palette(page)).not.toContainText('could not be loaded');
    await field(page).fill('admin');
    await expect(palette(page).getByRole('group', { name: 'Users' })).toBeVisible();
  });
});

test.describe('the code of the palette', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('is loaded once it is opened; where that fails a toast says so [§2.28]', async ({ signedIn: page }) => {
    const asked: string[] = [];
    await page.route(/\/assets\/palette-.*\.js$/, (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await page.goto('/users');
    await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    await page.keyboard.press('Control+k');
    await expectToast(page, 'Search and actions could not be loaded.');
    expect(asked.length).toBeGreaterThan(0);
    await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
  });
});
