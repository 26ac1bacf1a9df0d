import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { clippedTexts } from '../clipped-texts.ts';
import { DIALOGS, openByButtons, showOneOfEach } from '../every-dialog.ts';
import { expect, findingsOf, test } from '../fixtures.ts';
import { addFirstRows, LISTS, openList } from '../long-lists.ts';
import { openScreen, SCREENS } from '../screens.ts';

// What the mocked records refer to is not on the server.
test.use({ expectedErrors: [/status of 4\d\d/] });

// As in tables.spec: what answers in the place of a list needs the browser until it has.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

const dialogOf = (title: string) => {
  const dialog = DIALOGS.find((one) => one.title === title);
  if (!dialog) throw new Error(`There is no dialog ${title}`);
  return dialog;
};

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** In a long run all screens, otherwise every third one. */
const LOOKED_AT = SCREENS.filter((_, index) => IS_LONG_RUN || index % 3 === 0);

test(`on ${LOOKED_AT.length} screens nothing is cut off and every target is large enough, on a notebook, a phone and at 400 % [§9]`, async ({
  signedIn: page,
}) => {
  await showOneOfEach(page);
  for (const path of LOOKED_AT) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openScreen(page, path);
    for (const [width, height] of [
      [1280, 800],
      // 1280 px at 200 % and at 400 %.
      [640, 400],
      [390, 844],
      [320, 200],
    ] as const) {
      await page.setViewportSize({ width, height });
      const at = `${path} at ${width} px`;
      // What the page draws otherwise when it gets narrower may come a moment after that.
      await expect.poll(() => widthOf(page), at).toBeLessThanOrEqual(width);
      await expect.poll(() => clippedTexts(page), at).toEqual([]);
      expect.soft(await findingsOf(page, ['target-size']), at).toEqual([]);
    }
  }
});

/** The fields for text, and the choices, whose text is so small that an iPhone zooms in when they get the focus. */
const smallFields = (page: Page): Promise<string[]> =>
  page
    .locator('input:not([type=checkbox], [type=radio], [type=file]), select, textarea, [contenteditable=true]')
    .filter({ visible: true })
    .evaluateAll((fields) => {
      if (fields.length === 0) return ['there is no field'];
      return fields
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML.slice(0, 200));
    });

test('on a phone no field makes the browser zoom in [§2.20]', async ({ signedIn: page, openBrowser }) => {
  const phone = { width: 390, height: 844 };
  const desk = page.viewportSize() ?? phone;
  await showOneOfEach(page);
  for (const title of ['Create User', 'Edit Question & Answer']) {
    // On a phone a row's buttons are in its menu.
    await page.setViewportSize(desk);
    await openByButtons(page, dialogOf(title));
    await page.setViewportSize(phone);
    if (title.startsWith('Edit')) await expect(page.locator('[contenteditable=true]')).toBeVisible();
    expect(await smallFields(page), title).toEqual([]);
  }
  await openScreen(page, '/audit');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await expect(page.getByLabel('From', { exact: true })).toBeVisible();
  expect(await smallFields(page)).toEqual([]);
  const other = await openBrowser();
  await other.setViewportSize(phone);
  await other.goto('/login');
  await expect(other.getByLabel('Username')).toBeVisible();
  expect(await smallFields(other)).toEqual([]);
});

test('at 400 % a dialog can be filled in and sent [§9]', async ({ signedIn: page }) => {
  await showOneOfEach(page);
  await openByButtons(page, dialogOf('Create User'));
  await page.setViewportSize({ width: 320, height: 200 });
  const dialog = page.getByRole('dialog');
  for (const field of [dialog.getByLabel('First Name'), dialog.getByRole('button', { name: 'Create' })]) {
    await field.scrollIntoViewIfNeeded();
    await expect(field).toBeInViewport({ ratio: 1 });
  }
  expect(await widthOf(page)).toBe(320);
});

test('in forced colours it can be seen what is selected, open and on [§9]', async ({ signedIn: page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await showOneOfEach(page);
  await openScreen(page, '/tenants');
  const row = page.locator('tr[data-index="0"]');
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'Highlight';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  await expect(row).not.toHaveCSS('outline-color', highlight);
  await row.getByRole('checkbox').check();
  await expect(row).toHaveCSS('outline-color', highlight);
  await expect(row).toHaveCSS('outline-style', 'solid');
  await expect(page.locator('.nav-link.active')).toHaveCSS('outline-color', highlight);

  await openByButtons(page, dialogOf('Manage Tenant'));
  await expect(page.getByRole('tab', { selected: true })).toHaveCSS('border-bottom-color', highlight);
  await expect(page.getByRole('tab', { selected: false }).first()).not.toHaveCSS('border-bottom-color', highlight);

  await page.getByRole('tab', { name: 'Permissions' }).click();
  const toggle = page.getByRole('switch', { name: 'Counting' });
  await expect(toggle).toBeChecked();
  await expect(toggle).toHaveCSS('background-color', highlight);
  await toggle.evaluate((input) => {
    if (input instanceof HTMLInputElement) input.checked = false;
  });
  await expect(toggle).not.toHaveCSS('background-color', highlight);
});

test('paper shows a list alone: all rows and columns, light, without what can be pressed [§2.6]', async ({
  signedIn: page,
}) => {
  const [tenants] = LISTS;
  if (!tenants) throw new Error('There are no lists');
  await addFirstRows(page, 'PAPERROWS');
  await openList(page, { ...tenants, rows: 400 });
  expect(await page.locator('tr[data-index]').count()).toBeLessThan(400);
  await page.evaluate(() => {
    document.documentElement.dataset.bsTheme = 'dark';
  });
  const onScreen = await page.getByRole('columnheader').allInnerTexts();
  await page.emulateMedia({ media: 'print' });
  // As wide as the text of an A4 sheet.
  await page.setViewportSize({ width: 718, height: 1040 });
  await expect(page.locator('tr[data-index]')).toHaveCount(400);
  // All but the check boxes and the actions.
  expect(onScreen).toHaveLength(13);
  await expect(page.getByRole('columnheader').filter({ visible: true })).toHaveText(onScreen.slice(1, -1));
  await expect(page.getByText('Displaying 400 of 400 results')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const gone of ['banner', 'navigation', 'contentinfo', 'searchbox', 'checkbox'] as const)
    await expect(page.getByRole(gone), gone).toHaveCount(0);
  const shown = await page.locator('button:not(.row-open, .sort-button)').filter({ visible: true }).count();
  expect(shown).toBe(0);
  await expect(page.locator('body')).toHaveCSS('color', 'rgb(23, 33, 43)');
  const tooWide = await page.locator('tr[data-index="0"] > *, thead th').evaluateAll((cells) =>
    cells
      .filter((cell) => cell.checkVisibility())
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 || cell.getBoundingClientRect().right > innerWidth + 1)
      .map((cell) => cell.textContent),
  );
  expect(tooWide).toEqual([]);
});

test('with reduced motion nothing slides or fades [§9]', async ({ signedIn: page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await showOneOfEach(page);
  // All that takes time to move, but for spinners, whose motion is all they say, and the time that a toast has left.
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(window, { moved });
    for (const kind of ['transitionrun', 'animationstart'])
      document.addEventListener(kind, ({ target }) => {
        if (!(target instanceof Element) || target.closest('[class*="spinner"], .Toastify__progress-bar')) return;
        const lasts = target.getAnimations().some(({ effect }) => Number(effect?.getComputedTiming().duration) > 1);
        if (lasts) moved.push(`${kind} ${target.className}`);
      });
  });
  await openScreen(page, '/tenants');
  await page.getByRole('button', { name: 'Toggle menu' }).click();
  await page.getByRole('button', { name: 'Layout settings' }).click();
  await page.getByRole('button', { name: 'Close the layout settings' }).click();
  await page.getByRole('button', { name: /^User menu/ }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit Cedar' }).hover();
  await page.getByRole('button', { name: 'Edit Cedar' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await page.evaluate(() => Reflect.get(window, 'moved'))).toEqual([]);
});
