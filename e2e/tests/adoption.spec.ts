import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseForAll, databaseRow, openDatabases } from '../databases-screen.ts';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, expectNoDialog, test } from '../fixtures.ts';
import { physicalName, query } from '../postgres.ts';
import { postgresUrl } from '../server.ts';

const PG_DUMP = join(process.env.PG_BIN_DIR ?? '', 'pg_dump');

/** The archive of a small practice that another system has kept. */
async function dumpClinic(path: string): Promise<void> {
  await query('postgres', 'create database clinic_of_another');
  await query(
    'clinic_of_another',
    `create table "Location" (id int, code text, title text, kind text, colour text);
     insert into "Location" values (1, 'MAIN', 'Main Street', 'clinic', 'red'), (2, 'N', 'North', 'clinic', null),
       (3, 'N', 'North again', 'clinic', null);
     create table invoices (id int);
     insert into invoices values (1)`,
  );
  await promisify(execFile)(PG_DUMP, ['-Fc', `--file=${path}`, `--dbname=${postgresUrl('clinic_of_another')}`]);
  await query('postgres', 'drop database clinic_of_another');
}

test('a database of another system is inspected, mapped and adopted, and its rejected rows downloaded [§2.13]', async ({
  dashboard: page,
}, testInfo) => {
  const dialog = page.getByRole('dialog', { name: 'Adopt Database' });
  const archive = testInfo.outputPath('clinic.dump');
  await dumpClinic(archive);
  await openDatabases(page);
  await chooseForAll(page, 'Adopt Database');
  await dialog.getByRole('tab', { name: 'On a server' }).click();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('tab', { name: 'In an archive' }).click();
  await dialog.getByLabel('Archive', { exact: true }).setInputFiles(archive);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Inspect' }).click();

  await expect(dialog.getByText('1 mapped')).toBeVisible();
  await expect(dialog.getByText('Every row will be rejected, as nothing fills name.')).toBeVisible();
  // By the keyboard alone.
  await dialog.getByText('Columns of locations').focus();
  await page.keyboard.press('Enter');
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('combobox', { name: 'name', exact: true }).selectOption('title');
  await expect(dialog.getByText('Left out: colour.')).toBeVisible();
  await expect(dialog.getByText(/^Every row will be rejected/)).toHaveCount(0);
  await dialog.getByLabel('New Database Name').fill('adopted');
  await dialog.getByRole('button', { name: 'Adopt database' }).click();

  await expect(dialog.getByText('1 row was rejected.', { exact: false })).toBeVisible();
  await expect(dialog.getByRole('row', { name: 'locations 3 2 1' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download rejected rows' }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain('Key (code)=(N) already exists.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(databaseRow(page, 'ADOPTED')).toBeVisible();
  await expectNoDialog(page);
  // By key: databases that other tests add move the row while it is pressed.
  await databaseRow(page, 'ADOPTED').getByRole('button', { name: /^view/i }).press('Enter');
  const view = page.getByRole('dialog', { name: 'View Database' });
  await view.getByRole('button', { name: 'Delete rejected rows' }).click();
  await page.getByRole('dialog', { name: 'Delete Rejected Rows' }).getByRole('button', { name: 'Delete rows' }).click();
  await expect(view.getByRole('button', { name: 'Download rejected rows' })).toHaveCount(0);
  const rows = await query(await physicalName('ADOPTED'), 'select name from locations order by id');
  expect(rows.map(({ name }) => name)).toEqual(['Main Street', 'North']);
});
