import type { Page } from '@playwright/test';
import { chooseForAll, openDatabases } from '../databases-screen.ts';
import { expect, expectAccessible, expectNoDialog, expectNothingUnsaved, expectToast, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { inTurn, MANY_DATABASES, query } from '../postgres.ts';
import { type SecondServer, startSecondServer } from '../second-server.ts';

test.describe('database servers', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('a server that cannot be reached is refused at its field; the home server is checked and limited [§2.30]', async ({
    signedIn: page,
  }) => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Database Servers' }).click();
    await expect(page.getByRole('heading', { name: 'Database Servers', level: 1 })).toBeVisible();
    const row = page.getByRole('row', { name: /Home/ });
    await expect(row).toContainText('127.0.0.1:');

    await page.getByRole('button', { name: 'Create Database Server' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create Database Server' });
    await form.getByLabel('Name', { exact: true }).fill('Nowhere');
    await form.getByLabel('Host').fill('127.0.0.1');
    await form.getByLabel('Port').fill('1');
    await form.getByLabel('User Name').fill('apotheca');
    await form.getByLabel('Password', { exact: true }).fill('hush hush');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(form.getByText(/^The server cannot be reached: /).first()).toBeVisible();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).click();

    await row.getByRole('button', { name: 'Check Home' }).click();
    const check = page.getByRole('dialog', { name: 'Check Database Server' });
    await expect(check.getByText('Built with ICU')).toBeVisible();
    await expect(check.getByText('Failed')).toHaveCount(0);
    await check.getByRole('button', { name: 'Close' }).last().click();

    await row.getByRole('button', { name: 'Edit Home' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Database Server' });
    await expect(edit.getByLabel('Host')).toHaveCount(0);
    await edit.getByLabel('Capacity').fill('500');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expectToast(page, 'Success! Database server has been updated.');
    await expect(row).toContainText('of 500');

    await row.getByRole('button', { name: 'Edit Home' }).click();
    await edit.getByLabel('Capacity').fill('');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('without limit');
  });
});

let second: SecondServer;
test.beforeAll(async () => {
  second = await startSecondServer();
});
test.afterAll(() => second.stop());

const serverRow = (page: Page) => page.getByRole('row', { name: /Second/ });
const serverOf = async (code: string) =>
  (
    await query(
      'apotheca',
      'select s.name from databases d join database_servers s on s.id = d.server_id where d.name = $1',
      [code],
    )
  )[0]?.name;

async function chooseForServer(page: Page, action: string): Promise<void> {
  await expectNoDialog(page);
  await serverRow(page).getByRole('button', { name: 'More actions for Second' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a tenant moves to another server on its page, and back as that server is drained, emptied and deleted [§2.30] [§2.31]', async ({
  signedIn: page,
}) => {
  await page.goto('/database-servers');
  await page.getByRole('button', { name: 'Create Database Server' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create Database Server' });
  await form.getByLabel('Name', { exact: true }).fill('Second');
  // The home server is without limit, so nothing else is placed there.
  await form.getByLabel('Capacity').fill('1');
  await form.getByLabel('Host').fill('127.0.0.1');
  await form.getByLabel('Port').fill(String(second.port));
  await form.getByLabel('User Name').fill('postgres');
  await form.getByLabel('Password', { exact: true }).fill(second.password);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(serverRow(page)).toContainText('of 1');
  await expect(serverRow(page)).toContainText('Active');

  await addTenant(page, 'MOVER');
  await page.goto('/tenants/MOVER');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Move to Another Server' });
  await dialog.getByLabel('Database Server').selectOption('Second');
  await expect(dialog.getByText(/copies its rows while its programs go on/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Move MOVER' }).click();
  await expectToast(page, /^Success! MOVER has been moved to Second/);
  await expect(dialog).toBeHidden();
  expect(await serverOf('MOVER')).toBe('Second');
  await expectNothingUnsaved(page);

  await page.goto('/database-servers');
  for (const [action, state] of [
    ['Drain', 'No new tenants'],
    ['Activate', 'Active'],
    ['Drain', 'No new tenants'],
  ] as const) {
    await chooseForServer(page, `${action} Second`);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: `${action} server` })
      .click();
    await expect(serverRow(page)).toContainText(state);
  }
  const bulk = page.getByRole('dialog');
  await inTurn(MANY_DATABASES, async () => {
    await chooseForServer(page, 'Move all databases of Second to other servers');
    await bulk.getByRole('button', { name: /^Move/ }).click();
    await expectToast(page, /database moved/);
  });
  await expect(bulk.getByText('one done.')).toBeVisible();
  await bulk.getByRole('button', { name: 'Close' }).last().click();
  expect(await serverOf('MOVER')).toBe('Home');

  // What it was on either server is kept, and a server that has something is not deleted.
  await openDatabases(page);
  await chooseForAll(page, 'Parked Databases');
  const parked = page
    .getByRole('dialog', { name: 'Parked Databases' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: 'MOVER', exact: true }) });
  await expect(parked).toHaveCount(2);
  for (const left of [1, 0]) {
    // By key: what other tests park moves the row while it is pressed.
    await parked
      .first()
      .getByRole('button', { name: /^Remove/ })
      .press('Enter');
    const question = page.getByRole('dialog', { name: 'Remove Database Now' });
    await question.getByRole('textbox').pressSequentially('MOVER');
    await question.getByRole('button', { name: 'Remove MOVER now' }).click();
    await expect(parked).toHaveCount(left);
    await expect(question).toBeHidden();
  }
  await page.goto('/database-servers');
  await chooseForServer(page, 'Delete Second');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click();
  await expect(serverRow(page)).toHaveCount(0);
});
