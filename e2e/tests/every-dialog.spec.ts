import type { Page } from '@playwright/test';
import { clippedTexts } from '../clipped-texts.ts';
import { DIALOGS, openByButtons, showOneOfEach } from '../every-dialog.ts';
import { expect, findingsOf, test } from '../fixtures.ts';

// What the mocked records refer to is not on the server.
test.use({ expectedErrors: [/status of 4\d\d/] });

/** What is cut off, lies too near to press, or can only be read by scrolling sideways. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => document.fonts.ready);
  const scrolling = await page.evaluate(() =>
    [...document.querySelectorAll('.modal-body, .data-table-scroller, html')]
      .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      .map((box) => `${box.tagName} ${box.className} scrolls sideways`),
  );
  return [...scrolling, ...(await findingsOf(page, ['target-size'])), ...(await clippedTexts(page))];
}

/** At the width of a notebook and of a phone. */
async function faultsAtBothWidths(page: Page): Promise<{ wide: string[]; narrow: string[] }> {
  const wide = await faultsOf(page);
  await page.setViewportSize({ width: 390, height: 844 });
  const narrow = await faultsOf(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  return { wide, narrow };
}

const NONE = { wide: [], narrow: [] };

for (const half of [0, 1]) {
  test(`in no dialog is a text cut off, a list too wide or a button too small, part ${half + 1} of 2 [§2.20] [§9]`, async ({
    signedIn: page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await showOneOfEach(page);
    for (const dialog of DIALOGS.filter((_, index) => index % 2 === half)) {
      await openByButtons(page, dialog);
      await page.waitForLoadState('networkidle');
      expect.soft(await faultsAtBothWidths(page), dialog.title).toEqual(NONE);
    }
  });
}
