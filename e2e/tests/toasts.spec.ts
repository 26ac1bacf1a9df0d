import type { Locator, Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { expect, test } from '../fixtures.ts';
import { holdToasts } from '../held-toasts.ts';
import { addFirstRows, LISTS, openList } from '../long-lists.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { createTenant } from '../tenants-screen.ts';

// As in tables.spec: what answers in the place of a list needs the browser until it has.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'wait' }));

const WIDE = { width: 1280, height: 800 };
const NARROW = { width: 390, height: 844 };
const SIZES = [WIDE, NARROW];
const UNREACHABLE = 'The server cannot be reached.';
const toastOf = (page: Page): Locator => page.locator('.Toastify__toast');

const CONTROLS = [
  'a[href], button, input, select, textarea, summary, [contenteditable="true"]',
  '[role="tab"], [role="checkbox"], [role="switch"], [role="menuitem"]',
].join();

/** Runs in the page: the controls that a click through the toast would reach, at points 4 px apart. */
function findCovered(toast: Element, controls: string): string[] {
  const layer = toast.closest('.toast-layer');
  const box = toast.getBoundingClientRect();
  const below = (x: number, y: number) => document.elementsFromPoint(x, y).find((node) => !layer?.contains(node));
  function isCovered(control: Element) {
    const { left, top, right, bottom } = control.getBoundingClientRect();
    for (let x = Math.ceil(Math.max(left, box.left)); x < Math.min(right, box.right); x += 4) {
      for (let y = Math.ceil(Math.max(top, box.top)); y < Math.min(bottom, box.bottom); y += 4) {
        if (below(x, y)?.closest(controls) === control) return true;
      }
    }
    return false;
  }
  const covered = [...document.querySelectorAll(controls)]
    .filter((control) => !control.closest('[inert]') && isCovered(control))
    .map((control) => control.outerHTML.slice(0, 160));
  const isInside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  return [...covered, ...(isInside ? [] : ['the edge of the window'])];
}

/** Expects a toast that says so, and that it lies over no control once the page has come to rest. */
async function expectNothingCovered(page: Page, text: string | RegExp, what: string): Promise<void> {
  await expect(toastOf(page)).toHaveCount(1);
  await expect(toastOf(page)).toContainText(text);
  await expect.poll(() => toastOf(page).evaluate(findCovered, CONTROLS), { message: what }).toEqual([]);
}

/**
 * Makes a call of a list fail, by keyboard, as all that follows: a toast that comes under the pointer and makes way from it takes up its time
 * again. The audit trail tells a load that failed in its place only.
 */
async function failIn(page: Page, path: string): Promise<void> {
  if (path === '/audit') {
    await page.getByRole('button', { name: 'Download', exact: true }).press('Enter');
    await page.getByRole('menuitem').first().press('Enter');
    return;
  }
  await page.getByRole('button', { name: 'Refresh the list' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
}

test.describe('a load that fails', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('is told over no control of any list, at 1280 and at 390 px [§9]', async ({ signedIn: page }) => {
    await addFirstRows(page, 'TOASTROWS');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      // In a long run each list at both widths, otherwise one at each.
      const first = size === WIDE ? 0 : 3;
      for (const list of LISTS.filter((_, index) => IS_LONG_RUN || index === first)) {
        await openList(page, list);
        await holdToasts(page);
        await page.route('**/api/**', (route) => route.abort());
        await failIn(page, list.path);
        await expectNothingCovered(page, UNREACHABLE, `${list.path} at ${size.width} px`);
        await page.unrouteAll({ behavior: 'wait' });
      }
    }
  });
});

test.describe('a save that is refused', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is told over no control of its dialog, at 1280 and at 390 px [§9]', async ({ signedIn: page }) => {
    await addTenant(page, 'TOASTTWIN');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await page.goto('/tenants');
      await holdToasts(page);
      await createTenant(page, 'TOASTTWIN');
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByText('A tenant with this code exists already.')).toBeVisible();
      await expectNothingCovered(page, 'A tenant with this code exists already.', `the dialog at ${size.width} px`);
    }
  });
});

test.describe('a toast that is shown', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('makes way for a dialog that opens or closes, and for a window of another size [§9]', async ({
    signedIn: page,
  }) => {
    await page.setViewportSize(NARROW);
    await openList(page, { path: '/users' });
    await holdToasts(page);
    await page.route('**/api/users/get*', (route) => route.abort());
    await failIn(page, '/users');
    await expectNothingCovered(page, UNREACHABLE, 'the list');
    await page.getByRole('button', { name: 'Create', exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
    await expectNothingCovered(page, UNREACHABLE, 'the open dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect(dialog).toHaveCount(0);
    await expectNothingCovered(page, UNREACHABLE, 'the list again');
    await page.setViewportSize(WIDE);
    await expectNothingCovered(page, UNREACHABLE, 'the wide window');
  });
});
