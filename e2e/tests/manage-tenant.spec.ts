import { expect, expectFocusIn, expectToast, test } from '../fixtures.ts';
import { addTenant, anonymize, openManageTenant, purge } from '../manage-tenant-screen.ts';
import { physicalName, placesOf, query, queryAs } from '../postgres.ts';
import { insertRows } from '../tenant-rows.ts';

const DATA = 'Delete Transaction Data & Reseed';

const namesIn = async (database: string, table: 'locations' | 'users') =>
  (await query(database, `select ${table === 'users' ? 'user_name' : 'name'} as name from ${table} order by 1`)).map(
    (row) => row.name,
  );

test('a tenant is backed up and its permissions are synced [§2.8]', async ({ signedIn: page }) => {
  await addTenant(page, 'MANKEEP');
  const modal = await openManageTenant(page, 'MANKEEP', 'Database Setting');
  await expect(modal.getByText(/^No backups yet/)).toBeVisible();
  await modal.getByRole('button', { name: 'Backup Database' }).click();
  await expect(modal.getByText('The backup is made')).toBeVisible();
  const [backup] = await query('apotheca', "select sha256 from backups where database_name = 'MANKEEP'");
  await expect(modal.getByRole('listitem')).toContainText(backup.sha256.slice(0, 12));

  await modal.getByRole('tab', { name: 'Permissions' }).click();
  await modal.getByRole('button', { name: 'Sync Permissions' }).click();
  await expectToast(page, 'Permission synced for MANKEEP');
});

test('a login is revealed, works, and is rotated: the old one ends at once [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'MANLOGIN');
  const modal = await openManageTenant(page, 'MANLOGIN', 'Connection');
  const logins = modal.getByRole('region', { name: 'Read and write' });
  const credentials = page.getByRole('dialog', { name: 'Credentials' });
  const reveal = async () => {
    await logins.getByRole('button', { name: 'Reveal' }).click();
    const url = await credentials.getByRole('region', { name: 'Connection string' }).locator('code').innerText();
    await credentials.getByRole('button', { name: 'Done' }).click();
    await expect(credentials).toBeHidden();
    return url;
  };
  const old = await reveal();
  expect(
    await queryAs(old, "insert into locations (code, name, kind) values ('L', 'Lab', 'clinic') returning name"),
  ).toEqual([{ name: 'Lab' }]);
  await expect(logins.getByRole('listitem')).toHaveCount(1);

  await logins.getByRole('button', { name: 'Rotate' }).click();
  const rotation = page.getByRole('dialog', { name: 'Rotate Login' });
  await rotation.getByLabel('The old login stays valid').selectOption('Not at all: it ends now');
  await rotation.getByRole('button', { name: 'Rotate' }).click();
  await expectToast(page, 'Success! There is a new login. The old one has ended.');
  await expect(rotation).toBeHidden();
  await expect(queryAs(old, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect(await queryAs(await reveal(), 'select name from locations')).toEqual([{ name: 'Lab' }]);
});

test('tables are purged, except those that must stay, and put back [§2.8]', async ({ signedIn: page }) => {
  await addTenant(page, 'MANPURGE');
  const database = await physicalName('MANPURGE');
  await insertRows(database);

  const modal = await openManageTenant(page, 'MANPURGE', DATA);
  const checkAll = modal.getByRole('checkbox', { name: 'Check All / None' });
  const plan = modal.getByRole('region', { name: 'What will happen' });
  await expect(modal.getByRole('button', { name: 'Proceed' })).toBeDisabled();
  await checkAll.check();
  await expect(modal.getByText('37 of 37')).toBeVisible();
  await expect(modal.getByRole('button', { name: 'Delete data from 37 tables' })).toBeEnabled();
  await checkAll.uncheck();
  await expect(modal.getByText('0 of 37')).toBeVisible();
  await expect(modal.getByRole('button', { name: 'Proceed' })).toBeDisabled();

  for (const name of ['locations', 'users']) await modal.getByRole('checkbox', { name, exact: true }).check();
  await expect(plan).toContainText('users stays: otps has 1 row that refers to it');
  await expect(modal.getByRole('button', { name: 'Delete data from 1 table' })).toBeEnabled();
  await purge(page, modal, 'MANPURGE', []);

  const results = modal.getByRole('region', { name: 'Results' });
  await expect(results.getByRole('heading')).toHaveText([
    'Deleted Tables (1)',
    'Invalid Tables (0)',
    'Not Deleted Tables (1)',
  ]);
  await expect(results.getByRole('listitem')).toContainText(['2 rows deleted', 'users stays']);
  expect(await namesIn(database, 'locations')).toEqual([]);
  expect(await namesIn(database, 'users')).toEqual(['ines']);

  const kept = modal.getByRole('region', { name: 'Put back' });
  await expect(kept).toContainText('2 rows of 1 table');
  await kept.getByRole('button', { name: 'Put back' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Put Rows Back' });
  await confirmation.getByRole('button', { name: 'Put back 1 table' }).click();
  await expect(kept.getByRole('status')).toHaveText(/^Success! 2 rows of 1 table were put back/);
  expect(await namesIn(database, 'locations')).toEqual(['Ward A', 'Ward B']);
});

test.describe('putting back where new rows have the same keys', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is refused, and succeeds at a retry once they are gone [DECISIONS §8] [DECISIONS §9]', async ({
    signedIn: page,
  }) => {
    await addTenant(page, 'MANRETRY');
    const database = await physicalName('MANRETRY');
    await insertRows(database);
    const modal = await openManageTenant(page, 'MANRETRY', DATA);
    await purge(page, modal, 'MANRETRY', ['locations']);
    await query(database, "insert into locations (code, name, kind) values ('A', 'New ward', 'room')");

    await modal.getByRole('region', { name: 'Put back' }).getByRole('button', { name: 'Put back' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Put Rows Back' });
    await confirmation.getByRole('button', { name: 'Put back 1 table' }).click();
    await expect(confirmation).toContainText('locations has new rows with the keys of kept ones');
    await expect(confirmation.getByRole('button', { name: 'Retry' })).toBeVisible();
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await expect(confirmation).toBeHidden();
    await expectFocusIn(modal);
    await page.keyboard.press('Escape');
    await expect(modal).toBeHidden();
    expect(await namesIn(database, 'locations')).toEqual(['New ward']);

    await query(database, 'delete from locations');
    await page.getByRole('button', { name: /^Activity/ }).click();
    const entries = page
      .getByRole('complementary', { name: 'Activity' })
      .getByRole('listitem')
      .filter({ hasText: 'Putting rows back into MANRETRY' });
    await expect(entries).toContainText('Failed');
    await expect(entries).toContainText('Nothing was put back.');
    // By key: an entry that comes in above, of another test, moves it before the pointer is there.
    await entries.getByRole('button', { name: 'Retry: Putting rows back into MANRETRY' }).press('Enter');
    await expect(entries.filter({ hasText: 'Succeeded' })).toHaveCount(1);
    expect(await namesIn(database, 'locations')).toEqual(['Ward A', 'Ward B']);
  });
});

test('an anonymized tenant’s database contains its people’s names nowhere [§2.8] [DECISIONS §9]', async ({
  signedIn: page,
}) => {
  const name = 'Zbigniewa';
  await addTenant(page, 'MANMASK');
  const database = await physicalName('MANMASK');
  // Several rows, so that the planner's samples contain the name too.
  await query(
    database,
    `insert into patients (medical_record_number, first_name, last_name, birth_date, sex, notes)
     select 'MRN-' || n, $1, 'Brzeczek', '1971-03-09', 'female', 'Call ' || $1 from generate_series(1, 5) n`,
    [name],
  );
  await query(
    database,
    "insert into athena_persons (external_id, first_name, last_name, payload) values ('88120077', $1, 'Brzeczek', jsonb_build_object('name', $1::text))",
    [name],
  );
  await query(database, 'analyze');
  expect(await placesOf(database, name)).toEqual(expect.arrayContaining(['patients', 'athena_persons', 'statistics']));

  const modal = await openManageTenant(page, 'MANMASK', DATA);
  await modal.getByRole('button', { name: 'DB Anonymization' }).click();
  await anonymize(page, modal, 'MANMASK');
  const report = modal.getByRole('region', { name: 'Anonymization report' });
  await expect(report).toContainText('6 rows in');
  await expect(report).toContainText(/looked for [\d,]+ old values in [\d,]+ columns and found none/);
  expect(await placesOf(database, name)).toEqual([]);
  expect(await placesOf('apotheca', name)).toEqual([]);
  expect(await query(database, 'select count(*)::int as count from patients')).toEqual([{ count: 5 }]);
});
