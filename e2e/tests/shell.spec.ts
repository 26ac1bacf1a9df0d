import type { Locator, Page } from '@playwright/test';
import { expect, expectToast, signIn, test } from '../fixtures.ts';

const EXPIRED = 'Your session has expired. Please login again.';

/** Counts, from now on, the changes after which nothing is drawn. @returns how many there were so far */
async function countBlanks(page: Page) {
  const root = await page.locator('#root').evaluateHandle((box) => {
    const seen = { blanks: 0 };
    const look = () => {
      if (!(box instanceof HTMLElement) || box.innerText.trim() === '') seen.blanks += 1;
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    return seen;
  });
  return () => root.evaluate(({ blanks }) => blanks);
}

/** Whether a click at its middle would meet a field. */
const isReachable = (field: Locator) =>
  field.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === node;
  });

test.describe('the end of a session', () => {
  test.use({ expectedErrors: [/status of 401/] });

  for (const way of ['another tab', 'a refused refresh'] as const) {
    test(`by ${way} leaves no empty page, and the sign-in over it goes on with the typed text [§4] [§8]`, async ({
      signedIn: page,
    }) => {
      await page.goto('/users?sort=email');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Create User' });
      await dialog.getByLabel('First Name').fill('Alan');
      await dialog.getByLabel('Password', { exact: true }).fill('letmein');
      const blanks = await countBlanks(page);
      const told = expectToast(page, EXPIRED);
      if (way === 'another tab') {
        const other = await page.context().newPage();
        await other.goto('/healthz');
        await other.evaluate(() => localStorage.clear());
        await other.close();
      } else {
        await page.route('**/identity/authenticate/refresh', (route) =>
          route.fulfill({ status: 401, json: { status: 401, success: false, message: EXPIRED, title: 'Signed out' } }),
        );
        await page.route('**/api/operations/get', (route) =>
          route.fulfill({ status: 401, json: { status: 401, success: false, message: EXPIRED, title: 'Signed out' } }),
        );
      }
      await told;
      const asking = page.getByRole('dialog', { name: 'Sign in to start your session' });
      await expect(asking.getByText('Signed in as admin until now.')).toBeVisible();
      await expect(page).toHaveURL(/\/login$/);
      // What is below takes neither clicks nor keys.
      await page.keyboard.press('Escape');
      await expect(asking.getByLabel('Password', { exact: true })).toBeFocused();
      expect(await isReachable(dialog.getByLabel('First Name'))).toBe(false);
      await page.unrouteAll();
      await asking.getByLabel('Password', { exact: true }).fill('correct horse');
      await asking.getByRole('button', { name: 'Sign In' }).click();
      await expect(asking).toHaveCount(0);
      await expect(page).toHaveURL(/\/users\?sort=email$/);
      await expect(dialog.getByLabel('First Name')).toHaveValue('Alan');
      await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('letmein');
      await expect(dialog.getByLabel('Password', { exact: true })).toBeFocused();
      expect(await blanks()).toBe(0);
      await expect.poll(() => page.evaluate(() => history.state)).toHaveProperty('unsaved', true);
      // Back asks first, as before the sign-in.
      await page.goBack();
      await expect(dialog.getByText('Discard changes?')).toBeVisible();
      await dialog.getByRole('button', { name: 'Discard' }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();
    });
  }
});

test('another page is told to a screen reader, and its content has the focus that went with the link [§2.2]', async ({
  signedIn: page,
}) => {
  await page.goto('/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  const told = page.locator('.wrapper > [role=status]');
  await expect(told).toBeEmpty();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Home' }).press('Enter');
  await expect(told).toHaveText('Dashboard · Apotheca');
  await expect(page.getByRole('main')).toBeFocused();
  const entry = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' });
  await entry.press('Enter');
  await expect(told).toHaveText('Users · Apotheca');
  await expect(entry).toBeFocused();
});

test.describe('without a network', () => {
  test.use({ expectedErrors: [/ERR_INTERNET_DISCONNECTED|dynamically imported module/] });

  test('a page that does not load keeps header and menu, and Retry loads it [§2.1] [§8]', async ({ page }) => {
    await signIn(page);
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Licence Management' }).click();
    const content = page.getByRole('main');
    await expect(content.getByText(/part of the console could not be loaded/)).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible();
    await page.context().setOffline(false);
    await content.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'Licence Management', level: 1 })).toBeVisible();
    await expect(page.getByText(/^Displaying/)).toBeVisible();
  });
});

test.describe('without its style sheet', () => {
  test.use({ expectedErrors: [/ERR_FAILED|Unable to preload CSS/] });

  const SHEET = '**/assets/audit-page-*.css';
  const linkTo = (page: Page) => page.getByRole('link', { name: 'Audit Trail' });
  const expectStyled = (page: Page) => expect(page.locator('.audit-filters')).toHaveCSS('display', 'grid');

  test('a page does not load, also where it is opened again, until Retry loads it with the sheet [§2.1] [§8]', async ({
    dashboard: page,
  }) => {
    await page.route(SHEET, (route) => route.abort());
    const told = page.getByRole('main').getByText(/part of the console could not be loaded/);
    await linkTo(page).click();
    await expect(told).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    await linkTo(page).click();
    await expect(told).toBeVisible();
    await page.unroute(SHEET);
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
    await expectStyled(page);
  });

  test('a page asks again for the sheet that did not come when its link got the pointer [§2.1]', async ({
    dashboard: page,
  }) => {
    await page.route(SHEET, (route) => route.abort());
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('.css'));
    await linkTo(page).hover();
    await failed;
    await page.unroute(SHEET);
    await linkTo(page).click();
    await expectStyled(page);
  });
});

test.describe('an address that cannot be decoded', () => {
  test.use({ expectedErrors: [/could not be decoded/] });

  test('is answered with the page for unknown addresses, with all headers [§2.1]', async ({ signedIn: page }) => {
    const answer = await page.goto('/faq/50%/x');
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'self'");
    await expect(page.getByRole('heading', { name: 'Page not found', level: 1 })).toBeVisible();
    await expect(page.getByText('There is nothing at /faq/50%/x')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  });
});
