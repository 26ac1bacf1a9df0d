import { expect, expectAccessible, expectAccessibleAtAnyWidth, test } from '../fixtures.ts';
import { createTenant, tenantRow } from '../tenants-screen.ts';
import { createUser } from '../users-screen.ts';

test('the audit trail from the menu: a change is found, shown, verified and downloaded [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await page.goto('/users');
  await createUser(page, 'trailed', 'Viewer');
  await page.getByRole('link', { name: 'Audit Trail' }).click();
  await expect(page.getByRole('heading', { name: 'Audit Trail', level: 1 })).toBeVisible();
  const created = page.getByRole('row', { name: /users\.create/ }).filter({ hasText: 'trailed' });
  await expect(created).toHaveCount(1);
  await expectAccessibleAtAnyWidth(page);

  await page.getByRole('searchbox', { name: 'Search names, ids and changes' }).fill('traile');
  await expect(page).toHaveURL(/[?&]text=traile/);
  await page.getByLabel('Action', { exact: true }).fill('users.create');
  await expect(page).toHaveURL(/action=users\.create/);
  await expect(page.getByRole('button', { name: /^View entry / })).toHaveCount(1);
  await page.reload();
  await page.getByRole('button', { name: /^View entry / }).click();
  const entry = page.getByRole('dialog', { name: /^Entry \d+$/ });
  await expect(entry.getByRole('row', { name: /^userName trailed/ })).toBeVisible();
  await expectAccessible(page);
  await entry.getByRole('button', { name: 'Close' }).last().click();
  await expect(entry).toBeHidden();

  for (const [item, name] of [
    ['All that the filter leaves, as CSV', 'audit.csv'],
    ['The whole trail, to be verified elsewhere', 'audit.jsonl'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    expect((await download).suggestedFilename()).toBe(name);
  }

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText(/^Verified on .*: [\d,]+ entries, none altered or removed\.$/)).toBeVisible();
  await expect(page.getByText(/^A verification is under way/)).toBeHidden();
});

test('the history of a user, and of a tenant in Manage Tenant [DECISIONS §13]', async ({ signedIn: page }) => {
  await page.goto('/users?q=historied');
  await createUser(page, 'historied', 'Viewer');
  await page.getByRole('button', { name: 'More actions for historied' }).click();
  await page.getByRole('menuitem', { name: 'History of historied' }).click();
  const ofUser = page.getByRole('dialog', { name: 'History' });
  await expect(ofUser.getByText('users.create')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(ofUser).toBeHidden();

  await page.goto('/tenants?q=PASTE2E');
  await createTenant(page, 'PASTE2E');
  await tenantRow(page, 'PASTE2E')
    .getByRole('button', { name: /^Manage / })
    .click();
  const manage = page.getByRole('dialog', { name: 'Manage Tenant' });
  await manage.getByRole('tab', { name: 'History' }).click();
  await expect(manage.getByText('tenants.create')).toBeVisible();
  await expectAccessible(page);
});
