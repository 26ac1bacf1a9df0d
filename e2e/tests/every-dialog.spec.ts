import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { clippedTexts } from '../clipped-texts.ts';
import { DIALOGS, holdOperations, openByButtons, showOneOfEach } from '../every-dialog.ts';
import { expect, expectLoaded, findingsOf, test } from '../fixtures.ts';

// What the mocked records refer to is not on the server.
test.use({ expectedErrors: [/status of 4\d\d/] });

/** What is cut off, lies too near to press, or can only be read by scrolling sideways. */
async function faultsOf(page: Page): Promise<string[]> {
  // What follows from a new width is drawn.
  await page.evaluate(
    () => new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))),
  );
  const scrolling = await page.evaluate(() =>
    [...document.querySelectorAll('.modal-body, .modal .data-table-scroller, html')]
      .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
      .map((box) => `${box.tagName} ${box.className} scrolls sideways`),
  );
  return [...scrolling, ...(await findingsOf(page, ['target-size'], '[role="dialog"]')), ...(await clippedTexts(page))];
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

const PARTS = 8;

/** In a long run all dialogs, otherwise every eighth of them. */
for (const part of Array.from({ length: IS_LONG_RUN ? PARTS : 1 }).keys()) {
  test(`in no dialog is a text cut off, a list too wide or a button too small, part ${part + 1} of ${PARTS} [§2.20] [§9]`, async ({
    signedIn: page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await showOneOfEach(page);
    for (const dialog of DIALOGS.filter((_, index) => index % PARTS === part)) {
      await openByButtons(page, dialog);
      await expectLoaded(page);
      await expect
        .soft(async () => expect(await faultsAtBothWidths(page), dialog.title).toEqual(NONE))
        .toPass({ timeout: 120_000 });
    }
  });
}

/** The dialogs of operations, each with what must be filled in before it can begin. */
const OPERATIONS: Record<string, Record<string, string>> = {
  'Back Up Database': {},
  'Clone Database': { 'Duplicate Database Name': 'COPY' },
  'Rename Database': { 'Database Name': 'COPY' },
  'Delete Database': { 'Database Name': 'TRAINING' },
  'Duplicate Tenant': { 'New Tenant Code': 'COPY' },
  'Delete Tenant CEDARVA': { 'Tenant Code': 'CEDARVA' },
  'Prove Restore': {},
};

test('a dialog keeps its place and its height when its operation begins [§2.20] [DECISIONS §8]', async ({
  signedIn: page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await showOneOfEach(page);
  await holdOperations(page);
  for (const [title, fields] of Object.entries(OPERATIONS)) {
    const dialog = DIALOGS.find((one) => one.title === title);
    if (!dialog) throw new Error(`There is no dialog ${title}`);
    await openByButtons(page, dialog);
    const shown = page.getByRole('dialog', { name: title, exact: true });
    for (const [label, text] of Object.entries(fields)) await shown.getByLabel(label).pressSequentially(text);
    const begin = shown.locator('.modal-footer .btn').last();
    await expect(begin).toBeEnabled();
    const content = shown.locator('.modal-content');
    // It fades in. What is taken away meanwhile, such as a spinner, ends its animation before that has finished.
    await content.evaluate((box) =>
      Promise.allSettled(box.ownerDocument.getAnimations().map(({ finished }) => finished)),
    );
    const before = await content.boundingBox();
    await begin.click();
    await expect(shown.getByRole('progressbar')).toBeVisible();
    expect.soft(await content.boundingBox(), title).toEqual(before);
  }
});
