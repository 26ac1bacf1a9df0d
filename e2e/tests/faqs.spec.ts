import {
  chooseContentAction,
  contentNames,
  contentRow,
  makePlace,
  openCreate,
  openFaqs,
  openPreview,
  richText,
  sendCall,
  sendContent,
  unfold,
} from '../faqs-screen.ts';
import { expect, expectToast, signIn, test } from '../fixtures.ts';
import { query } from '../postgres.ts';

/** Characters with a meaning in addresses. */
const NAMES = {
  faq: 'Recalls / "100%" & <returns>? #1 💊',
  section: "50% off / what's next? #2 + 3 = 5",
};

/** Waits until a move is stored. A move is shown before it is sent, so a reload could cancel it. */
const expectStored = (select: string, id: string, names: string[]) =>
  expect.poll(async () => (await query('apotheca', select, [id])).map(({ name }) => name)).toEqual(names);

test('an FAQ, a section and a question are created, found again by their address, and deleted with their content [§2.16] [§2.17] [§2.18] [§2.19]', async ({
  dashboard: page,
}) => {
  await page.getByRole('link', { name: "FAQ's Management" }).first().click();
  const faqDialog = await openCreate(page, 'FAQ');
  await faqDialog.getByLabel('FAQ Name').fill(NAMES.faq);
  await faqDialog.getByLabel('FAQ Code').fill('RECALLS');
  await richText(faqDialog, 'Overview').fill('All about recalls');
  await Promise.all([expectToast(page, 'Success! FAQ has been Created.'), sendContent(faqDialog, 'Create')]);
  const filter = page.getByRole('searchbox', { name: 'Filter FAQs' });
  await filter.fill(NAMES.faq);
  await expect(contentNames(page)).toHaveText([NAMES.faq]);
  await expect(contentRow(page, NAMES.faq)).toContainText(/RECALLS\s*Active\s*Yes/);
  await expect(page.getByText(/^Displaying 1 of \d+ results/)).toBeVisible();

  await page.getByRole('link', { name: `View FAQ Section: ${NAMES.faq}`, exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Section Management' })).toBeVisible();
  await expect(page.getByText('No sections found!')).toBeVisible();
  const sectionDialog = await openCreate(page, 'Section');
  await expect(sectionDialog.getByLabel('FAQ', { exact: true }).locator('option:checked')).toHaveText(NAMES.faq);
  await sectionDialog.getByLabel('Section Name').fill(NAMES.section);
  await sectionDialog.getByLabel('Section Code').fill('OFF');
  await Promise.all([expectToast(page, 'Success! Section has been Created.'), sendContent(sectionDialog, 'Create')]);

  await chooseContentAction(page, NAMES.section, 'View Section Q&A:');
  await expect(page.getByText(`${NAMES.faq} › ${NAMES.section}`)).toBeVisible();
  await page.reload();
  await expect(page.getByText(`${NAMES.faq} › ${NAMES.section}`)).toBeVisible();
  const questionDialog = await openCreate(page, 'Q&A');
  await expect(questionDialog.getByLabel('Section', { exact: true }).locator('option:checked')).toHaveText(
    NAMES.section,
  );
  await questionDialog.getByLabel('Question', { exact: true }).fill('Who is told?');
  await richText(questionDialog, 'Answer').fill('Every patient.');
  await Promise.all([expectToast(page, 'Success! Q&A has been Created.'), sendContent(questionDialog, 'Create')]);
  await expect(contentRow(page, 'Who is told?')).toContainText(/0\s*Active\s*Yes/);

  const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
  await trail.getByRole('link', { name: 'Section Management' }).click();
  await expect(contentNames(page)).toHaveText([NAMES.section]);
  await page.reload();
  await expect(contentNames(page)).toHaveText([NAMES.section]);
  await page.goBack();
  await expect(contentNames(page)).toHaveText(['Who is told?']);
  await page.goForward();
  await expect(contentNames(page)).toHaveText([NAMES.section]);
  await trail.getByRole('link', { name: "FAQ's Management" }).click();
  await filter.fill(NAMES.faq);
  await expect(contentNames(page)).toHaveText([NAMES.faq]);

  await chooseContentAction(page, NAMES.faq, 'Delete FAQ:');
  const confirmation = page.getByRole('dialog', { name: 'Delete FAQ' });
  await expect(confirmation).toContainText(`The FAQ “${NAMES.faq}” is deleted for good.`);
  await expect(confirmation.getByRole('status')).toContainText('1 section and 1 question');
  await confirmation.getByRole('button', { name: 'Delete FAQ' }).click();
  await expectToast(page, 'FAQ deleted with 1 section and 1 question.');
  await expect(contentRow(page, NAMES.faq)).toHaveCount(0);
});

test('the sections to choose from follow the FAQ, and a question can move to another FAQ [§2.19]', async ({
  signedIn: page,
}) => {
  const [here, there] = [await makePlace(page, 'Here'), await makePlace(page, 'There')];
  await sendCall(page, '/faqquestionans/create', { ...here, question: 'Mobile?', answer: 'Yes', sortOrder: 0 });
  await page.goto(here.address);
  await page.getByRole('button', { name: 'Edit: Mobile?' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Question & Answer' });
  const section = dialog.getByLabel('Section', { exact: true });
  await expect(section.locator('option:checked')).toHaveText(here.section);
  await dialog.getByLabel('FAQ', { exact: true }).selectOption({ label: 'Select FAQ' });
  await expect(section.locator('option')).toHaveText(['Select Section']);
  await dialog.getByLabel('FAQ', { exact: true }).selectOption({ label: there.faq });
  await expect(section.locator('option')).toHaveText(['Select Section', there.section]);
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(dialog.getByText('Section is Required')).toBeVisible();
  await section.selectOption({ label: there.section });
  await Promise.all([expectToast(page, 'Success! Q&A has been updated.'), sendContent(dialog, 'Edit')]);
  await expect(page.getByText('No questions found!')).toBeVisible();
  await page.goto(there.address);
  await expect(contentNames(page)).toHaveText(['Mobile?']);
});

test.describe('order', () => {
  test.use({ expectedErrors: [/status of 404/] });

  test('sections and questions move up and down and stay there; moving a deleted one says that it is gone [§2.17] [§2.18] [§4]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    const place = await makePlace(page, 'Order');
    for (const [index, question] of ['One?', 'Two?', 'Three?'].entries()) {
      await sendCall(page, '/faqquestionans/create', { ...place, question, answer: 'Yes', sortOrder: index });
    }
    await page.goto(place.address);
    await expect(contentNames(page)).toHaveText(['One?', 'Two?', 'Three?']);
    await expect(page.getByRole('button', { name: 'Move Up: One?' })).toBeDisabled();
    await page.getByRole('button', { name: 'Move Down: One?' }).click();
    await expect(contentNames(page)).toHaveText(['Two?', 'One?', 'Three?']);
    await page.getByRole('button', { name: 'Move Up: Three?' }).click();
    await page.getByRole('button', { name: 'Move Up: Three?' }).click();
    await expect(page.getByRole('button', { name: 'Move Up: Three?' })).toBeDisabled();
    await expectStored(
      'select question as name from faq_questions where section_id = $1 order by sort_order',
      place.sectionId,
      ['Three?', 'Two?', 'One?'],
    );
    await page.reload();
    await expect(contentNames(page)).toHaveText(['Three?', 'Two?', 'One?']);
    await expect(contentRow(page, 'Two?')).toContainText('1');
    await page.getByRole('searchbox', { name: 'Filter questions' }).fill('one');
    await expect(contentNames(page)).toHaveText(['One?']);
    await expect(page.getByRole('button', { name: 'Move Up: One? (clear the filter first)' })).toBeDisabled();
    await page.getByRole('searchbox', { name: 'Filter questions' }).fill('four');
    await expect(page.getByText('No questions match')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(contentNames(page)).toHaveText(['Three?', 'Two?', 'One?']);

    await page.getByRole('link', { name: 'Section Management' }).click();
    const { faqId } = place;
    await sendCall(page, '/faqsection/create', { faqId, name: 'Second', code: 'S2', overview: '', sortOrder: 1 });
    await page.reload();
    await page.getByRole('button', { name: 'Move Up: Second' }).click();
    await expect(contentNames(page)).toHaveText(['Second', place.section]);
    await expectStored('select name from faq_sections where faq_id = $1 order by sort_order', faqId, [
      'Second',
      place.section,
    ]);
    await page.reload();
    await expect(contentNames(page)).toHaveText(['Second', place.section]);

    const other = await openBrowser();
    await signIn(other);
    await other.goto(page.url());
    await chooseContentAction(other, 'Second', 'Delete:');
    const confirmation = other.getByRole('dialog', { name: 'Delete FAQ Section' });
    await expect(confirmation.getByRole('status')).toContainText('also deletes nothing else');
    await confirmation.getByRole('button', { name: 'Delete FAQ Section' }).click();
    await expectToast(other, 'Section deleted.');
    const refusal = expectToast(page, 'There is no such section.');
    await page.getByRole('button', { name: 'Move Down: Second' }).click();
    await refusal;
    await expect(contentNames(page)).toHaveText([place.section]);
  });
});

test('the preview says why readers do not see something, and the search finds it at every level [§2.16] [DECISIONS §11]', async ({
  signedIn: page,
}) => {
  const place = await makePlace(page, 'Quarantine');
  const { faqId } = place;
  const closed = await sendCall(page, '/faqsection/create', {
    ...{ faqId, name: 'Closed zebrafish', code: 'S2', overview: '', sortOrder: 1 },
    isActive: false,
  });
  const answer = '<p>Striped like a <strong>zebra</strong>fish, they say.</p>';
  for (const [sectionId, question, published] of [
    [place.sectionId, 'Shown?', true],
    [place.sectionId, 'Draft?', false],
    [closed, 'Inside?', true],
  ] as const) {
    await sendCall(page, '/faqquestionans/create', { faqId, sectionId, question, answer, sortOrder: 0, published });
  }
  await openFaqs(page, place.faq);
  const preview = await openPreview(page, place.faq);
  await expect(preview.getByText(place.section)).toBeVisible();
  await unfold(preview);
  await expect(preview.getByRole('group')).toHaveText([/Quarantine section.*Shown\?/, /^Shown\?/]);
  await preview.getByRole('checkbox', { name: 'Show what is hidden' }).check();
  await expect(preview.getByText('Closed zebrafish')).toBeVisible();
  await unfold(preview);
  const summary = (text: string) => preview.locator('summary').filter({ hasText: text });
  await expect(summary('Draft?')).toContainText('Not published');
  await expect(summary('Closed zebrafish')).toContainText('Inactive');
  await expect(summary('Inside?')).toContainText('Published, but its section is inactive');
  await expect(summary('Shown?')).toHaveText('Shown?');
  await preview.getByRole('button', { name: 'Close' }).last().click();
  await expect(preview).toBeHidden();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(preview.getByText('All FAQs, as readers see them')).toBeVisible();
  await expect(preview.getByRole('heading', { name: place.faq, level: 3 })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();

  const search = page.getByRole('searchbox', { name: 'Search in all FAQs, sections and answers' });
  await search.fill('quarantine');
  await expect(page.getByText(/^\d+ results?$/)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Quarantine', exact: true })).toBeVisible();
  await expect(page.getByText('FAQ Section › Quarantine', { exact: true }).first()).toBeVisible();
  await search.fill('zebrafish');
  await expect(page.getByText('4 results')).toBeVisible();
  await expect(page.locator('mark')).toHaveText(Array(4).fill('zebrafish'));
  const hit = page.getByRole('listitem').filter({ hasText: 'Q&A › Quarantine › Closed zebrafish' });
  await expect(hit).toContainText('Striped like a zebrafish, they say.');
  await hit.getByRole('link', { name: 'Inside?' }).click();
  await expect(contentNames(page)).toHaveText(['Inside?']);
  await expect(page.getByRole('searchbox', { name: 'Filter questions' })).toHaveValue('Inside?');
  await page.goBack();
  await expect(search).toHaveValue('zebrafish');
  await search.fill('no such words');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await search.fill('');
  await page.getByRole('searchbox', { name: 'Filter FAQs' }).fill('quaran');
  await expect(contentNames(page)).toHaveText(['Quarantine']);
});

test('on a phone a hidden question’s title keeps the width of its row [§2.16]', async ({ signedIn: page }) => {
  const { faq, section, faqId, sectionId } = await makePlace(page, 'Narrow');
  const question = 'What is to be done when the fridge has left its range of temperatures during the night?';
  const state = { isActive: false, published: false };
  await sendCall(page, '/faqquestionans/create', {
    faqId,
    sectionId,
    question,
    answer: '<p>A</p>',
    sortOrder: 0,
    ...state,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await openFaqs(page, faq);
  await page.getByRole('button', { name: `Actions for ${faq}`, exact: true }).click();
  await page.getByRole('menuitem', { name: /^Preview/ }).click();
  const preview = page.getByRole('dialog', { name: 'Preview' });
  await preview.getByLabel('Show what is hidden').check();
  await expect(preview.getByText(section)).toBeVisible();
  await unfold(preview);
  const row = preview.locator('summary').filter({ hasText: question });
  const title = await row.getByText(question).boundingBox();
  await expect(row.getByText('Not published and inactive')).toBeInViewport({ ratio: 1 });
  expect(title?.width).toBeGreaterThan(200);
});

test.describe('an FAQ that another user has changed meanwhile', () => {
  test.use({ expectedErrors: [/status of 409/] });

  test('is not overwritten: typed text stays, and the notice says who changed what [DECISIONS §10] [§4]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    const { faq } = await makePlace(page, 'Stale');
    const second = await openBrowser();
    await signIn(second);
    for (const one of [page, second]) {
      await openFaqs(one, faq);
      await one.getByRole('button', { name: `Edit FAQ: ${faq}`, exact: true }).click();
    }
    const early = page.getByRole('dialog', { name: 'Edit FAQ' });
    const late = second.getByRole('dialog', { name: 'Edit FAQ' });
    await richText(late, 'Overview').fill('Their words');
    await richText(early, 'Overview').fill('My words');
    await early.getByLabel('FAQ Name').fill('Stale no more');
    await early.getByLabel('Is Published').uncheck();
    await Promise.all([expectToast(page, 'Success! FAQ has been updated.'), sendContent(early, 'Edit')]);

    await late.getByRole('button', { name: 'Edit', exact: true }).click();
    const notice = late.getByRole('alert').filter({ hasText: 'Changed meanwhile: nothing is saved yet' });
    await expect(notice).toContainText('FAQ Name: Stale → Stale no more, by admin');
    await expect(notice).toContainText('Overview: (empty) → My words, by admin');
    await expect(notice).toContainText('Is Published: Yes → No, by admin');
    await expect(late.getByLabel('FAQ Name')).toHaveValue('Stale no more');
    await expect(late.getByLabel('Is Published')).not.toBeChecked();
    await expect(richText(late, 'Overview')).toHaveText('Their words');
    await sendContent(late, 'Edit');

    await page.reload();
    await expect(contentRow(page, 'Stale no more')).toContainText('No');
    const preview = await openPreview(page, 'Stale no more');
    await preview.getByRole('checkbox', { name: 'Show what is hidden' }).check();
    await expect(preview.getByText('Their words')).toBeVisible();
  });
});
