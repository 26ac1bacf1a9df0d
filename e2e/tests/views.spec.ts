import { expect, expectAccessibleAtAnyWidth, expectToast, signIn, test } from '../fixtures.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

// A name that is missing.
test.use({ expectedErrors: [/status of 400/] });

test('a view is saved, shared, applied, renamed and deleted; those of the product are there [§2.26]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await page.goto('/users');
  await createUser(page, 'viewless', 'Viewer');
  await page.goto('/tenants?q=north&active=inactive');
  const views = page.getByRole('button', { name: 'Views' });
  await views.click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  const save = page.getByRole('dialog', { name: 'Save View' });
  await save.getByRole('button', { name: 'Save' }).click();
  await expect(save.getByText('Name is required')).toBeVisible();
  await save.getByLabel('Name').fill('Northern');
  await save.getByLabel('Shared with').selectOption('Viewer');
  await expectAccessibleAtAnyWidth(page);
  await save.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! The view has been saved.');

  const other = await openBrowser();
  await signIn(other, { username: 'viewless', password: PASSWORD });
  await other.goto('/tenants');
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByRole('menuitem', { name: 'Northern' }).click();
  await expect(other).toHaveURL(/q=north&active=inactive/);
  await expect(other.getByRole('searchbox', { name: 'Filter tenants' })).toHaveValue('north');

  await views.click();
  await page.getByRole('menuitem', { name: 'Change view: Northern' }).click();
  const change = page.getByRole('dialog', { name: 'Change View' });
  await change.getByRole('button', { name: 'Delete' }).click();
  // It stands on the screens of others.
  await page.getByRole('dialog', { name: 'Delete View' }).getByRole('button', { name: 'Delete view' }).click();
  await expectToast(page, 'Success! The view has been deleted.');
  await expect(views).toBeFocused();
  await views.click();
  await page.getByRole('menuitem', { name: 'Expiring in 30 days' }).click();
  await expect(page).toHaveURL(/expires=30$/);
  await page.goto('/database');
  await views.click();
  await page.getByRole('menuitem', { name: 'Old schema' }).click();
  await expect(page).toHaveURL(/schema=old/);
  await views.click();
  await page.getByRole('menuitem', { name: 'No proved backup' }).click();
  await expect(page).toHaveURL(/proof=none/);
  await expectAccessibleAtAnyWidth(page);
});
