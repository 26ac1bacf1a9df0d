import { expect, expectAccessible, test } from '../fixtures.ts';
import { createTenant, tenantRow } from '../tenants-screen.ts';

test('a database is looked at, cloned, renamed and its clone deleted [§2.13]', async ({ signedIn: page }) => {
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  const dialog = page.getByRole('dialog');
  await page.goto('/tenants');
  await createTenant(page, 'DBWALK');
  await expect(tenantRow(page, 'DBWALK')).toBeVisible();

  await page.getByRole('link', { name: 'Database Management' }).first().click();
  await row('DBWALK').getByRole('button', { name: /view/i }).click();
  await expect(dialog.getByRole('rowheader', { name: 'patients', exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await row('DBWALK').getByRole('button', { name: /clone/i }).click();
  await dialog.getByRole('textbox').fill('dbwalk copy');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: /clone/i }).click();
  await expect(row('DBWALK COPY')).toContainText('DBWALK');

  await row('DBWALK COPY')
    .getByRole('button', { name: /rename/i })
    .click();
  await dialog.getByRole('textbox').fill('dbwalk second');
  await dialog.getByRole('button', { name: /rename/i }).click();
  await expect(row('DBWALK SECOND')).toBeVisible();

  await row('DBWALK SECOND').getByRole('button', { name: /more/i }).click();
  await page.getByRole('menuitem', { name: /delete/i }).click();
  await expect(dialog.getByText(/permanently erases 0 rows/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('textbox').pressSequentially('DBWALK SECOND');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Successfully deleted database.')).toBeVisible();
  await expect(row('DBWALK SECOND')).toHaveCount(0);
  await expect(row('DBWALK')).toBeVisible();
});
