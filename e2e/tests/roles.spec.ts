import { expect, expectNothingUnsaved, expectSignedOut, expectToast, signIn, test } from '../fixtures.ts';
import { chooseRoleAction, createRole, openPermissions, roleRow } from '../roles-screen.ts';
import { createUser, PASSWORD, userRow } from '../users-screen.ts';

test.describe('in a second browser', () => {
  test.use({ expectedErrors: [/status of 40[139]/] });

  test('a role of one’s own is made, given, changed, renamed and deleted; its user may do what it says [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    await page.goto('/permission');
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await createRole(page, 'Front desk', 'Viewer');
    await page.goto('/users');
    await createUser(page, 'frieda', 'Front desk');

    const second = await openBrowser();
    await signIn(second, { username: 'frieda', password: PASSWORD });
    await expect(second.getByRole('button', { name: /^User menu/ })).toContainText('Front desk');
    await second.goto('/faqs');
    await expect(second.getByText(/^Displaying /)).toBeVisible();
    // What a Viewer sees of roles: all of them; and why nothing can be changed.
    await second.goto('/permission?view=roles');
    const readOnly = await openPermissions(second, 'Front desk');
    await expect(readOnly.getByRole('checkbox', { name: /^Delete tenants/ })).toBeDisabled();
    const review = readOnly.getByRole('button', { name: 'Review changes' });
    await expect(review).toHaveAttribute('title', /^Your role lacks the permission '/);
    await expect(review).toHaveAttribute('aria-disabled', 'true');

    await page.goto('/permission?view=roles');
    const matrix = await openPermissions(page, 'Front desk');
    await matrix.getByRole('searchbox').fill('faqs');
    await expect(matrix.getByRole('checkbox')).toHaveCount(4);
    await matrix.getByRole('checkbox', { name: 'View FAQs faqs.read' }).uncheck();
    await matrix.getByRole('button', { name: 'Review changes' }).click();
    await expect(matrix.getByText(/^1 person has this role\./)).toBeVisible();
    await expect(matrix.getByRole('list', { name: 'Each loses (1)' })).toHaveText('View FAQs');
    await expect(matrix.getByRole('list', { name: 'People with this role (1)' })).toHaveText('frieda');
    await Promise.all([
      expectToast(page, 'Role Front desk changed: 0 permissions added, 1 removed; 1 user affected.'),
      matrix.getByRole('button', { name: 'Save changes' }).click(),
    ]);
    await expect(matrix).toBeHidden();
    // It counts at once, without another sign-in.
    await second.goto('/faqs');
    await expect(second.locator('#content').getByText("You do not have the permission 'faqs.read'.")).toBeVisible();

    const rename = await chooseRoleAction(page, 'Front desk', 'Rename');
    await rename.getByLabel('Role Name').fill('operator');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await expect(rename.getByText('A role with this name exists already.').first()).toBeVisible();
    await rename.getByLabel('Role Name').fill('Reception');
    await rename.getByRole('button', { name: 'Rename' }).click();
    await expect(roleRow(page, 'Reception')).toBeVisible();

    await expectSignedOut(second, async () => {
      const dialog = await chooseRoleAction(page, 'Reception', 'Delete');
      await expect(dialog.getByText(/^1 person has it\./)).toBeVisible();
      await dialog.getByLabel('Role that its people get').selectOption({ label: 'Viewer' });
      await expect(dialog.getByRole('list', { name: 'Each gains (1)' })).toHaveText('View FAQs');
      await Promise.all([
        expectToast(page, 'Success! Role has been deleted.'),
        dialog.getByRole('button', { name: 'Delete role' }).click(),
      ]);
    });
    await expect(roleRow(page, 'Reception')).toHaveCount(0);
    await expectNothingUnsaved(page);
    await page.goto('/users');
    await expect(userRow(page, 'frieda')).toContainText('Viewer');
    await signIn(second, { username: 'frieda', password: PASSWORD });
    await expect(second.getByRole('button', { name: /^User menu/ })).toContainText('Viewer');
  });
});
