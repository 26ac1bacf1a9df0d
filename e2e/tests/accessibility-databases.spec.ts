import { backUp, chooseDatabaseAction, createDatabase, databaseRow, openBackup } from '../databases-screen.ts';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, test } from '../fixtures.ts';

test('every dialog and menu of a database [§2.13]', async ({ signedIn: page }) => {
  const name = 'AXEDB';
  const row = databaseRow(page, name);
  const dialog = page.getByRole('dialog');
  await createDatabase(page, name);
  await row.getByRole('button', { name: /more/i }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  for (const action of [/^rename/i, /^back up/i]) {
    await row.getByRole('button', { name: action }).click();
    await expect(dialog).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await backUp(page, name);

  await row.getByRole('button', { name: /^view/i }).click();
  await expect(dialog.getByRole('rowheader', { name: 'patients', exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Download/ })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');

  await row.getByRole('button', { name: /^clone/i }).click();
  await dialog.getByRole('textbox').fill(`${name} copy`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Clone' }).click();
  await expect(databaseRow(page, `${name} COPY`)).toBeVisible();
  await expect(dialog).toBeHidden();
  await chooseDatabaseAction(page, `${name} COPY`, /delete/i);
  await expect(dialog.getByLabel('Database Name')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('backups, restoring and the activity panel [§2.13] [DECISIONS §8]', async ({ signedIn: page }) => {
  const name = 'AXEBAK';
  const dialog = page.getByRole('dialog');
  await createDatabase(page, name);
  await backUp(page, name);

  const backup = await openBackup(page, name);
  await expectAccessibleAtAnyWidth(page);
  await backup.getByRole('button', { name: /^Delete/ }).click();
  await expect(page.getByRole('dialog', { name: 'Delete Backup' })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await backup.getByRole('button', { name: /^Restore/ }).click();
  await expect(dialog.getByLabel('Name of the replaced database')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('tab', { name: 'Upload an archive' }).click();
  await dialog.getByLabel('Name in the list').fill(name);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByText('Archive is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: /^Activity/ }).click();
  const panel = page.getByRole('complementary', { name: 'Activity' });
  await expect(panel.getByText(`Backup of ${name}`)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});
