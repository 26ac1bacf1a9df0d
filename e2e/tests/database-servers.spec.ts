import { expect, expectAccessible, expectToast, test } from '../fixtures.ts';

test.describe('database servers', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('a server that cannot be reached is refused at its field; the home server is checked, limited and drained [§2.30]', async ({
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

    for (const [action, state] of [
      ['Drain', 'Draining'],
      ['Activate', 'Active'],
    ] as const) {
      await row.getByRole('button', { name: 'More actions for Home' }).click();
      await page.getByRole('menuitem', { name: `${action} Home` }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `${action} server` })
        .click();
      await expect(row).toContainText(state);
    }
    await row.getByRole('button', { name: 'Edit Home' }).click();
    await edit.getByLabel('Capacity').fill('');
    await edit.getByRole('button', { name: 'Save' }).click();
    await expect(row).toContainText('without limit');
  });
});
