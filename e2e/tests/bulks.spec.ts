import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectNoOperation } from '../databases-screen.ts';
import { expect, expectAccessibleAtAnyWidth, expectNothingUnsaved, expectToast, signIn, test } from '../fixtures.ts';
import { inTurn, MANY_DATABASES, query } from '../postgres.ts';
import { createTenant, tenantRow } from '../tenants-screen.ts';
import { createUser, PASSWORD, userRow } from '../users-screen.ts';

// What a Viewer may not do, and a field that is missing.
test.use({ expectedErrors: [/status of 40[03]/] });

const select = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
const tenant = (code: string) => `${code} Clinic`;

async function createTenants(page: Page, ...codes: string[]): Promise<void> {
  await page.goto('/tenants');
  for (const code of codes) {
    await createTenant(page, code);
    await expect(tenantRow(page, code.toUpperCase())).toBeVisible();
    await expectNothingUnsaved(page);
  }
}

test('many tenants are deactivated, extended and synced, each with its result [§2.25]', async ({ signedIn: page }) => {
  await createTenants(page, 'many1', 'many2', 'many3');
  await page.goto('/tenants?q=many');
  await select(page, tenant('many1')).click();
  await select(page, tenant('many3')).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await expect(bar.getByRole('status')).toHaveText('3 match, 3 selected');
  await expectAccessibleAtAnyWidth(page);
  await bar.getByRole('button', { name: 'Deactivate' }).click();
  const deactivate = page.getByRole('dialog', { name: 'Deactivate Tenants' });
  await expect(deactivate.getByText('3 tenants will be deactivated.')).toBeVisible();
  await expect(deactivate.getByText(/their programs can no longer connect/)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await deactivate.getByRole('button', { name: 'Deactivate 3 tenants' }).click();
  await expectToast(page, '3 tenants deactivated.');
  await expect(deactivate.getByText('3 done.')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await deactivate.getByRole('button', { name: 'Close' }).last().click();
  await expect(tenantRow(page, 'MANY2')).toContainText('Inactive');

  await bar.getByRole('button', { name: 'Extend' }).click();
  const extend = page.getByRole('dialog', { name: 'Extend Tenants' });
  await extend.getByRole('button', { name: 'Continue' }).click();
  await expect(extend.getByText('Expiry Date must be a date')).toBeVisible();
  await extend.getByLabel('Expiry Date').fill('2031-12-31');
  await extend.getByRole('button', { name: 'Continue' }).click();
  await extend.getByRole('button', { name: 'Extend 3 tenants' }).click();
  await expectToast(page, '3 tenants extended.');
  await extend.getByRole('button', { name: 'Close' }).last().click();
  await expect(tenantRow(page, 'MANY2')).toContainText('2031-12-31');

  await bar.getByRole('button', { name: 'Sync permissions' }).click();
  const sync = page.getByRole('dialog', { name: 'Sync permissions of Tenants' });
  await sync.getByRole('button', { name: 'Sync permissions of 3 tenants' }).click();
  await expectToast(page, '3 tenants synced.');
  await sync.getByRole('button', { name: 'Close' }).last().click();
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await expect(bar).toBeHidden();
});

/** Chooses a deed of the bar of selected rows, and confirms it. @param asked what the confirming button says */
async function doToSelected(page: Page, deed: string, asked: string, told: string) {
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: deed, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${deed}`) });
  await dialog.getByRole('button', { name: asked, exact: true }).click();
  await expectToast(page, told);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
}

test('many tenants are activated, backed up and downloaded, many databases upgraded, many users deactivated and activated [§2.25]', async ({
  signedIn: page,
}) => {
  await createTenants(page, 'each1', 'each2');
  await page.goto('/tenants?q=each');
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await doToSelected(page, 'Deactivate', 'Deactivate 2 tenants', '2 tenants deactivated.');
  await doToSelected(page, 'Activate', 'Activate 2 tenants', '2 tenants activated.');
  await expect(tenantRow(page, 'EACH1')).not.toContainText('Inactive');
  await expectNoOperation('EACH1', 'EACH2');
  await inTurn(MANY_DATABASES, () => doToSelected(page, 'Back up', 'Back up 2 tenants', '2 databases backed up.'));
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download selected' }).click();
  const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split(/\r?\n/);
  expect(lines).toHaveLength(3);
  expect(lines.slice(1).map((line) => /EACH\d/.exec(line)?.[0])).toEqual(['EACH1', 'EACH2']);

  // An upgrade that has failed is not begun again by the server itself.
  await query(
    'apotheca',
    `with outdated as (
       update databases set schema_version = schema_version - 1 where name in ('EACH1', 'EACH2') returning id, name
     )
     insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, step, percent, cancellable,
       cancel_requested, attempts, size_bytes, message, created_at, finished_at)
     select gen_random_uuid(), 'upgrade', id, name, '{}', 'server', 'server', 'failed', array['Upgrade'], 0, 0, false,
       false, 1, 0, 'It was in the way.', now(), now() from outdated`,
  );
  await page.goto('/database?q=each');
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await inTurn(MANY_DATABASES, () => doToSelected(page, 'Upgrade', 'Upgrade 2 databases', '2 databases upgraded.'));
  const versions =
    "select name from databases where name in ('EACH1', 'EACH2') and schema_version = (select max(schema_version) from databases)";
  expect(await query('apotheca', versions)).toHaveLength(2);

  await page.goto('/users');
  await createUser(page, 'eachone', 'Viewer');
  await createUser(page, 'eachtwo', 'Viewer');
  await page.goto('/users?q=each');
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await doToSelected(page, 'Deactivate', 'Deactivate 2 users', '2 users deactivated.');
  await expect(userRow(page, 'eachone')).toContainText('Inactive');
  await doToSelected(page, 'Activate', 'Activate 2 users', '2 users activated.');
  await expect(userRow(page, 'eachone')).not.toContainText('Inactive');
});

test('many databases are backed up by keyboard alone [§2.25]', async ({ signedIn: page }) => {
  await createTenants(page, 'board1', 'board2');
  await page.goto('/database?q=board');
  await select(page, 'BOARD1').focus();
  await page.keyboard.press('Space');
  await select(page, 'BOARD2').focus();
  await page.keyboard.press('Shift+Space');
  await expect(page.getByText('2 match, 2 selected')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Back up Databases' });
  await inTurn(MANY_DATABASES, async () => {
    await page.getByRole('button', { name: 'Back up', exact: true }).focus();
    await page.keyboard.press('Enter');
    const deed = dialog.getByRole('button', { name: 'Back up 2 databases' });
    await expect(deed).toBeEnabled();
    await deed.press('Enter');
    await expectToast(page, '2 databases backed up.');
  });
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const backups = await query(
    'apotheca',
    "select database_name from backups where database_name like 'BOARD%' and state = 'ready' order by database_name",
  );
  expect(backups).toEqual([{ database_name: 'BOARD1' }, { database_name: 'BOARD2' }]);
});

test('many users get a role; those who may not be changed say why; a Viewer may change none [§2.25]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await page.goto('/users');
  await createUser(page, 'manyone', 'Viewer');
  await createUser(page, 'manytwo', 'Viewer');
  await page.goto('/users');
  await page.getByRole('checkbox', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: 'Assign role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Assign role to Users' });
  await dialog.getByLabel('Access Role').selectOption('Viewer');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByText('You cannot change your own user role.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Clear selection' }).click();
  // By key: users that other tests add move a row while it is pressed.
  await userRow(page, 'manyone').getByRole('checkbox').press('Space');
  await userRow(page, 'manytwo').getByRole('checkbox').press('Space');
  await page.getByRole('button', { name: 'Assign role' }).click();
  await dialog.getByLabel('Access Role').selectOption('Operator');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('button', { name: 'Assign role to 2 users' }).click();
  await expectToast(page, '2 users given another role.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(userRow(page, 'manyone')).toContainText('Operator');

  await createUser(page, 'manyless', 'Viewer');
  const other = await openBrowser();
  await signIn(other, { username: 'manyless', password: PASSWORD });
  await other.goto('/tenants');
  await other.getByRole('checkbox', { name: /^Select all/ }).click();
  await other.getByRole('button', { name: 'Deactivate', exact: true }).press('Enter');
  await expectToast(other, /permission/);
});
