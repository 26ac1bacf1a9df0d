import type { Page } from '@playwright/test';
import { expect, signIn, test } from '../fixtures.ts';

/** The drafts as they lie in the browser's storage. */
const stored = (page: Page) =>
  page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('apotheca-draft-')));
const offer = (page: Page) => page.getByText('Typed and not saved');

/** Types in a dialog, and waits until the draft is kept. @param count of drafts, with it */
async function typeDraft(page: Page, count = 1) {
  await page.goto('/users');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Create User' });
  await dialog.getByLabel('First Name').fill('Alan');
  await dialog.getByLabel('Password', { exact: true }).fill('letmein');
  await expect.poll(async () => (await stored(page)).length).toBe(count);
  return dialog;
}

/** Waits until so many tabs have a draft open: what a tab has locked is free a moment after it is closed. */
const expectOpenDrafts = (page: Page, count: number) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const { held = [] } = await navigator.locks.query();
        return held.filter(({ name }) => name?.startsWith('apotheca-draft-')).length;
      }),
    )
    .toBe(count);

/** Types in a tab of its own, and closes it: once that draft is offered, the others have been looked at too. */
async function leaveDraft(page: Page) {
  const tab = await page.context().newPage();
  await typeDraft(tab, 2);
  await tab.close();
}

test.describe('what is typed and not saved', () => {
  test.beforeEach(({ signedIn: page }) => void page.on('dialog', (question) => question.accept()));

  test('is offered after a reload without its passwords, cannot be read in the storage, and goes once it is discarded [§4]', async ({
    signedIn: page,
  }) => {
    const dialog = await typeDraft(page);
    expect(JSON.stringify(await stored(page))).not.toMatch(/Alan|letmein|users/);
    await page.reload();
    await expect(offer(page)).toBeVisible();
    await expect(page.getByText(/Create User, /)).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByLabel('First Name')).toHaveValue('Alan');
    await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('');
    await expect(offer(page)).toBeHidden();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => stored(page)).toEqual([]);
  });

  test('is offered in another tab once its own is closed, and not before [§4]', async ({ signedIn: page }) => {
    await typeDraft(page);
    await leaveDraft(page);
    await expectOpenDrafts(page, 1);
    const other = await page.context().newPage();
    await other.goto('/users');
    await expect(offer(other)).toHaveCount(1);
    await page.close();
    await expectOpenDrafts(other, 0);
    await other.reload();
    for (const left of [1, 0]) {
      await other.getByRole('button', { name: 'Discard' }).first().click();
      await expect(offer(other)).toHaveCount(left);
    }
    await expect.poll(() => stored(other)).toEqual([]);
  });

  test('is offered to its own user alone, and waits for them [§4]', async ({ signedIn: page }) => {
    await typeDraft(page);
    const kept = await stored(page);
    await page.evaluate(() => localStorage.removeItem('jwtToken'));
    await page.goto('/login');
    await signIn(page);
    // As it would look to somebody else: the draft is named as theirs, and their keys do not fit.
    await page.evaluate(([[key = '', text = ''] = []]) => {
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(text), user: 'somebody else' }));
    }, kept);
    await leaveDraft(page);
    await expectOpenDrafts(page, 0);
    await page.goto('/users');
    await expect(offer(page)).toHaveCount(1);
    await page.evaluate(([[key = '', text = ''] = []]) => localStorage.setItem(key, text), kept);
    await page.reload();
    await expect(offer(page)).toHaveCount(2);
  });
});
