import type { Locator, Page } from '@playwright/test';
import { expectNoDialog, expectNothingUnsaved } from './fixtures.ts';
import { server } from './server.ts';

/** The row of an FAQ, section or question, by its name or question. */
export const contentRow = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

/** The names or questions of the list, in order. */
export const contentNames = (page: Page): Locator => page.getByRole('rowheader');

/** Chooses an entry of the … menu of an FAQ, section or question. */
export async function chooseContentAction(page: Page, name: string, action: string): Promise<void> {
  await expectNoDialog(page);
  await page.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: `${action} ${name}`, exact: true }).click();
}

/** The text of the rich text editor, which is loaded when one is first shown. */
export const richText = (dialog: Locator, label: string): Locator => dialog.getByRole('textbox', { name: label });

/**
 * Opens the dialog of the page's create button.
 * @param kind text of the button and, except for questions, of the title
 */
export async function openCreate(page: Page, kind: 'FAQ' | 'Section' | 'Q&A'): Promise<Locator> {
  await page
    .getByRole('button', { name: `Create ${kind}`, exact: true })
    .first()
    .click();
  const title = kind === 'Q&A' ? 'Create Question & Answer' : `Create ${kind}`;
  return page.getByRole('dialog', { name: title });
}

/** Submits the open form, and waits until its dialog has closed and the page can be left. */
export async function sendContent(dialog: Locator, button: 'Create' | 'Edit'): Promise<void> {
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expectNothingUnsaved(dialog.page());
}

/** Makes a call with the page's session, which is faster than its forms. @returns the record's id */
export async function sendCall(
  page: Page,
  path: `/faq${string}`,
  data: unknown,
  method: 'POST' | 'PUT' = 'POST',
): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('jwtToken'));
  const answer = await page.request.fetch(`${server.url()}/api${path}`, {
    method,
    data,
    headers: { authorization: `Bearer ${token}` },
  });
  const { success, message, result } = await answer.json();
  if (!success) throw new Error(`${path}: ${message}`);
  return result.id;
}

/** Opens the list of FAQs, filtered by one name, as other tests add FAQs too. */
export const openFaqs = (page: Page, name: string) => page.goto(`/faqs?${new URLSearchParams({ q: name })}`);

/** Opens the preview of one FAQ, from the list. */
export async function openPreview(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Preview: ${name}`, exact: true }).click();
  return page.getByRole('dialog', { name: 'Preview' });
}

/** Unfolds a whole preview: first the sections, then their questions. */
export async function unfold(preview: Locator): Promise<void> {
  for (const folds of ['details:not([open])', 'details details:not([open])']) {
    await preview.locator(folds).evaluateAll((found) => {
      for (const fold of found) fold.setAttribute('open', '');
    });
    await preview.locator('details[open]:not(:has(.faq-fold-body))').waitFor({ state: 'detached' });
  }
}

/** Pastes HTML at the caret, as a browser does. */
export async function pasteHtml(editor: Locator, html: string): Promise<void> {
  await editor.evaluate((node, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', text);
    clipboardData.setData('text/plain', text);
    node.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);
}

/** Makes an FAQ with one section. @returns their names and ids, and the address of the section's questions */
export async function makePlace(page: Page, faq: string) {
  const section = `${faq} section`;
  const faqId = await sendCall(page, '/faq/create', { name: faq, code: crypto.randomUUID(), overview: '' });
  const fields = { faqId, name: section, code: 'S1', overview: '', sortOrder: 0 };
  const sectionId = await sendCall(page, '/faqsection/create', fields);
  return { faq, section, faqId, sectionId, address: `/section/${faq}/section/${sectionId}` };
}
