import type { Page } from '@playwright/test';
import { clippedTexts } from '../clipped-texts.ts';
import { expect, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { pseudo, showPseudoLanguage, untranslatedTexts, wordsOfData } from '../pseudo-language.ts';

const WIDTHS = [1280, 390] as const;

/** Every screen of the menu, and those that lists lead to. */
const SCREENS = [
  '/',
  '/tenants',
  '/users',
  '/database',
  '/licence',
  '/permission',
  '/permission?view=roles',
  '/menus',
  '/faqs',
  '/audit',
  '/audit?view=webhooks',
  '/database-servers',
  '/profile',
  '/nowhere',
];

/** What the page of a tenant shows. */
const VIEWS = ['summary', 'database', 'backups', 'permissions', 'people', 'history'];

test('the pseudo-language is 40 % longer, and leaves values, tags and references as they are [§1]', () => {
  expect(pseudo('Save')).toBe('⟦Såvëlö⟧');
  expect(pseudo('Save {{name}} <b>now</b>, $t(x.y)')).toBe('⟦Såvë {{name}} <b>nöw</b>, $t(x.y) lörë⟧');
  expect(pseudo('{{percent}} %')).toBe('{{percent}} %');
  const sentence = 'The link in it works once, and for 30 minutes.';
  expect(pseudo(sentence).length).toBeGreaterThanOrEqual(sentence.length * 1.4);
});

/** Nothing is cut off, wider than the window, or in English. */
async function expectTranslated(page: Page, data: ReadonlySet<string>, where: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.overlay, .skeleton')).toHaveCount(0);
  const faults = async () => ({
    clipped: await clippedTexts(page),
    english: await untranslatedTexts(page, data),
    tooWide: await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  });
  await expect
    .soft(async () => expect(await faults(), where).toEqual({ clipped: [], english: [], tooWide: 0 }))
    .toPass({
      timeout: 5_000,
    });
}

test('the pages before the sign-in, in a language 40 % longer [§2.1]', async ({ page }) => {
  const data = wordsOfData(page);
  await showPseudoLanguage(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 860 });
    for (const path of ['/login', '/forgot-password', '/recover-password', '/register']) {
      await page.goto(path);
      await expect(page.getByRole('main')).toContainText('⟧');
      await expectTranslated(page, data, `${path} ${width}`);
    }
  }
});

for (const width of WIDTHS) {
  test(`every screen at ${width} px, in a language 40 % longer [§2.2]`, async ({ signedIn: page }) => {
    const code = `PSEUDO${width}`;
    await addTenant(page, code);
    const data = wordsOfData(page);
    await showPseudoLanguage(page);
    await page.setViewportSize({ width, height: 860 });
    for (const path of [...SCREENS, ...VIEWS.map((view) => `/tenants/${code}?view=${view}`)]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectTranslated(page, data, `${path} ${width}`);
    }
  });
}
