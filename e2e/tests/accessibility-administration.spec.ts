import { expect, expectAccessibleAtAnyWidth, expectNoDialog, expectNothingUnsaved, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { chooseMenuAction, createMenu, createMenuInside, menuLine, menuToggle } from '../menus-screen.ts';
import { fillPermission, permissionRow, syncTenant } from '../permissions-screen.ts';
import { chooseRoleAction, createRole, openPermissions, roleRow } from '../roles-screen.ts';
import { openSessions } from '../sessions-screen.ts';
import { chooseUserAction, createUser, openUser, userRow } from '../users-screen.ts';

test('every dialog and menu of the users screen, and sessions [§2.11]', async ({ signedIn: page }) => {
  const name = 'axe';
  const dialog = page.getByRole('dialog');
  await page.goto(`/users?q=${name}`);
  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Clinical Role is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();

  await createUser(page, name, 'Viewer');
  await userRow(page, name).getByRole('button', { name: /more/i }).click();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  for (const [open, shown] of [
    [() => userRow(page, name).getByRole('button', { name: /view/i }).click(), 'View User'],
    [() => openUser(page, name), 'Edit User'],
    [() => chooseUserAction(page, name, 'Duplicate'), 'Duplicate User'],
    [() => chooseUserAction(page, name, 'Delete'), 'Delete User'],
    [
      () =>
        userRow(page, name)
          .getByRole('button', { name: /sessions/i })
          .click(),
      'Open sessions',
    ],
  ] as const) {
    await open();
    await expect(page.getByRole('dialog', { name: shown })).toBeVisible();
    await expect(dialog.getByText(/^Loading/)).toHaveCount(0);
    await expectAccessibleAtAnyWidth(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }

  const sessions = await openSessions(page);
  await expect(sessions.getByText('This session')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await sessions.getByRole('row').filter({ hasText: 'This session' }).getByRole('button').click();
  await expect(page.getByRole('dialog', { name: 'Sign out here' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.getByRole('dialog', { name: 'Sign out here' }).getByRole('button', { name: 'Cancel' }).click();
  // By key: the dialog grows with the sessions that it loads, and the button moves while it is pressed.
  await sessions.getByRole('button', { name: 'Another user' }).press('Enter');
  await sessions.getByRole('combobox', { name: 'User' }).fill('nobody');
  await page.keyboard.press('Tab');
  await expect(sessions.getByText('There is no such user')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('every dialog and menu of the permissions screen [§2.14]', async ({ signedIn: page }) => {
  const [name, identifier] = ['Axe', 'axe'];
  const code = 'AXEPERM';
  const dialog = page.getByRole('dialog');
  await addTenant(page, code);
  await page.goto('/permission');
  const create = await fillPermission(page, '');
  await create.getByRole('button', { name: 'Create' }).click();
  await expect(create.getByText('Permission Name is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await create.getByLabel('Permission Name').fill(name);
  await create.getByRole('button', { name: 'Create' }).click();
  const row = permissionRow(page, identifier);
  await expect(row).toBeVisible();
  await expectNoDialog(page);
  await row.getByRole('button', { name: /more/i }).click();
  await expectAccessibleAtAnyWidth(page);
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(page.getByRole('dialog', { name: 'Delete Permission' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  for (const one of [identifier, 'audit.read']) {
    await permissionRow(page, one).getByRole('button', { name: /^edit/i }).click();
    await expect(page.getByRole('dialog', { name: 'Edit Permission' })).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  await syncTenant(page, code);
  await expectAccessibleAtAnyWidth(page);
});

test('every dialog and menu of the roles screen, and who gets a new permission [DECISIONS §13]', async ({
  dashboard: page,
}) => {
  const name = 'Axe role';
  const dialog = page.getByRole('dialog');
  const close = async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };
  await page.goto('/permission?view=roles');
  await page.getByRole('button', { name: 'Create Role' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Role Name is Required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await close();
  await createRole(page, name, 'Viewer');
  await roleRow(page, name).getByRole('button', { name: /more/i }).click();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  for (const action of ['Copy', 'Rename']) {
    await expect(await chooseRoleAction(page, name, action)).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
    await close();
  }
  const deletion = await chooseRoleAction(page, name, 'Delete');
  await deletion.getByLabel('Role that its people get').selectOption({ label: 'Viewer' });
  await expectAccessibleAtAnyWidth(page);
  await close();
  const matrix = await openPermissions(page, name);
  await matrix.getByRole('checkbox', { name: /^View FAQs/ }).uncheck();
  await expectAccessibleAtAnyWidth(page);
  await matrix.getByRole('button', { name: 'Review changes' }).click();
  await expect(matrix.getByRole('list', { name: 'Each loses (1)' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await matrix.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();

  await expectNothingUnsaved(page);
  await page.getByRole('link', { name: 'Permissions', exact: true }).click();
  const create = await fillPermission(page, 'Axe given');
  await create.getByRole('button', { name: 'Give it to roles' }).click();
  await create.getByRole('checkbox', { name }).check();
  await expectAccessibleAtAnyWidth(page);
});

test('every dialog and menu of the menus screen [§2.15]', async ({ signedIn: page }) => {
  const name = 'Axe menu';
  const dialog = page.getByRole('dialog');
  await page.goto('/menus');
  // Without a menu, the place of the tree has one too.
  await page.getByRole('button', { name: 'Create', exact: true }).first().click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Menu Name is required')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await createMenu(page, name);
  await createMenuInside(page, name, `${name} inside`);
  await menuToggle(page, name).click();
  await expect(menuLine(page, `${name} inside`)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Edit ${name} inside` }).click();
  await expect(dialog.getByLabel('Menu Name')).toHaveValue(`${name} inside`);
  await expectAccessibleAtAnyWidth(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await chooseMenuAction(page, `${name} inside`, `Delete ${name} inside`);
  await expect(page.getByRole('dialog', { name: 'Delete Menu' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});
