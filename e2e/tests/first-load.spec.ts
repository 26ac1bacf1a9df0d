import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { expect, test } from '../fixtures.ts';

const KIBIBYTE = 1024;

/** All that a page loads until nothing more comes, by the ending of the file's name. */
async function loadOf(page: Page, path: string) {
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const loaded = requests.map(async (request) => {
    const response = await request.response();
    return {
      path: new URL(request.url()).pathname,
      encoding: await response?.headerValue('content-encoding'),
      sent: (await request.sizes()).responseBodySize,
      body: (await response?.body()) ?? Buffer.of(),
    };
  });
  const files = await Promise.all(loaded);
  return (ending: string) => files.filter((file) => file.path.endsWith(ending));
}

const kibibytes = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0) / KIBIBYTE;

test('the sign-in page loads at most 150 KiB of JavaScript and 25 KiB of CSS as sent, with Brotli [§2.3]', async ({
  page,
}) => {
  const files = await loadOf(page, '/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
  const [scripts, styles] = [files('.js'), files('.css')];
  for (const { path, encoding, body } of [...scripts, ...styles])
    if (body.length > KIBIBYTE) expect(`${path} ${encoding}`).toBe(`${path} br`);
  expect(scripts.length).toBeGreaterThan(0);
  expect(styles.length).toBeGreaterThan(0);
  expect(kibibytes(scripts.map(({ sent }) => sent))).toBeLessThanOrEqual(150);
  expect(kibibytes(styles.map(({ sent }) => sent))).toBeLessThanOrEqual(25);
  expect(kibibytes(scripts.map(({ body }) => gzipSync(body).length))).toBeLessThanOrEqual(175);
});

test('the sign-in page loads one font, and nothing moves when it comes [§2.3]', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { entryType } of list.getEntries()) document.documentElement.dataset.moved = entryType;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const files = await loadOf(page, '/login');
  expect(files('.woff2').map(({ path }) => path)).toEqual([expect.stringMatching(/inter-latin-wght-normal/)]);
  const askedBy = await page.evaluate(() => {
    const fonts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
    return fonts.map((font) => font instanceof PerformanceResourceTiming && font.initiatorType);
  });
  // The page itself asks for it, before its style sheet is there.
  expect(askedBy).toEqual(['link']);
  await expect(page.locator('html')).not.toHaveAttribute('data-moved');
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
