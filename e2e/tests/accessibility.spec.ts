import {
  expect,
  expectAccessible,
  expectAccessibleAsShown,
  expectAccessibleAtAnyWidth,
  expectLoaded,
  test,
} from '../fixtures.ts';

const PUBLIC = ['/login', '/forgot-password', '/recover-password', '/register'];
const PROTECTED = {
  'with lists': [
    '/tenants',
    '/database',
    '/users',
    '/licence',
    '/permission',
    '/menus',
    '/faqs',
    '/audit',
    '/audit?view=webhooks',
    '/database-servers',
  ],
  'without lists': ['/', '/profile', '/guide', '/guide/putBack', '/blank', '/sub-menu-1', '/sub-menu-2', '/nowhere'],
};

test('public screens [§2.1]', async ({ page }) => {
  for (const path of PUBLIC) {
    await page.goto(path);
    await expect(page.getByRole('main')).toBeVisible();
    await expectAccessible(page);
  }
});

for (const [part, paths] of Object.entries(PROTECTED)) {
  test(`screens of the main layout ${part}, wide and narrow [§2.2]`, async ({ signedIn: page }) => {
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectLoaded(page);
      await expectAccessibleAtAnyWidth(page);
    }
  });
}

test('user menu, control sidebar and the drawer of a phone [§2.2]', async ({ signedIn: page }) => {
  const dashboard = page.getByRole('heading', { name: 'Dashboard', level: 1 });
  await page.goto('/');
  await expect(dashboard).toBeVisible();
  await page.getByRole('button', { name: /^User menu/ }).click();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await expect(page.getByLabel('Keep the footer in view')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await expect(dashboard).toBeVisible();
  await page.getByRole('button', { name: 'Toggle menu' }).click();
  await expect(page.getByRole('link', { name: 'Tenants' })).toBeVisible();
  await expectAccessible(page);
});

test('top bar and menu, switched to dark, wide and narrow [§2.2]', async ({ dashboard: page }) => {
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await page.getByLabel('Dark mode').check();
  await expect(page.locator('#root')).toHaveClass(/dark-mode/);
  await expectAccessibleAsShown(page);
  await page.getByRole('button', { name: 'Close the layout settings' }).click();
  // The rest of each page has its dark colours checked above.
  for (const path of ['/', '/tenants', '/nowhere']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectLoaded(page);
    await expectAccessibleAsShown(page);
  }
  await page.getByRole('button', { name: /^User menu/ }).click();
  await expectAccessibleAsShown(page);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Toggle menu' }).click();
  await expect(page.getByRole('link', { name: 'Tenants' })).toBeVisible();
  await expectAccessibleAsShown(page);
});

test('light and dark follow the system, from the first moment on, until one is chosen [DECISIONS §13]', async ({
  dashboard: page,
}) => {
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-bs-theme', 'light');
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await page.getByLabel('Light or dark as the system is').check();
  await expect(html).toHaveAttribute('data-bs-theme', 'dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).toHaveAttribute('data-bs-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-bs-theme', 'dark');
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await page.getByLabel('Dark mode').uncheck();
  await expect(page.getByLabel('Light or dark as the system is')).not.toBeChecked();
  await page.emulateMedia({ colorScheme: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(html).toHaveAttribute('data-bs-theme', 'light');
});

test.describe('before the console is loaded', () => {
  // Chromium warns after some seconds that the settings were loaded for nothing: the code that reads them does not come.
  test.use({ expectedErrors: [/net::ERR_FAILED|config\.json was preloaded .* but not used/] });

  test('a browser that was switched to dark stays dark after the sign-out, from the first moment on [§2.2]', async ({
    dashboard: page,
  }) => {
    const html = page.locator('html');
    await page.getByRole('button', { name: 'Layout settings' }).click();
    await page.getByLabel('Dark mode').check();
    await expect(html).toHaveAttribute('data-bs-theme', 'dark');
    await page.getByRole('button', { name: 'Close the layout settings' }).click();
    await page.getByRole('button', { name: /^User menu/ }).click();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page.getByLabel('Username')).toBeVisible();
    // Blocking the console's own code makes the first paint visible.
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    await expect(html).toHaveAttribute('data-bs-theme', 'dark');
  });
});
