import { endSchedule, makeLate, openSchedules } from '../backup-schedules-screen.ts';
import {
  backUp,
  chooseDatabaseAction,
  createDatabase,
  databaseRow,
  deleteClone,
  openBackup,
  openDatabases,
  openParked,
} from '../databases-screen.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleAtAnyWidth,
  expectFocusIn,
  expectNothingUnsaved,
  expectToast,
  test,
} from '../fixtures.ts';
import { addTenant, openManageTenant } from '../manage-tenant-screen.ts';

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

test('parked databases, with their dialogs [DECISIONS §13]', async ({ signedIn: page }) => {
  const dialog = page.getByRole('dialog');
  await createDatabase(page, 'AXEPARK');
  await databaseRow(page, 'AXEPARK')
    .getByRole('button', { name: /^clone/i })
    .click();
  await dialog.getByRole('textbox').fill('AXEPARK COPY');
  await dialog.getByRole('button', { name: 'Clone' }).click();
  await expect(dialog).toBeHidden();
  await deleteClone(page, 'AXEPARK COPY');
  const parked = await openParked(page, 'AXEPARK COPY');
  await expectAccessibleAtAnyWidth(page);
  for (const [button, title] of [
    [/^Put back/, 'Put Database Back'],
    [/^Remove/, 'Remove Database Now'],
  ] as const) {
    // By key: what other tests park moves the row while it is pressed.
    await parked.getByRole('button', { name: button }).press('Enter');
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: title })).toBeHidden();
    await expectFocusIn(page.getByRole('dialog', { name: 'Parked Databases' }));
  }
});

test('an anonymized clone is made and refreshed, with its dialogs [DECISIONS §13]', async ({ signedIn: page }) => {
  const name = 'AXESTAGE';
  const clone = `${name} TEST`;
  await createDatabase(page, name);
  await chooseDatabaseAction(page, name, /anonymized/);
  const cloning = page.getByRole('dialog', { name: 'Clone Database Anonymized' });
  await cloning.getByRole('textbox').fill(clone);
  await expectAccessibleAtAnyWidth(page);
  await cloning.getByRole('button', { name: `Clone ${name} anonymized` }).click();
  await expect(databaseRow(page, clone)).toContainText('Anonymized');
  await expect(cloning).toBeHidden();

  await chooseDatabaseAction(page, clone, /^Refresh/);
  const refreshing = page.getByRole('dialog', { name: 'Refresh Anonymized Clone' });
  await refreshing.getByLabel('Frequency').selectOption('weekly');
  await refreshing.getByRole('button', { name: 'Save schedule' }).click();
  await expectToast(page, 'The refresh schedule has been saved');
  await expectAccessibleAtAnyWidth(page);
  await refreshing.getByRole('button', { name: 'Refresh now' }).click();
  const confirming = page.getByRole('dialog', { name: 'Replace Rows' });
  await confirming.getByRole('textbox').fill(clone);
  await expectAccessibleAtAnyWidth(page);
  await confirming.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expectToast(page, `${clone} has been refreshed from ${name}`);
  await expect(refreshing).toBeHidden();
});

test('schedules of backups, and what is said of a late one [DECISIONS §13]', async ({ signedIn: page }) => {
  const name = 'AXEPLAN';
  await addTenant(page, name);
  const modal = await openManageTenant(page, name, 'Database Setting');
  await modal.getByLabel('Frequency').selectOption('Daily');
  const saved = expectToast(page, 'Success! The backup schedule has been saved.');
  await modal.getByRole('button', { name: 'Save schedule' }).click();
  await saved;
  await makeLate(name);
  await expectNothingUnsaved(page);
  await page.goto('/');
  await expect(page.getByRole('main')).toContainText(name);
  await expectAccessibleAtAnyWidth(page);
  await openDatabases(page);
  const schedules = await openSchedules(page, 'Databases');
  await expect(schedules.getByRole('row').filter({ hasText: name })).toContainText('Late');
  await expectAccessibleAtAnyWidth(page);
  await schedules.getByRole('tab', { name: 'Default' }).click();
  await schedules.getByLabel('Frequency').selectOption('Weekly');
  await schedules.getByLabel('Weekly Backups').fill('999');
  await page.keyboard.press('Escape');
  await expect(schedules.getByText('Discard changes?')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await schedules.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect(schedules).toBeHidden();
  await endSchedule(name);
});

test('a point in time of a database, where it can be chosen and where it cannot [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Restore to a Point in Time' });
  await createDatabase(page, 'AXEMOMENT');
  await chooseDatabaseAction(page, 'AXEMOMENT', /to a point in time/);
  await expect(dialog.getByText(/DATABASE_URL|APOTHECA_WAL_ARCHIVE/)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  // The server of these tests has no archive.
  const result = {
    earliestOnUtc: '2026-03-01T09:30:01.000Z',
    latestOnUtc: '2026-03-04T09:30:00.000Z',
    missing: '',
    warning: 'Changes have not been archived since 2026-03-04 09:30:00 UTC: the folder may be full or away.',
  };
  await page.route('**/managedatabase/moments', (route) =>
    route.fulfill({ json: { status: 200, success: true, message: 'OK', result } }),
  );
  await chooseDatabaseAction(page, 'AXEMOMENT', /to a point in time/);
  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog.getByText('Point in Time is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('backups, restoring and the activity panel [§2.13] [DECISIONS §8]', async ({ signedIn: page }) => {
  const name = 'AXEBAK';
  const dialog = page.getByRole('dialog');
  await createDatabase(page, name);
  await backUp(page, name);

  const backup = await openBackup(page, name);
  await expectAccessibleAtAnyWidth(page);
  // By key: backups that other tests make move the row while it is pressed.
  await backup.getByRole('button', { name: /^Delete/ }).press('Enter');
  const deletion = page.getByRole('dialog', { name: 'Delete Backup' });
  await expect(deletion).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(deletion).toBeHidden();
  await expectFocusIn(page.getByRole('dialog', { name: 'Backups' }));
  await backup.getByRole('button', { name: /^Restore/ }).press('Enter');
  await expect(dialog.getByLabel('Name of the replaced database')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('tab', { name: 'Upload an archive' }).click();
  await dialog.getByLabel('Name in the list').fill(name);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(dialog.getByText('Archive is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: /^Activity/ }).click();
  const panel = page.getByRole('complementary', { name: 'Activity' });
  await expect(panel.getByText(`Backup of ${name}`)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});
