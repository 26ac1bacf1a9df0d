import type { Page } from '@playwright/test';
import { chooseContentAction, contentRow, makePlace, openFaqs, sendCall } from '../faqs-screen.ts';
import { expect, expectAccessible, expectAccessibleAtAnyWidth, expectToast, signIn, test } from '../fixtures.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

const EDITS = 300;

test('a revision of a question is compared with now and restored, by keyboard alone [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  const { faqId, sectionId, address } = await makePlace(page, 'Revised');
  const place = { faqId, sectionId, sortOrder: 0 };
  const was = { ...place, question: 'How cold?', answer: '<p>Keep it at <strong>five</strong> degrees.</p>' };
  const id = await sendCall(page, '/faqquestionans/create', was);
  const now = { ...was, id, answer: '<p>Keep it at <a href="https://a.test">six</a> degrees.</p>', published: false };
  await sendCall(page, '/faqquestionans/edit', now, 'PUT');
  await page.goto(address);
  const more = page.getByRole('button', { name: 'More actions for How cold?' });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'History of How cold?' })).toBeFocused();
  await page.keyboard.press('Enter');
  const history = page.getByRole('dialog', { name: 'History' });
  const comparison = history.getByRole('region', { name: 'Compared with now' });
  await expect(comparison.getByText('Is Published')).toBeVisible();
  await expect(comparison.getByRole('deletion').filter({ hasText: 'five' })).toHaveCSS(
    'text-decoration-line',
    'line-through',
  );
  await expect(comparison.getByRole('insertion').filter({ hasText: 'a.test' })).toHaveCSS(
    'text-decoration-line',
    'underline',
  );
  await expectAccessible(page);

  await history.getByRole('radio', { checked: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(comparison.getByText('This is what it is now.')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(comparison.getByText('Is Published')).toBeVisible();
  await history.getByRole('button', { name: 'Restore' }).focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog', { name: 'Restore Revision' });
  await question.getByRole('button', { name: 'Restore revision' }).focus();
  await Promise.all([expectToast(page, 'Success! Q&A has been restored.'), page.keyboard.press('Enter')]);
  await expect(question).toBeHidden();
  await expect(history.getByRole('radio')).toHaveCount(3);
  await expect(comparison.getByText('This is what it is now.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(history).toBeHidden();
  await expect(more).toBeFocused();
  await expect(contentRow(page, 'How cold?').getByRole('cell', { name: 'Yes' })).toBeVisible();
});

test(`${EDITS} revisions fit wide and narrow screens, and axe finds nothing [DECISIONS §13]`, async ({
  signedIn: page,
}) => {
  test.slow();
  const name = 'Often revised';
  const { faqId } = await makePlace(page, name);
  await edit(page, faqId, name);
  await openFaqs(page, name);
  await chooseContentAction(page, name, 'History of');
  const history = page.getByRole('dialog', { name: 'History' });
  await expect(history.getByRole('radio')).toHaveCount(EDITS);
  await expectAccessibleAtAnyWidth(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await history.getByRole('radio').last().check();
    await expect(history.getByRole('deletion').filter({ hasText: /^Only then: 1$/ })).toBeVisible();
    await expect(history.getByRole('button', { name: 'Restore' })).toBeInViewport();
    const overflow = await history.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

test.describe('a Viewer', () => {
  test.use({ expectedErrors: [/status of 403/] });

  test('sees revisions and compares them, and is told why none is restored [DECISIONS §13]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    const { faqId, faq } = await makePlace(page, 'Only seen');
    await sendCall(page, '/faq/edit', { id: faqId, name: faq, code: crypto.randomUUID() }, 'PUT');
    await page.goto('/users');
    await createUser(page, 'revi', 'Viewer');
    const viewer = await openBrowser();
    await signIn(viewer, { username: 'revi', password: PASSWORD });
    await openFaqs(viewer, faq);
    await chooseContentAction(viewer, faq, 'History of');
    await expect(viewer.getByRole('radio')).toHaveCount(2);
    const restore = viewer.getByRole('button', { name: 'Restore', exact: true });
    await expect(restore).toHaveAttribute('aria-disabled', 'true');
    await expect(restore).toHaveAttribute('title', /^Your role lacks the permission 'Create and edit FAQs'\./);
    await expectAccessibleAtAnyWidth(viewer);
  });
});

/** Edits an FAQ so often that its first revision is the last one that is kept. */
async function edit(page: Page, id: string, name: string): Promise<void> {
  const code = crypto.randomUUID();
  for (let text = 1; text <= EDITS; text += 1) {
    await sendCall(page, '/faq/edit', { id, name, code, overview: `<p>Text ${text}</p>` }, 'PUT');
  }
}
