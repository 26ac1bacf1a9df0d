import type { Locator, Page } from '@playwright/test';
import { expectNoOperation } from '../databases-screen.ts';
import { expect, expectNoDialog, expectNothingUnsaved, expectToast, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { createTenant, tenantRow } from '../tenants-screen.ts';

/** Waits for the answers of the next deactivation and activation. Each may begin an operation, during which nothing is deleted. */
const changesAnswered = (page: Page): Promise<unknown> =>
  Promise.all(['deactivate', 'activate'].map((call) => page.waitForResponse(new RegExp(`/tenant/${call}\\b`))));

test('a tenant is edited, backed up, restored, deactivated and deleted on its page [§2.24]', async ({
  signedIn: page,
}) => {
  await page.goto('/tenants?q=page/1');
  await createTenant(page, 'page/1');
  await expectNothingUnsaved(page);
  await tenantRow(page, 'PAGE/1').getByRole('link', { name: 'page/1 Clinic' }).click();
  await expect(page).toHaveURL(/\/tenants\/PAGE%2F1$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('page/1 Clinic');
  const views = page.getByRole('navigation', { name: 'Views of the tenant' });
  const dialog = page.getByRole('dialog');

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('City').fill('Everett');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! Tenant has been updated.');
  await expect(page.getByText('Everett')).toBeVisible();

  await expect(page.getByText('There is no backup.')).toBeVisible();
  await page.getByRole('button', { name: 'Back up' }).click();
  await dialog.getByRole('button', { name: 'Back up' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No backup is proved to be restorable yet.')).toBeVisible();

  await views.getByRole('link', { name: 'Backups' }).click();
  await page.getByRole('button', { name: /^Restore the backup of PAGE\/1/i }).click();
  await dialog.getByLabel('Database Name').fill('PAGE COPY');
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toBeHidden();
  await expectNothingUnsaved(page);
  expect(await physicalName('PAGE COPY')).toBeDefined();

  await views.getByRole('link', { name: 'Database' }).click();
  await expect(page.getByText('Size over Time')).toBeVisible();
  const physical = await physicalName('PAGE/1');
  await expect(page.getByText(physical ?? '').first()).toBeVisible();

  await views.getByRole('link', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'History, newest first' });
  await expect(history).toContainText('databases.backup');
  await expect(history).toContainText('tenants.edit');

  await views.getByRole('link', { name: 'Summary' }).click();
  const answered = changesAnswered(page);
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('The tenant is deactivated.')).toBeVisible();
  await page.getByRole('button', { name: 'Activate' }).first().click();
  await expect(page.getByText('The tenant is deactivated.')).toBeHidden();
  await answered;
  await expectNoOperation('PAGE/1');

  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('textbox').pressSequentially('PAGE/1');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted tenant.');
  await expect(page).toHaveURL(/\/tenants$/);
  await expect(tenantRow(page, 'PAGE/1')).toHaveCount(0);
  expect(await query('apotheca', "select 1 from tenants where code = 'PAGE/1'")).toEqual([]);
});

/** Presses a key until something has the focus, or what has it is in something. */
async function pressUntil(page: Page, key: 'Tab' | 'ArrowRight', target: Locator) {
  await expect(target).toBeVisible();
  // A dialog that opens takes the focus, and one that has closed gives it back.
  const isSettled = () =>
    document.querySelector('[role=dialog]')?.contains(document.activeElement) ??
    !document.body.classList.contains('modal-open');
  await expect.poll(() => page.evaluate(isSettled)).toBe(true);
  const isReached = () => target.evaluate((node) => node.contains(document.activeElement));
  for (let presses = 0; presses < 100 && !(await isReached()); presses += 1) await page.keyboard.press(key);
  expect(await isReached()).toBe(true);
}

test('a tenant lives its whole life by keyboard alone [§2.7] [§2.24] [§2.28]', async ({ dashboard: page }) => {
  const dialog = page.getByRole('dialog');
  const press = async (target: Locator) => {
    await expect(target).toBeEnabled();
    await pressUntil(page, 'Tab', target);
    await page.keyboard.press('Enter');
  };
  const type = async (label: string, text: string) => {
    await pressUntil(page, 'Tab', dialog.getByLabel(label, { exact: true }));
    await page.keyboard.type(text);
  };
  const choose = async (typed: string) => {
    await expectNoDialog(page);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and actions' });
    await expect(palette.getByRole('combobox')).toBeFocused();
    await page.keyboard.type(typed);
    await expect(palette.getByRole('option', { selected: true })).toContainText(typed);
    await page.keyboard.press('Enter');
  };

  await choose('Create tenant');
  await type('Customer Name/Code', 'Keys Clinic');
  await type('Tenant Code', 'keys');
  await type('First Name', 'Ines');
  await type('Last Name', 'Moreau');
  await type('Email', 'ines@silverlake.test');
  await type('Phone', '(425) 555-0134');
  await type('EMR', 'athena');
  await type('Find Zone', 'pst los angeles');
  await page.keyboard.press('Enter');
  await press(dialog.getByRole('button', { name: 'Create' }));
  await expectToast(page, 'Success! Tenant has been Created.');
  await expect(dialog).toBeHidden();
  await expectNothingUnsaved(page);

  await choose('Keys Clinic');
  await expect(page).toHaveURL(/\/tenants\/KEYS$/);
  await press(page.getByRole('button', { name: 'Edit', exact: true }));
  await type('City', 'Everett');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Success! Tenant has been updated.');
  await expect(page.getByText('Everett')).toBeVisible();

  await press(page.getByRole('button', { name: 'Back up' }));
  await press(dialog.getByRole('button', { name: 'Back up' }));
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No backup is proved to be restorable yet.')).toBeVisible();
  const views = page.getByRole('navigation', { name: 'Views of the tenant' });
  await press(views.getByRole('link', { name: 'Backups' }));
  const restore = page.getByRole('button', { name: /^Restore the backup of KEYS/i });
  await pressUntil(page, 'Tab', page.getByRole('row').filter({ has: restore }));
  await pressUntil(page, 'ArrowRight', restore);
  await page.keyboard.press('Enter');
  await type('Database Name', 'KEYS COPY');
  await press(dialog.getByRole('button', { name: 'Restore' }));
  await expect(dialog).toBeHidden();
  expect(await physicalName('KEYS COPY')).toBeDefined();

  await press(views.getByRole('link', { name: 'Summary' }));
  const answered = changesAnswered(page);
  await press(page.getByRole('button', { name: 'Deactivate' }));
  await expect(page.getByText('The tenant is deactivated.')).toBeVisible();
  await press(page.getByRole('button', { name: 'Activate' }).first());
  await expect(page.getByText('The tenant is deactivated.')).toBeHidden();
  await answered;
  await expectNoOperation('KEYS');

  await press(page.getByRole('button', { name: 'Delete' }));
  await pressUntil(page, 'Tab', dialog.getByRole('textbox'));
  await page.keyboard.type('KEYS');
  await press(dialog.getByRole('button', { name: 'Delete' }));
  await expectToast(page, 'Successfully deleted tenant.');
  await expect(page).toHaveURL(/\/tenants$/);
  expect(await query('apotheca', "select 1 from tenants where code = 'KEYS'")).toEqual([]);
});

test('an unknown tenant leads back to the list, also after a reload [§2.24]', async ({ signedIn: page }) => {
  await page.goto('/tenants/NOBODY.JS');
  await expect(page.getByText('No tenant has the code NOBODY.JS')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Tenants' }).click();
  await expect(page).toHaveURL(/\/tenants$/);
});
