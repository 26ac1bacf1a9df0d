import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { clippedTexts } from '../clipped-texts.ts';
import { DIALOGS, openByButtons, showOneOfEach } from '../every-dialog.ts';
import { expect, expectLoaded, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { pseudo, pseudoName, showPseudoLanguage, untranslatedTexts, wordsOfData } from '../pseudo-language.ts';

// As in tables.spec: what answers in the place of the server needs the browser until it has.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

const WIDTHS = [1280, 390] as const;
/** Of all dialogs. */
const PARTS = 8;

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

test('what has an English name is found by it in the pseudo-language, and what is longer is not [§1]', () => {
  for (const name of ['Save', 'Delete role: tenant_7', 'Delete all (2)'])
    expect(pseudo(name)).toMatch(pseudoName(name));
  expect(`${pseudo('Delete role')}: tenant_7`).toMatch(pseudoName('Delete role: tenant_7'));
  expect(pseudo('Delete {{what}}').replace('{{what}}', pseudo('Section'))).toMatch(pseudoName('Delete Section'));
  expect(pseudo('Create FAQ')).not.toMatch(pseudoName('Create'));
  expect(pseudo('Sign out: Firefox')).toMatch(pseudoName(/^Sign out: /));
});

/** Nothing is cut off, wider than the window, or in English. */
async function expectTranslated(page: Page, data: ReadonlySet<string>, where: string): Promise<void> {
  await expectLoaded(page);
  const faults = async () => ({
    clipped: await clippedTexts(page),
    english: await untranslatedTexts(page, data),
    tooWide: await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
  });
  await expect
    .soft(async () => expect(await faults(), where).toEqual({ clipped: [], english: [], tooWide: 0 }))
    .toPass({ timeout: 120_000 });
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

for (const [turn, width] of WIDTHS.entries()) {
  // In a long run every screen at both widths, otherwise every third at each, and none at both.
  test(`${IS_LONG_RUN ? 'every screen' : 'every third screen'} at ${width} px, in a language 40 % longer [§2.2]`, async ({
    signedIn: page,
  }) => {
    const code = `PSEUDO${width}`;
    await addTenant(page, code);
    const data = wordsOfData(page);
    await showPseudoLanguage(page);
    await page.setViewportSize({ width, height: 860 });
    const screens = [...SCREENS, ...VIEWS.map((view) => `/tenants/${code}?view=${view}`)];
    for (const path of screens.filter((_, index) => IS_LONG_RUN || index % 3 === turn)) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectTranslated(page, data, `${path} ${width}`);
    }
  });
}

test.describe('dialogs', () => {
  // What the mocked records refer to is not on the server.
  test.use({ expectedErrors: [/status of 4\d\d/] });

  /** In a long run all dialogs, otherwise every eighth of them. */
  for (const part of IS_LONG_RUN ? Array(PARTS).keys() : [0]) {
    test(`at both widths, in a language 40 % longer, part ${part + 1} of ${PARTS} [§2.20]`, async ({
      signedIn: page,
    }) => {
      const data = wordsOfData(page);
      await showOneOfEach(page);
      await showPseudoLanguage(page);
      for (const dialog of DIALOGS.filter((_, index) => index % PARTS === part)) {
        await page.setViewportSize({ width: 1280, height: 860 });
        await openByButtons(page, dialog, pseudoName);
        await expectTranslated(page, data, `${dialog.title} 1280`);
        await page.setViewportSize({ width: 390, height: 860 });
        await expectTranslated(page, data, `${dialog.title} 390`);
      }
    });
  }
});
