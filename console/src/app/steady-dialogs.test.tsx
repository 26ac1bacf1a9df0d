import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { DIALOGS, oneOfEach, openDialog } from '../testing/every-dialog.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { stubLayout } from '../testing/rich-text.ts';
import { mockServer } from '../testing/server.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
beforeEach(stubLayout);

/** They ask before something is done, and what does it is disabled until all of the question is there. */
const QUESTIONS = [
  'Anonymize Database',
  'Confirm it is you',
  'Delete Database',
  'Delete FAQ',
  'Delete FAQ Section',
  'Delete Q&A',
  'Delete Role',
  'Delete Tenant CEDARVA',
  'Delete Transaction Data',
  'Move to Another Server',
  'Replace Rows',
  'Require Second Factor',
  'Restore Database',
  'Restore to a Point in Time',
];
const LOADING = '.overlay, .loading-text, .skeleton, [role="status"] > [class^="spinner-"]';

/** Collects the titles of the dialogs that once show that they load, and have no height of their own. */
function watchDialogs() {
  const unsteady = new Set<string>();
  const observer = new MutationObserver(() => {
    for (const dialog of document.querySelectorAll('[role="dialog"]')) {
      const main = dialog.querySelector<HTMLElement>('.modal-main');
      const title = dialog.querySelector('.modal-title')?.textContent ?? '';
      if (!main?.querySelector(LOADING) || QUESTIONS.includes(title)) continue;
      if (main.style.getPropertyValue('--modal-body-height') === '') unsteady.add(title);
    }
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  return unsteady;
}

test.each(DIALOGS)('$title at $at keeps its height when what it shows has come [§2.20]', async (dialog) => {
  const unsteady = watchDialogs();
  renderInRoot(<AppRoutes />, { route: dialog.at });
  await openDialog(dialog);
  expect([...unsteady]).toEqual([]);
});
