import type { Page } from '@playwright/test';
import {
  chooseContentAction,
  contentNames,
  makePlace,
  openCreate,
  openFaqs,
  openPreview,
  richText,
  sendCall,
  unfold,
} from '../faqs-screen.ts';
import { expect, expectAccessibleAtAnyWidth, test } from '../fixtures.ts';

const ANSWER =
  '<h2>Cold</h2><p>Keep it <strong>cold</strong>, <em>dark</em> and <code>closed</code>: <a href="https://a.test">why</a>.</p><ul><li>one</li></ul><blockquote>two</blockquote><pre><code>three</code></pre><hr>';
const SEARCH = 'Search in all FAQs, sections and answers';

test('the FAQs screen and its dialogs [§2.16] [§2.19]', async ({ signedIn: page }) => {
  const { faq } = await makeContent(page, 'Axe');
  const dialog = page.getByRole('dialog');
  await openFaqs(page, faq);
  await expect(page.getByRole('button', { name: `Edit FAQ: ${faq}` })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await openCreate(page, 'FAQ');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('FAQ Name is Required')).toBeVisible();
  await richText(dialog, 'Overview').waitFor();
  await expectAccessibleAtAnyWidth(page);
  await close(page);

  await page.getByRole('button', { name: `Edit FAQ: ${faq}` }).click();
  await richText(dialog, 'Overview').click();
  await page.keyboard.press('Control+k');
  await dialog.getByLabel('Address of the link').fill('javascript:alert(1)');
  await expect(dialog.getByText(/this one becomes about:blank/)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByLabel('Address of the link').press('Escape');
  await close(page);

  await chooseContentAction(page, faq, 'Delete FAQ:');
  await expect(dialog.getByText(/also deletes 2 sections and 2 questions/)).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('the preview, the search in all FAQs, and where nothing is found [§2.16]', async ({ signedIn: page }) => {
  const { faq } = await makeContent(page, 'Axe found');
  await openFaqs(page, faq);
  const preview = await openPreview(page, faq);
  await preview.getByRole('checkbox', { name: 'Show what is hidden' }).check();
  await expect(preview.getByText('Hidden section')).toBeVisible();
  await unfold(preview);
  await expect(preview.getByRole('heading', { name: 'Cold' }).first()).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await close(page);

  for (const [text, shown] of [
    ['cold', /^\d+ results?$/],
    ['nothing like it', 'Nothing found'],
  ] as const) {
    await page.getByRole('searchbox', { name: SEARCH }).fill(text);
    await expect(page.getByText(shown)).toBeVisible();
    await expectAccessibleAtAnyWidth(page);
  }
  await page.goto('/faqs?q=nothing+like+it');
  await expect(page.getByText('No FAQs match')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('the questions screen, full and empty, and its dialogs [§2.18] [§2.19]', async ({ signedIn: page }) => {
  const { address, emptyAddress } = await makeContent(page, 'Axe below');
  const dialog = page.getByRole('dialog');
  await page.goto(address);
  await expect(contentNames(page)).toHaveText(['Cold?', 'Warm?']);
  await expectAccessibleAtAnyWidth(page);
  await openCreate(page, 'Q&A');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Answer is required')).toBeVisible();
  await richText(dialog, 'Answer').waitFor();
  await expectAccessibleAtAnyWidth(page);
  await close(page);
  await page.getByRole('button', { name: 'Edit: Cold?' }).click();
  await expect(richText(dialog, 'Answer').getByRole('heading', { name: 'Cold' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await close(page);
  await chooseContentAction(page, 'Cold?', 'Delete:');
  await expect(page.getByRole('dialog', { name: 'Delete Q&A' })).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await close(page);
  await page.goto(emptyAddress);
  await expect(page.getByText('No questions found!')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

test('the sections screen and its dialogs, and an FAQ that is gone [§2.17] [§2.19]', async ({ signedIn: page }) => {
  const { faq, faqId } = await makeContent(page, 'Axe inside');
  const dialog = page.getByRole('dialog');
  await page.goto(`/faq/${faq}/${faqId}`);
  await expect(contentNames(page)).toHaveCount(2);
  await expectAccessibleAtAnyWidth(page);
  await openCreate(page, 'Section');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Section Name is Required')).toBeVisible();
  await richText(dialog, 'Overview').waitFor();
  await expectAccessibleAtAnyWidth(page);
  await close(page);
  await page.getByRole('button', { name: 'Edit: Hidden section' }).click();
  await richText(dialog, 'Overview').waitFor();
  await expectAccessibleAtAnyWidth(page);
  await close(page);
  await page.goto(`/faq/gone/${crypto.randomUUID()}`);
  await expect(page.getByText('FAQ not found')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
});

/** An FAQ with a full section and an empty, hidden one. */
async function makeContent(page: Page, name: string) {
  const place = await makePlace(page, name);
  const { faqId, sectionId } = place;
  for (const [question, published] of [
    ['Cold?', true],
    ['Warm?', false],
  ] as const) {
    const fields = { faqId, sectionId, question, answer: ANSWER, sortOrder: 9, published };
    await sendCall(page, '/faqquestionans/create', fields);
  }
  const hidden = { faqId, name: 'Hidden section', code: 'HIDDEN', overview: ANSWER, sortOrder: 1, isActive: false };
  const emptyId = await sendCall(page, '/faqsection/create', hidden);
  return { ...place, emptyAddress: `/section/${name}/hidden/${emptyId}` };
}

/** Closes the open dialog; nothing was typed. */
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}
