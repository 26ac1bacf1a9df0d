import { chooseDatabaseAction, createDatabase, databaseRow, deleteClone, openParked } from '../databases-screen.ts';
import { expect, expectNoDialog, expectToast, test } from '../fixtures.ts';

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
  // The list may scroll once the dialog gives the focus back.
  await expectNoDialog(page);

  await row('DBWALK COPY')
    .getByRole('button', { name: /rename/i })
    .click();
  await dialog.getByRole('textbox').fill('dbwalk second');
  await dialog.getByRole('button', { name: /rename/i }).click();
  await expect(row('DBWALK SECOND')).toBeVisible();

  await chooseDatabaseAction(page, 'DBWALK SECOND', /delete/i);
  await expect(dialog.getByText(/erases 0 rows/)).toBeVisible();
  await dialog.getByRole('textbox').pressSequentially('DBWALK SECOND');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Successfully deleted database.');
  await expect(row('DBWALK SECOND')).toHaveCount(0);
  await expect(row('DBWALK')).toBeVisible();
});

test('a deleted database is put back, deleted again and removed [§2.13] [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  const dialog = page.getByRole('dialog');
  await createDatabase(page, 'DBPARK');
  await databaseRow(page, 'DBPARK').getByRole('button', { name: /clone/i }).click();
  await dialog.getByRole('textbox').fill('dbpark copy');
  await dialog.getByRole('button', { name: /clone/i }).click();
  await deleteClone(page, 'DBPARK COPY');

  let parked = await openParked(page, 'DBPARK COPY');
  await expect(parked).toContainText('Deleted');
  // By key, as below: what other tests park moves the row while it is pressed.
  await parked.getByRole('button', { name: /^Put back/ }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Put Database Back' });
  await question.getByRole('button', { name: 'Put back' }).click();
  await expectToast(page, 'Success! Database DBPARK COPY has been put back.');
  await expect(parked).toHaveCount(0);
  await expect(question).toBeHidden();
  // By its button: Escape is for the question a moment longer, and with its row gone no focus tells the end of that.
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();

  await deleteClone(page, 'DBPARK COPY');
  parked = await openParked(page, 'DBPARK COPY');
  await parked.getByRole('button', { name: /^Remove/ }).press('Enter');
  const confirmation = page.getByRole('dialog', { name: 'Remove Database Now' });
  await confirmation.getByRole('textbox').pressSequentially('DBPARK COPY');
  await confirmation.getByRole('button', { name: 'Remove DBPARK COPY now' }).click();
  await expectToast(page, 'Successfully removed database DBPARK COPY.');
  await expect(parked).toHaveCount(0);
});
