import { expect, expectToast, signIn, test } from '../fixtures.ts';
import { chooseMenuAction, createMenu, createMenuInside, menuLine, menuToggle } from '../menus-screen.ts';

test('menus are nested, opened one at a time, moved, edited and deleted [§2.15] [§4]', async ({ dashboard: page }) => {
  await page.getByRole('link', { name: 'Menu Management' }).first().click();
  await Promise.all([expectToast(page, 'Success! Menu has been Created.'), createMenu(page, 'Reports')]);
  await expect(menuLine(page, 'Reports')).toContainText('#');
  await createMenu(page, 'Orders');
  await createMenuInside(page, 'Reports', 'Cycle Counts');
  await createMenuInside(page, 'Orders', 'Open Orders');

  await menuToggle(page, 'Reports').click();
  await expect(menuLine(page, 'Cycle Counts')).toContainText('/cycle-counts');
  await menuToggle(page, 'Orders').click();
  await expect(menuLine(page, 'Open Orders')).toContainText('/open-orders');
  await expect(menuToggle(page, 'Reports')).toHaveAttribute('aria-expanded', 'false');
  await expect(menuLine(page, 'Cycle Counts')).toHaveCount(0);

  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  const create = page.getByRole('dialog', { name: 'Create Menu' });
  await create.getByLabel('Menu Name').fill('Late Orders');
  await create.getByLabel('Parent Menu').selectOption({ label: 'Orders' });
  await expect(create.getByLabel('Menu Icon')).toHaveValue('pill');
  await create.getByRole('button', { name: 'Create' }).click();
  await expect(create).toBeHidden();
  const children = menuLine(page, 'Orders').locator('xpath=..').getByRole('listitem');
  await expect(children).toHaveText([/^Open Orders/, /^Late Orders/]);
  await chooseMenuAction(page, 'Late Orders', 'Move Late Orders up within Orders');
  await expectToast(page, 'Menu has been moved up.');
  await expect(children).toHaveText([/^Late Orders/, /^Open Orders/]);

  await page.getByRole('button', { name: 'Edit Late Orders' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Menu' });
  await edit.getByLabel('Menu Name').fill('Overdue Orders');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectToast(page, 'Success! Menu has been updated.');
  await expect(menuLine(page, 'Overdue Orders')).toContainText('/overdue-orders');

  await chooseMenuAction(page, 'Overdue Orders', 'Delete Overdue Orders');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete menu' }).click();
  await expectToast(page, 'Success! Menu has been deleted.');
  await expect(children).toHaveText([/^Open Orders/]);
});

test.describe('a menu that got a submenu from another user', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is not deleted, and the refusal says why [§2.15]', async ({ signedIn: page, openBrowser }) => {
    await page.goto('/menus');
    await createMenu(page, 'Wards');
    await chooseMenuAction(page, 'Wards', 'Delete Wards');
    const dialog = page.getByRole('dialog', { name: 'Delete Menu' });
    await expect(dialog).toBeVisible();

    const second = await openBrowser();
    await signIn(second);
    await second.goto('/menus');
    await createMenuInside(second, 'Wards', 'Ward A');
    const refusal = expectToast(page, "There is 1 menu inside 'Wards'. Move or delete what is inside first.");
    await dialog.getByRole('button', { name: 'Delete menu' }).click();
    await refusal;
    await page.keyboard.press('Escape');
    await menuToggle(page, 'Wards').click();
    await expect(menuLine(page, 'Ward A')).toBeVisible();
    await page.getByRole('button', { name: 'More actions for Wards' }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete: 1 menu is inside' })).toBeDisabled();
  });
});
