import type { Locator, Page } from '@playwright/test';
import {
  expect,
  expectAccessibleAtAnyWidth,
  expectNoDialog,
  expectNothingUnsaved,
  expectToast,
  test,
} from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { tenantRow } from '../tenants-screen.ts';

const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Guide' });

/** Opens the guide beside the screen by keyboard, at a task. @returns the names of buttons and fields in each of its steps */
async function openTask(page: Page, title: string): Promise<string[][]> {
  await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
  await panel(page).getByRole('button', { name: title }).press('Enter');
  await expect(panel(page).getByRole('heading', { name: title })).toBeVisible();
  const steps = await panel(page).locator('ol > li').all();
  return Promise.all(steps.map((step) => step.locator('b').allTextContents()));
}

/** A name as the guide has it, with '…' where the screen has the name of a record. */
const withRecord = (text: string | undefined, record: string): string => (text ?? '').replace('…', record);

test('a tenant is created by the words of the guide, which stands beside the screen [§2.29]', async ({
  dashboard: page,
}) => {
  const [[menu, create] = [], [code] = [], [zone] = [], [section, end] = [], [submit] = [], [manage, tab] = []] =
    await openTask(page, 'Create a tenant');
  await page.getByRole('link', { name: menu, exact: true }).first().click();
  await expect(panel(page)).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: create, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  // The dialog leaves the steps in sight.
  await expect
    .poll(async () => {
      const [guide, box] = await Promise.all([
        panel(page).boundingBox(),
        dialog.locator('.modal-content').boundingBox(),
      ]);
      return guide !== null && box !== null && box.x + box.width <= guide.x;
    })
    .toBe(true);
  await dialog.getByLabel('Customer Name/Code').fill('Guided Clinic');
  await dialog.getByLabel(code ?? '').fill('GUIDED');
  await dialog.getByLabel('First Name').fill('Ines');
  await dialog.getByLabel('Last Name').fill('Moreau');
  await dialog.getByLabel('Email').fill('ines@guided.test');
  await dialog.getByLabel('Phone').fill('(425) 555-0134');
  await dialog.getByLabel('EMR').selectOption({ label: 'athenahealth' });
  await dialog.getByLabel(zone ?? '').selectOption('America/Los_Angeles');
  await expect(dialog.getByText(section ?? '', { exact: true }).first()).toBeAttached();
  await expect(dialog.getByLabel(end ?? '')).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  await dialog.getByRole('button', { name: submit, exact: true }).click();
  await expect(tenantRow(page, 'GUIDED')).toBeVisible();
  await expectNothingUnsaved(page);
  // By key: tenants that other tests add move the row while it is pressed.
  await page.getByRole('link', { name: 'Guided Clinic' }).press('Enter');
  await page.getByRole('button', { name: manage, exact: true }).click();
  await expect(page.getByRole('tab', { name: tab, exact: true })).toBeVisible();
});

test('a backup is made, and its restore begun, by the words of the guide [§2.29]', async ({ signedIn: page }) => {
  await addTenant(page, 'GUIDEBACK');
  const [[menu, back, confirm] = [], [backups] = [], [restore, choice] = [], [name = ''] = [], ways = []] =
    await openTask(page, 'Back up and restore');
  const [asNew, typedAgain = '', replace, parked, more] = ways;
  await page.getByRole('link', { name: menu, exact: true }).first().click();
  // By key, as the choice of a backup: what other tests add moves the row while it is pressed.
  await page.getByRole('button', { name: withRecord(back, 'GUIDEBACK'), exact: true }).press('Enter');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: withRecord(confirm, 'GUIDEBACK'), exact: true })
    .click();
  await expectToast(page, 'GUIDEBACK is backed up');
  await expectNoDialog(page);
  await expect(page.getByRole('button', { name: backups, exact: true })).toBeVisible();
  await page.getByRole('button', { name: more, exact: true }).click();
  await expect(page.getByRole('menuitem', { name: parked, exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: restore, exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(choice ?? '', { exact: true }).first()).toBeVisible();
  const backup = dialog.getByRole('radio', { name: /^GUIDEBACK / });
  await backup.press('Space');
  await expect(backup).toBeChecked();
  await dialog.getByLabel(name, { exact: true }).fill('GUIDENEW');
  await expect(dialog.getByRole('button', { name: withRecord(asNew, 'GUIDENEW'), exact: true })).toBeVisible();
  await dialog.getByLabel(name, { exact: true }).fill('GUIDEBACK');
  await expect(dialog.getByLabel(typedAgain, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: withRecord(replace, 'GUIDEBACK'), exact: true })).toBeVisible();
});

test('rights are given to a role by the words of the guide [§2.29]', async ({ dashboard: page }) => {
  const [[menu, view] = [], [open] = [], [review] = [], , [create] = []] = await openTask(page, 'Give a role rights');
  await page.getByRole('link', { name: menu, exact: true }).first().click();
  await page.getByRole('link', { name: view, exact: true }).click();
  await expect(page.getByRole('button', { name: create, exact: true })).toBeVisible();
  await page.getByRole('button', { name: withRecord(open, 'Operator'), exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: review, exact: true })).toBeVisible();
});

test('the guide has an address, a search and no accessibility fault, wide and narrow [§2.29]', async ({
  signedIn: page,
}) => {
  await page.goto('/guide');
  await page.getByRole('searchbox', { name: 'Search the guide' }).fill('phone recovery');
  await page.getByRole('link', { name: 'Set up a second factor' }).press('Enter');
  await expect(page).toHaveURL(/\/guide\/secondFactor$/);
  await expect(page.getByRole('article').getByRole('listitem').first()).toContainText('Second factor');
  await expectAccessibleAtAnyWidth(page);
  await page.goto('/guide');
  await expect(page.getByRole('heading', { level: 1, name: 'Guide' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.goto('/database');
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(panel(page)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Help', exact: true })).toBeFocused();
});

test('code and texts of the guide are loaded once it is opened [§2.29]', async ({ signedIn: page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  const isAsked = () => asked.some((path) => path.startsWith('/assets/guide'));
  expect(isAsked()).toBe(false);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  await expect(panel(page)).toBeVisible();
  expect(isAsked()).toBe(true);
});
