import type { Page } from '@playwright/test';
import { DIALOGS, oneOfEach } from '../console/src/testing/every-dialog.ts';
import { answerTo } from '../console/src/testing/server.ts';
import { expect } from './fixtures.ts';

export { DIALOGS };
export type Dialog = (typeof DIALOGS)[number];

/** From now on the API has one record of each kind; what its mock does not answer comes from the server. */
export const showOneOfEach = (page: Page): Promise<unknown> =>
  page.route(/\/(api|identity)\//, async (route) => {
    const sent = route.request();
    const request = new Request(sent.url(), { method: sent.method(), body: sent.postData() });
    const answer = await answerTo(request, oneOfEach);
    if (!answer) return route.fallback();
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    });
  });

/** Opens a dialog by the buttons that lead to it. */
export async function openByButtons(page: Page, { at, by, title }: Dialog): Promise<void> {
  await page.goto(at);
  for (const name of by) await pressable(page, name).click();
  await expect(page.getByRole('dialog', { name: title, exact: true })).toBeVisible();
}

/** In the dialog on top, where one is open. */
const pressable = (page: Page, name: string | RegExp) =>
  (['button', 'menuitem', 'tab', 'checkbox'] as const)
    .map((role) => page.getByRole(role, { name, exact: true }))
    .reduce((all, one) => all.or(one))
    .and(page.locator(':enabled'))
    .last();
