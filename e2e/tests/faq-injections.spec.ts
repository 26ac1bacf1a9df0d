import type { Page } from '@playwright/test';
import { INJECTIONS } from '../../api/src/testing/injections.ts';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import {
  makePlace,
  openCreate,
  openFaqs,
  openPreview,
  pasteHtml,
  richText,
  sendCall,
  sendContent,
  unfold,
} from '../faqs-screen.ts';
import { expect, expectNoDialog, signIn, test } from '../fixtures.ts';
import { query } from '../postgres.ts';
import { findForeign, watchScripts } from '../script-watch.ts';
import { server } from '../server.ts';

interface Entry {
  number: number;
  html: string;
}

type Groups = readonly Entry[][];

const entries: Entry[] = INJECTIONS.map((html, index) => ({ number: index + 1, html }));
/** Questions in one section: as many as a list draws without virtual rows. */
const SIZE = 20;
const groups = Array.from({ length: Math.ceil(entries.length / SIZE) }, (_, group) =>
  entries.slice(group * SIZE, (group + 1) * SIZE),
);
/** Opening an editor for each is slow. */
const HALVES = [
  ['the first half', groups.slice(0, groups.length / 2)],
  ['the second half', groups.slice(groups.length / 2)],
] as const;
/** All ways of storing are shown by the same dialogs. */
const sampleOf = (way: number) => [['every twelfth group', groups.filter((_, index) => index % 12 === way)]] as const;
/** Each is also in a name, where it must stay text. */
const nameOf = ({ number, html }: Entry) => `${number}: ${html}`.slice(0, 250);
const SEARCH = 'Search in all FAQs, sections and answers';

// Hundreds of dialogs are opened here, and a trace would record each.
test.use({ trace: 'off' });

test('the watch sees unsanitized injections [§5]', async ({ browser }) => {
  const page = await browser.newPage();
  const findings = await watchScripts(page, server.url());
  await page.goto('about:blank');
  await page.setContent('<img src=x onerror=alert(1)>');
  await expect.poll(() => findings).toContain('alert(1)');
  let foreign = 0;
  for (const { html } of entries) {
    await page.evaluate((text) => {
      document.body.innerHTML = `<div class="rich-text">${text}</div>`;
    }, html);
    if ((await findForeign(page)).length > 0) foreign += 1;
  }
  expect(foreign).toBeGreaterThan(200);
  await expect.poll(() => findings.length).toBeGreaterThan(60);
  await expect.poll(() => findings).toEqual(expect.arrayContaining(['a frame', 'asked for https://evil.test/x.css']));
  await page.close();
});

for (const { title, store, storeOverviews, bypassCSP, parts } of [
  {
    title: 'stored through the API',
    store: storeByCalls,
    storeOverviews: storeOverviewsByCalls,
    bypassCSP: false,
    parts: IS_LONG_RUN ? HALVES : sampleOf(0),
  },
  // Without the policy only the console's own sanitizing prevents scripts.
  {
    title: 'written into the database, without the content security policy',
    store: storeByStatements,
    storeOverviews: storeOverviewsByStatements,
    bypassCSP: true,
    parts: IS_LONG_RUN ? HALVES : sampleOf(1),
  },
]) {
  test.describe(`injections ${title}`, () => {
    test.use({ bypassCSP });
    let findings: string[];
    test.beforeEach(async ({ page }) => {
      findings = await watchScripts(page, server.url());
      await signIn(page);
      if (bypassCSP) await proveWatch(page, findings);
    });
    test.afterEach(() => expect(findings).toEqual([]));

    test('do nothing in the preview and the search [§5] [DECISIONS §11]', async ({ page }) => {
      const faq = await store(page, groups);
      await openFaqs(page, faq);
      const preview = await openPreview(page, faq);
      await expect(preview.getByRole('group')).toHaveCount(groups.length);
      await unfold(preview);
      await expect(preview.locator('.rich-text')).toHaveCount(groups.length + entries.length);
      await expect(preview.locator('summary').getByText(/^\d+: /)).toHaveText(entries.map(nameOf));
      expect(await findForeign(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(preview).toBeHidden();

      for (const text of ['alert(1)', 'onerror', '<svg']) {
        await page.getByRole('searchbox', { name: SEARCH }).fill(text);
        await expect(page.locator('mark').first()).toHaveText(text);
        expect(await findForeign(page)).toEqual([]);
      }
    });

    test('do nothing in the overviews of sections [§5] [DECISIONS §11]', async ({ page }) => {
      const faq = await storeOverviews(page);
      await openFaqs(page, faq);
      const preview = await openPreview(page, faq);
      await expect(preview.getByRole('group')).toHaveCount(entries.length);
      await unfold(preview);
      await expect(preview.locator('.rich-text')).toHaveCount(entries.length);
      expect(await findForeign(page)).toEqual([]);
    });

    for (const [part, some] of parts) {
      test(`do nothing in the lists, the dialogs and the editor: ${part} [§5] [DECISIONS §11]`, async ({ page }) => {
        const faq = await store(page, some);
        await openFaqs(page, faq);
        await page.getByRole('link', { name: faq, exact: true }).click();
        for (const [index, group] of some.entries()) {
          await page.getByRole('link', { name: new RegExp(`^Group ${index}: `) }).click();
          await expect(page.getByRole('rowheader')).toHaveText(group.map(nameOf));
          for (const { number } of group) await inspectEditor(page, number);
          await inspectConfirmation(page, group);
          await page.getByRole('link', { name: 'Section Management' }).click();
        }
      });
    }
  });
}

test.describe('injections from the clipboard and the keyboard', () => {
  // Under the policy Chromium also reports violations in a document that is only parsed.
  test.use({ bypassCSP: true });

  test('do nothing in the editor or where its content is shown [§5]', async ({ page }) => {
    const findings = await watchScripts(page, server.url());
    await signIn(page);
    await proveWatch(page, findings);
    const { faq, address } = await makePlace(page, `Pasted ${crypto.randomUUID()}`);
    await page.goto(address);
    const dialog = await openCreate(page, 'Q&A');
    const editor = richText(dialog, 'Answer');
    await dialog.getByLabel('Question', { exact: true }).fill('Pasted?');
    await editor.click();
    for (const { html } of entries) {
      await pasteHtml(editor, html);
      expect(await findForeign(page)).toEqual([]);
    }
    for (const { html } of entries.slice(0, SIZE)) await page.keyboard.insertText(html);
    await expect(editor).toContainText('<script>alert(1)</script>');
    expect(await findForeign(page)).toEqual([]);
    await sendContent(dialog, 'Create');
    await openFaqs(page, faq);
    const preview = await openPreview(page, faq);
    await preview.getByText(`${faq} section`).click();
    await preview.getByText('Pasted?', { exact: true }).click();
    await expect(preview.getByText('<script>alert(1)</script>').first()).toBeVisible();
    expect(await findForeign(page)).toEqual([]);
    expect(findings).toEqual([]);
  });
});

/** The watch works in this page: an added script runs, and is seen. */
async function proveWatch(page: Page, findings: string[]): Promise<void> {
  await page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="alert(1)">'));
  await expect.poll(() => findings).toContain('alert(1)');
  expect(await findForeign(page)).toContain('onerror=alert(1)');
  await page.reload();
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible();
  findings.splice(0);
}

/** Opens a question for editing, collects the findings in the page, and closes it. */
async function inspectEditor(page: Page, number: number): Promise<void> {
  const dialog = page.getByRole('dialog');
  // Nothing moves or covers anything here: skipping Playwright's checks for that makes a click much faster.
  await page.getByRole('button', { name: new RegExp(`^Edit: ${number}: `) }).dispatchEvent('click');
  await richText(dialog, 'Answer').waitFor();
  await expect(dialog.getByLabel('Question')).toHaveValue(new RegExp(`^${number}: `));
  expect(await findForeign(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).dispatchEvent('click');
  await dialog.waitFor({ state: 'hidden' });
}

/** Opens the confirmation of deleting the first question of a list, which repeats its text. */
async function inspectConfirmation(page: Page, [first]: Entry[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Delete Q&A' });
  await expectNoDialog(page);
  await page.getByRole('button', { name: new RegExp(`^More actions for ${first?.number}: `) }).click();
  await page.getByRole('menuitem', { name: /^Delete: / }).click();
  await expect(dialog.getByText(`The Q&A “${first?.number}: `)).toBeVisible();
  expect(await findForeign(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Makes an FAQ with a section for each group. */
async function makeSections(page: Page, stored: Groups, overviewOf: (entry: Entry | undefined) => string) {
  const faq = `Injections ${crypto.randomUUID()}`;
  const faqId = await sendCall(page, '/faq/create', { name: faq, code: faq.slice(-36), overview: '' });
  const sectionIds: string[] = [];
  for (const [index, [first]] of stored.entries()) {
    const name = `Group ${index}: ${first?.html}`.slice(0, 250);
    const section = { faqId, name, code: `G${index}`, overview: overviewOf(first), sortOrder: index };
    sectionIds.push(await sendCall(page, '/faqsection/create', section));
  }
  return { faq, faqId, sectionIds };
}

/** With words next to it, so that the answer does not count as empty. */
const withText = (html = '') => `<p>x</p>${html}`;
/** A section for each. */
const ALONE: Groups = entries.map((entry) => [entry]);

/** Stores all injections as overviews, as a user would. @returns the name of the FAQ */
async function storeOverviewsByCalls(page: Page): Promise<string> {
  return (await makeSections(page, ALONE, (entry) => withText(entry?.html))).faq;
}

/** Writes all injections into the table as overviews. @returns the name of the FAQ */
async function storeOverviewsByStatements(page: Page): Promise<string> {
  const { faq, sectionIds } = await makeSections(page, ALONE, () => '');
  await query(
    'apotheca',
    `update faq_sections set overview = '<p>x</p>' || given.html
     from unnest($1::uuid[], $2::text[]) as given (id, html) where faq_sections.id = given.id`,
    [sectionIds, entries.map(({ html }) => html)],
  );
  return faq;
}

/** Stores all injections as a user would. @returns the name of the FAQ */
async function storeByCalls(page: Page, stored: Groups): Promise<string> {
  const { faq, faqId, sectionIds } = await makeSections(page, stored, (entry) => withText(entry?.html));
  const storeGroup = async (group: Entry[], sectionId: string | undefined) => {
    for (const [sortOrder, entry] of group.entries()) {
      const question = { faqId, sectionId, question: nameOf(entry), answer: withText(entry.html), sortOrder };
      await sendCall(page, '/faqquestionans/create', question);
    }
  };
  await Promise.all(stored.map((group, index) => storeGroup(group, sectionIds[index])));
  return faq;
}

/** Writes all injections into the tables as they are. @returns the name of the FAQ */
async function storeByStatements(page: Page, stored: Groups): Promise<string> {
  const { faq, sectionIds } = await makeSections(page, stored, () => '');
  for (const [index, group] of stored.entries()) {
    await query('apotheca', 'update faq_sections set overview = $2 where id = $1', [sectionIds[index], group[0]?.html]);
    await query(
      'apotheca',
      `insert into faq_questions (section_id, question, answer, sort_order, is_active, published, created_at, updated_at)
       select $1, question, answer, place - 1, true, true, now(), now()
       from unnest($2::text[], $3::text[]) with ordinality as given (question, answer, place)`,
      [sectionIds[index], group.map(nameOf), group.map(({ html }) => html)],
    );
  }
  return faq;
}
