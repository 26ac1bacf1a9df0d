import { distantHour, endSchedule, makeLate, openSchedules } from '../backup-schedules-screen.ts';
import { databaseRow, openDatabases } from '../databases-screen.ts';
import { expect, expectNothingUnsaved, expectToast, test } from '../fixtures.ts';
import { addTenant, openManageTenant } from '../manage-tenant-screen.ts';

const SAVED = 'Success! The backup schedule has been saved.';

test('a tenant gets a schedule of its own in Manage Tenant; an unsaved one is not lost unasked [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'SCHEDOWN');
  const modal = await openManageTenant(page, 'SCHEDOWN', 'Database Setting');
  const frequency = modal.getByLabel('Frequency');
  await expect(frequency).toHaveValue('default');
  await frequency.selectOption('Weekly');
  await modal.getByLabel('Hour').selectOption(distantHour());
  await modal.getByRole('tab', { name: 'Permissions' }).click();
  for (const close of [
    () => page.keyboard.press('Escape'),
    () => modal.getByRole('button', { name: 'Close', exact: true }).last().click(),
  ]) {
    await close();
    await expect(modal.getByText('Discard changes?')).toBeVisible();
    await modal.getByRole('button', { name: 'Keep editing' }).click();
  }
  await modal.getByRole('tab', { name: 'Database Setting' }).click();
  await modal.getByLabel('Weekday').selectOption('Wednesday');
  await modal.getByLabel('Weekly Backups').fill('261');
  await modal.getByRole('button', { name: 'Save schedule' }).click();
  await expect(modal.getByText('Weekly Backups should be a whole number from 0 to 260')).toBeVisible();
  await modal.getByLabel('Weekly Backups').fill('5');
  await Promise.all([expectToast(page, SAVED), modal.getByRole('button', { name: 'Save schedule' }).click()]);
  await expect(modal.getByText('Next Run')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(modal).toBeHidden();

  await openDatabases(page);
  const schedules = await openSchedules(page, 'Databases');
  await expect(databaseRow(page, 'SCHEDOWN').filter({ hasText: 'Weekly' })).toContainText('Its own');
  await page.keyboard.press('Escape');
  await expect(schedules).toBeHidden();
  await endSchedule('SCHEDOWN');
});

test('on a phone a card says how often, and nothing of what there is not [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'SCHEDCARD');
  await openDatabases(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(databaseRow(page, 'SCHEDCARD')).toContainText('No backup');
  const schedules = await openSchedules(page, 'Databases');
  const card = schedules.getByRole('row').filter({ hasText: 'SCHEDCARD' });
  await expect(card.getByText('Off')).toBeVisible();
  const absent = card.locator('.absent');
  await expect(absent).toHaveText(['None', 'None yet']);
  for (const each of await absent.all()) await expect(each).toBeHidden();
});

test('the default schedule counts for a tenant that has none of its own [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'SCHEDDEF');
  await openDatabases(page);
  const schedules = await openSchedules(page, 'Default');
  const row = schedules.getByRole('row').filter({ hasText: 'SCHEDDEF' });
  const set = async (frequency: string) => {
    await schedules.getByRole('tab', { name: 'Default' }).click();
    await schedules.getByLabel('Frequency').selectOption(frequency);
    if (frequency !== 'Off') await schedules.getByLabel('Hour').selectOption(distantHour());
    await Promise.all([expectToast(page, SAVED), schedules.getByRole('button', { name: 'Save schedule' }).click()]);
    await schedules.getByRole('tab', { name: 'Databases' }).click();
    await expect(row).toContainText(frequency);
  };
  await set('Daily');
  await expect(row).not.toContainText('Its own');
  await set('Off');
});

test('the dashboard warns of a database whose backup is late, and leads to the reason [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'SCHEDLATE');
  const modal = await openManageTenant(page, 'SCHEDLATE', 'Database Setting');
  await modal.getByLabel('Frequency').selectOption('Daily');
  await Promise.all([expectToast(page, SAVED), modal.getByRole('button', { name: 'Save schedule' }).click()]);
  await makeLate('SCHEDLATE');
  await expectNothingUnsaved(page);
  await page.goto('/');
  const late = page.getByRole('region', { name: /as its schedule wants|as their schedules want/ });
  await expect(late).toContainText('SCHEDLATE');
  // By key: what other tests add to the dashboard moves it while it is pressed.
  await late.getByRole('link', { name: /^Show all/ }).press('Enter');
  await expect(databaseRow(page, 'SCHEDLATE')).toBeVisible();
  const schedules = await openSchedules(page, 'Databases');
  const row = schedules.getByRole('row').filter({ hasText: 'SCHEDLATE' });
  await expect(row).toContainText('Failed');
  await expect(row).toContainText('Late');
  await page.keyboard.press('Escape');
  await expect(schedules).toBeHidden();

  await page.goto('/tenants?q=SCHEDLATE');
  const again = await openManageTenant(page, 'SCHEDLATE', 'Database Setting');
  await expect(again.getByText('There is no space left on the disk.')).toBeVisible();
  await endSchedule('SCHEDLATE');
});
