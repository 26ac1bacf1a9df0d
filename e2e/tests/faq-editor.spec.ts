import type { Locator, Page } from '@playwright/test';
import { contentNames, makePlace, openCreate, openFaqs, openPreview, richText, sendContent } from '../faqs-screen.ts';
import { expect, expectNothingUnsaved, test } from '../fixtures.ts';

test('empty forms name their required fields, and an answer of white space alone counts as empty [§5]', async ({
  signedIn: page,
}) => {
  const place = await makePlace(page, 'Empty');
  await page.goto('/faqs');
  const faq = await openCreate(page, 'FAQ');
  await faq.getByRole('button', { name: 'Create' }).click();
  await expect(faq.getByText('FAQ Name is Required')).toBeVisible();
  await expect(faq.getByText('FAQ Code is Required')).toBeVisible();
  await expect(faq.getByLabel('FAQ Name')).toBeFocused();
  await faq.getByRole('button', { name: 'Cancel' }).click();
  await expect(faq).toBeHidden();

  await page.goto(place.address);
  await page.getByRole('link', { name: 'Section Management' }).click();
  const section = await openCreate(page, 'Section');
  await section.getByLabel('FAQ', { exact: true }).selectOption({ label: 'Select FAQ' });
  await section.getByLabel('Sort Order').fill('');
  await section.getByRole('button', { name: 'Create' }).click();
  for (const message of ['FQA', 'Section Name', 'Section Code', 'Sort Order']) {
    await expect(section.getByText(`${message} is Required`)).toBeVisible();
  }
  await section.getByLabel('Sort Order').fill('-1');
  await expect(section.getByText('Sort Order must be greater than 0')).toBeVisible();
  await section.getByRole('button', { name: 'Cancel' }).click();
  await section
    .getByRole('alert')
    .getByRole('button', { name: /discard/i })
    .click();
  await expect(section).toBeHidden();
  await expectNothingUnsaved(page);

  await page.goto(place.address);
  const question = await openCreate(page, 'Q&A');
  await question.getByLabel('Question', { exact: true }).fill('Anything?');
  const answer = richText(question, 'Answer');
  await answer.click();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText('\u00a0\u200b');
  await question.getByRole('button', { name: 'Bold' }).click();
  await question.getByRole('button', { name: 'Create' }).click();
  await expect(question.getByText('Answer is required')).toBeVisible();
  await expect(answer).toHaveAttribute('aria-invalid', 'true');
  await expect(answer).toBeFocused();
  await page.keyboard.type('Yes');
  await expect(question.getByText('Answer is required')).toBeHidden();
  await sendContent(question, 'Create');
  await expect(contentNames(page)).toHaveText(['Anything?']);
});

test('the editor is loaded with the first form that has it, and not before [§2.19]', async ({ signedIn: page }) => {
  const place = await makePlace(page, 'Late');
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/rich-text-editor')) loaded.push(request.url());
  });
  for (const address of ['/faqs', `/faq/${place.faq}/${place.faqId}`, place.address]) {
    await page.goto(address);
    await expect(page.getByText(/^Displaying/)).toBeVisible();
  }
  await openFaqs(page, place.faq);
  const preview = await openPreview(page, place.faq);
  await expect(preview.getByText(place.section)).toBeVisible();
  expect(loaded).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await richText(await openCreate(page, 'FAQ'), 'Overview').waitFor();
  expect(loaded).not.toEqual([]);
});

test.describe('without the code of the editor', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] });

  test('Retry brings it with a new document, and the draft brings back what was typed [§2.19] [§4] [§8]', async ({
    signedIn: page,
  }) => {
    const CODE = '**/assets/rich-text-editor-*.js';
    const place = await makePlace(page, 'Lost');
    let isLost = true;
    await page.route(CODE, (route) => (isLost ? route.abort() : route.continue()));
    await page.goto(place.address);
    const dialog = await openCreate(page, 'Q&A');
    await expect(dialog.getByText('The editor could not be loaded.')).toBeVisible();
    // Retry waits some seconds only for what is typed to be kept, and the first draft of a page waits for its key from the server.
    await dialog.getByLabel('Question', { exact: true }).fill('Any');
    const isKept = () => Object.keys(localStorage).some((key) => key.startsWith('apotheca-draft-'));
    await expect.poll(() => page.evaluate(isKept)).toBe(true);
    await dialog.getByLabel('Question', { exact: true }).fill('Anything?');
    // The browser's own question, whether to leave what was typed.
    page.on('dialog', (question) => {
      isLost = false;
      return question.accept();
    });
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByLabel('Question', { exact: true })).toHaveValue('Anything?');
    await expect(richText(dialog, 'Answer')).toBeVisible();
  });
});

test('rich text is written with keys and toolbar, undone, stored, and shown as it was written [§2.19] [§5]', async ({
  signedIn: page,
}) => {
  const place = await makePlace(page, 'Rich text');
  await page.goto(place.address);
  const dialog = await openCreate(page, 'Q&A');
  await dialog.getByLabel('Question', { exact: true }).fill('How to store?');
  const editor = { page, dialog, answer: richText(dialog, 'Answer') };
  await undoAndRedo(editor);
  await writeBlocks(editor);
  await addLink(editor, { address: 'https://a.test/x', stored: 'https://a.test/x' });
  await addLink(editor, { address: 'javascript:alert(1)', stored: 'about:blank' });
  await page.keyboard.press('Escape');
  await expect(dialog.getByText('Discard changes?')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(editor.answer).toBeFocused();
  await sendContent(dialog, 'Create');

  await openFaqs(page, place.faq);
  const preview = await openPreview(page, place.faq);
  await preview.getByText(place.section).click();
  await preview.getByText('How to store?').click();
  await expect(preview.getByRole('heading', { name: 'Storage', level: 2 })).toBeVisible();
  await expect(preview.getByRole('strong')).toHaveText('bold');
  await expect(preview.getByRole('emphasis')).toHaveText('italic');
  await expect(preview.locator('u')).toHaveText('underlined');
  await expect(preview.getByRole('code')).toHaveText(['code', '2 < t']);
  await expect(preview.getByRole('listitem')).toHaveText(['cold', 'dark']);
  await expect(preview.getByRole('blockquote')).toHaveText('Keep cold.');
  await expect(preview.getByRole('link')).toHaveText(['https://a.test/x', 'about:blank']);
  await expect(preview.getByRole('link', { name: 'about:blank' })).toHaveAttribute('href', 'about:blank');
});

interface Editor {
  page: Page;
  dialog: Locator;
  /** The text that is edited. */
  answer: Locator;
}

const toolOf = (dialog: Locator, name: string) =>
  dialog.getByRole('toolbar').getByRole('button', { name, exact: true });

/** Types and takes back a text; leaves the editor empty and focused. */
async function undoAndRedo({ page: { keyboard }, dialog, answer }: Editor) {
  await answer.click();
  await keyboard.insertText('too much');
  await toolOf(dialog, 'Undo').click();
  await expect(answer).not.toContainText('too much');
  await keyboard.press('Control+Shift+z');
  await expect(answer).toHaveText('too much');
  await keyboard.press('Control+z');
  await expect(answer).not.toContainText('too much');
  await expect(toolOf(dialog, 'Undo')).toBeDisabled();
}

/** Writes a heading, marked words, a list, a quote and code. */
async function writeBlocks({ page: { keyboard }, dialog }: Editor) {
  await toolOf(dialog, 'Heading 2').click();
  await keyboard.type('Storage');
  await keyboard.press('Enter');
  for (const [key, word] of [
    ['Control+b', 'bold'],
    ['Control+i', 'italic'],
    ['Control+u', 'underlined'],
    ['Control+e', 'code'],
  ] as const) {
    await keyboard.press(key);
    await keyboard.type(word);
    await keyboard.press(key);
    await keyboard.type(' ');
  }
  await keyboard.press('Enter');
  await toolOf(dialog, 'Bulleted list').click();
  await expect(toolOf(dialog, 'Bulleted list')).toHaveAttribute('aria-pressed', 'true');
  await keyboard.type('cold');
  await keyboard.press('Enter');
  await keyboard.type('dark');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await toolOf(dialog, 'Quote').click();
  await keyboard.type('Keep cold.');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await toolOf(dialog, 'Code block').click();
  await keyboard.type('2 < t');
  await keyboard.press('ArrowDown');
}

/** Adds a link, and takes back what is typed after it: the link is an undo step of its own, however soon the text follows. */
async function addLink({ page: { keyboard }, dialog, answer }: Editor, link: { address: string; stored: string }) {
  const { address, stored } = link;
  await keyboard.press('Control+k');
  await dialog.getByRole('textbox', { name: 'Address of the link' }).fill(address);
  await expect(dialog.getByText(/this one becomes about:blank/)).toHaveCount(stored === address ? 0 : 1);
  await keyboard.press('Enter');
  await expect(answer.getByRole('link', { name: stored })).toHaveAttribute('href', stored);
  await expect(answer).toBeFocused();
  await keyboard.insertText(' once ');
  await keyboard.press('Control+z');
  await expect(answer).not.toContainText('once');
  await expect(answer.getByRole('link', { name: stored })).toBeVisible();
  await keyboard.type(' ');
}
