import { expect, test } from '../fixtures.ts';

const KIBIBYTE = 1024;

test('the sign-in page loads at most 200 KiB of JavaScript and 35 KiB of CSS, gzip [§2.3]', async ({
  page,
  request,
}) => {
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const size = async (ending: string) => {
    const files = urls.filter((url) => new URL(url).pathname.endsWith(ending));
    expect(files.length).toBeGreaterThan(0);
    const sizes = await Promise.all(
      files.map(async (url) => {
        const response = await request.fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
        return Number(response.headers()['content-length']);
      }),
    );
    return sizes.reduce((sum, bytes) => sum + bytes, 0) / KIBIBYTE;
  };
  expect(await size('.js')).toBeLessThanOrEqual(200);
  expect(await size('.css')).toBeLessThanOrEqual(35);
});

test('the public pages show all their texts before those of the protected pages are loaded [§2.3] [§2.4]', async ({
  page,
}) => {
  for (const path of ['/login', '/register', '/forgot-password', '/recover-password']) {
    await page.goto(path);
    await expect(page.getByRole('button').first()).toBeVisible();
    // i18next shows the key of a missing text.
    await expect(page.locator('body')).not.toContainText(/\b[a-z]+[A-Za-z]*\.[a-z][A-Za-z]*(\.[a-z]\w*)*\b/);
  }
});
