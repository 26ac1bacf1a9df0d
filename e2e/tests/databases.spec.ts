import { chooseDatabaseAction, createDatabase, databaseRow } from '../databases-screen.ts';
import { expect, expectToast, test } from '../fixtures.ts';

test('a database is viewed, cloned and renamed, and its clone deleted [§2.13]', async ({ signedIn: page }) => {
  const row = (name: string) => databaseRow(page, name);
  const dialog = page.getByRole('dialog');
  await createDatabase(page, 'DBWALK');
  await row('DBWALK').getByRole('button', { name: /view/i }).click();
  await expect(dialog.getByRole('rowheader', { name: 'patients', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');

  await row('DBWALK').getByRole('button', { name: /clone/i }).click();
  await dialog.getByRole('textbox').fill('dbwalk copy');
  await dialog.getByRole('button', { name: /clone/i }).click();
  await expect(row('DBWALK COPY')).toContainText('DBWALK');

  await row('DBWALK COPY')
    .getByRole('button', { name: /rename/i })
    .click();
  await dialog.getByRole('textbox').fill('dbwalk second');
  await dialog.getByRole('button', { name: /rename/i }).click();
  await expect(row('DBWALK SECOND')).toBeVisible();

  await chooseDatabaseAction(page, 'DBWALK SECOND', /delete/i);
  await expect(dialog.getByText(/permanently erases 0 rows/)).toBeVisible();
  await dialog.getByRole('textbox').pressSequentially('DBWALK SECOND');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted database.');
  await expect(row('DBWALK SECOND')).toHaveCount(0);
  await expect(row('DBWALK')).toBeVisible();
});
