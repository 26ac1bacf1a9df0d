import { operationRoutes } from '@apotheca/contract/operations';
import type { Page } from '@playwright/test';
import { DIALOGS, oneOfEach } from '../console/src/testing/every-dialog.ts';
import { makeOperationDetails } from '../console/src/testing/operations.ts';
import { answerTo, ok, onRoute } from '../console/src/testing/server.ts';
import { expect } from './fixtures.ts';

export { DIALOGS };

type Dialog = (typeof DIALOGS)[number];

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

/** From now on each operation is accepted and runs without an end. */
export async function holdOperations(page: Page): Promise<void> {
  const operation = makeOperationDetails();
  const handlers = [onRoute(operationRoutes.get, () => ok(operation))];
  await page.route(/\/api\//, async (route) => {
    const isStart = (await route.request().headerValue('prefer')) === 'respond-async';
    const answer = isStart
      ? ok({ operationId: operation.id }, 'This takes a while and goes on in the background.', 202)
      : await answerTo(new Request(route.request().url()), handlers);
    if (!answer) return route.fallback();
    await route.fulfill({ status: answer.status, json: await answer.json() });
  });
}

/**
 * Opens a dialog by the buttons that lead to it.
 * @param named what something is called in the language of the page; absent: as in English
 */
export async function openByButtons(
  page: Page,
  { at, by, title }: Dialog,
  named: (name: string | RegExp) => string | RegExp = (name) => name,
): Promise<void> {
  await page.goto(at);
  for (const name of by) await pressable(page, named(name)).click();
  await expect(page.getByRole('dialog', { name: named(title), exact: true })).toBeVisible();
}

/** In the dialog on top, where one is open. */
const pressable = (page: Page, name: string | RegExp) =>
  (['button', 'menuitem', 'tab', 'checkbox'] as const)
    .map((role) => page.getByRole(role, { name, exact: true }))
    .reduce((all, one) => all.or(one))
    .and(page.locator(':enabled'))
    .last();
