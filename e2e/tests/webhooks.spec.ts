import { expect, expectNoDialog, expectToast, test } from '../fixtures.ts';

test.describe('webhooks and alerts', () => {
  test.use({ expectedErrors: [/status of 400/] });

  test('a webhook is made, tested, given a new secret and deleted; an address inside is refused [DECISIONS §13]', async ({
    signedIn: page,
  }) => {
    await page.goto('/audit');
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('button', { name: 'Create Webhook' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create Webhook' });
    await form.getByLabel('Name').fill('Night shift');
    await form.getByLabel('Kind').selectOption({ label: 'Events as signed JSON, for a program' });
    await form.getByLabel('Address').fill('https://127.0.0.1/in');
    await form.getByRole('checkbox', { name: 'A tenant was created' }).check();
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(form.getByText(/^127\.0\.0\.1 is not on the public internet\./).first()).toBeVisible();
    // A name that nobody has: what is sent to it fails, and is tried again.
    await form.getByLabel('Address').fill('https://hooks.clinic.invalid/in');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    const secret = page.getByRole('dialog', { name: 'Secret of the Webhook' });
    await expect(secret.getByText(/^whsec_/)).toBeVisible();
    await secret.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row', { name: /Night shift/ });
    await expect(row).toContainText('hooks.clinic.invalid');
    await row.getByRole('button', { name: 'Deliveries of Night shift' }).click();
    const deliveries = page.getByRole('dialog', { name: 'Deliveries' });
    await Promise.all([
      expectToast(page, 'A test is on its way.'),
      deliveries.getByRole('button', { name: 'Send test' }).click(),
    ]);
    const test = deliveries.getByRole('row', { name: /Test/ });
    await expect(test).toContainText('Waiting');
    await expect(test).toContainText(/The name of the receiver is not known|EAI_AGAIN|There was no answer/);
    await deliveries.getByRole('button', { name: 'Close' }).last().click();
    await expectNoDialog(page);

    await row.getByRole('button', { name: 'More actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Rotate the secret of Night shift' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await expect(secret.getByText(/^whsec_/)).toBeVisible();
    await secret.getByRole('button', { name: 'Done' }).click();
    await expectNoDialog(page);
    await row.getByRole('button', { name: 'More actions for Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Delete Night shift' }).click();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await expect(row).toBeHidden();
  });

  test('a person chooses a daily mail, and finds it again [DECISIONS §13]', async ({ signedIn: page }) => {
    await page.goto('/profile');
    const alerts = page.getByRole('group', { name: 'Events' });
    await alerts.getByRole('checkbox', { name: 'A backup failed' }).check();
    await page.getByLabel('When').selectOption({ label: 'Once a day' });
    await page.getByLabel('Hour').selectOption({ label: '18:00' });
    await Promise.all([
      expectToast(page, 'Your alerts have been updated.'),
      page.getByRole('button', { name: 'Save alerts' }).click(),
    ]);
    await page.reload();
    await expect(alerts.getByRole('checkbox', { name: 'A backup failed' })).toBeChecked();
    await expect(page.getByLabel('Hour')).toHaveValue('18');
  });
});
