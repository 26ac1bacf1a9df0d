import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { backUp, chooseDatabaseAction, createDatabase, databaseRow, openBackup } from '../databases-screen.ts';
import { expect, expectToast, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { server } from '../server.ts';

const PG_RESTORE = join(process.env.PG_BIN_DIR ?? '', 'pg_restore');

const insertLocation = (database: string, name: string) =>
  query(database, "insert into locations (code, name, kind) values ($1, $1, 'clinic')", [name]);

const locationsOf = async (name: string) =>
  (await query(await physicalName(name), 'select name from locations order by name')).map((row) => row.name);

/** Downloads the archive of a backup's row, by key, as what else is done there: backups that other tests make move the row while it is pressed. */
async function download(page: Page, backup: Locator): Promise<string> {
  const downloading = page.waitForEvent('download');
  await backup.getByRole('button', { name: /^Download/ }).press('Enter');
  return (await downloading).path();
}

test('a database is backed up, and restored under a new name and over the changed one [§2.13]', async ({
  signedIn: page,
}) => {
  const dialog = page.getByRole('dialog');
  const restore = dialog.getByRole('button', { name: /^(Restore|Replace)\b/ });
  await createDatabase(page, 'BAKWALK');
  const database = await physicalName('BAKWALK');
  for (const name of ['Everett', 'Tacoma']) await insertLocation(database, name);

  await expect(databaseRow(page, 'BAKWALK')).toContainText('No backup');
  await backUp(page, 'BAKWALK');
  await expect(databaseRow(page, 'BAKWALK')).not.toContainText('No backup');

  const backup = await openBackup(page, 'BAKWALK');
  await expect(backup).toContainText('Made by admin');
  await backup.getByRole('button', { name: /^Restore/ }).press('Enter');
  await dialog.getByLabel('Database Name').fill('bakwalk anew');
  await expect(dialog.getByText('A new database BAKWALK ANEW will be made')).toBeVisible();
  await restore.click();
  await expectToast(page, 'Success! BAKWALK ANEW has been restored.');
  await expect(databaseRow(page, 'BAKWALK ANEW')).toContainText('Clone');
  expect(await locationsOf('BAKWALK ANEW')).toEqual(['Everett', 'Tacoma']);

  await query(database, "delete from locations where name = 'Everett'");
  await insertLocation(database, 'Spokane');
  await insertLocation(database, 'Yakima');
  await chooseDatabaseAction(page, 'BAKWALK', /^Restore BAKWALK$/);
  await dialog.getByRole('radio').check();
  await expect(dialog.getByText('Restoring replaces every row of BAKWALK (3 rows)')).toBeVisible();
  await expect(restore).toBeDisabled();
  await dialog.getByLabel('Name of the replaced database').pressSequentially('BAKWALK');
  await restore.click();
  await expectToast(page, 'Success! BAKWALK has been restored.');
  expect(await physicalName('BAKWALK')).toBe(database);
  expect(await locationsOf('BAKWALK')).toEqual(['Everett', 'Tacoma']);
});

test.describe('an archive from elsewhere', () => {
  test.use({ expectedErrors: [/status of 400/], permissions: ['clipboard-read', 'clipboard-write'] });

  test('is checked before it is kept, and can then be restored like any other [§2.13]', async ({ signedIn: page }) => {
    const dialog = page.getByRole('dialog');
    await createDatabase(page, 'BAKAWAY');
    await insertLocation(await physicalName('BAKAWAY'), 'Olympia');
    await backUp(page, 'BAKAWAY');

    const backup = await openBackup(page, 'BAKAWAY');
    const file = await download(page, backup);
    await backup.getByRole('button', { name: /^Copy the SHA-256/ }).press('Enter');
    await expectToast(page, 'Copied to the clipboard.');
    const digest = await page.evaluate(() => navigator.clipboard.readText());
    expect(
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ).toBe(digest);
    const { stdout } = await promisify(execFile)(PG_RESTORE, ['--list', file]);
    expect(stdout).toContain('TABLE DATA public locations');

    const [{ id }] = await query('apotheca', "select id from backups where database_name = 'BAKAWAY'");
    const kept = join(server.dataDir(), 'backups', `${id}.dump`);
    expect(existsSync(kept)).toBe(true);
    await backup.getByRole('button', { name: /^Delete/ }).press('Enter');
    const confirmation = page.getByRole('dialog', { name: 'Delete Backup' });
    await confirmation.getByRole('button', { name: 'Delete backup' }).click();
    await expectToast(page, 'The backup is deleted.');
    await expect(backup).toHaveCount(0);
    expect(existsSync(kept)).toBe(false);
    await expect(confirmation).toBeHidden();
    // By its button: Escape is for the confirmation a moment longer, and with its row gone no focus tells the end of that.
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(dialog).toBeHidden();

    await page.getByRole('button', { name: 'Restore Database' }).click();
    await dialog.getByRole('tab', { name: 'Upload an archive' }).click();
    const archive = dialog.getByLabel('Archive', { exact: true });
    await archive.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no archive') });
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await expect(archive).toHaveAccessibleDescription(/archive/);
    await expect(archive).toHaveAttribute('aria-invalid', 'true');

    await archive.setInputFiles(file);
    await dialog.getByLabel('Name in the list').fill('bakaway back');
    await dialog.getByRole('button', { name: 'Upload' }).click();
    await expectToast(page, 'BAKAWAY BACK is uploaded and chosen.');
    await expect(dialog.getByRole('radio', { name: 'BAKAWAY BACK' })).toBeChecked();
    await dialog.getByLabel('Database Name').fill('bakaway two');
    await dialog.getByRole('button', { name: /^(Restore|Replace)\b/ }).click();
    await expectToast(page, 'Success! BAKAWAY TWO has been restored.');
    expect(await locationsOf('BAKAWAY TWO')).toEqual(['Olympia']);
  });
});
