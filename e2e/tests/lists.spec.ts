import type { Locator, Page } from '@playwright/test';
import { contentRow, openCreate, sendContent } from '../faqs-screen.ts';
import { expect, expectFocusIn, expectNoDialog, expectToast, test } from '../fixtures.ts';
import { holdToasts } from '../held-toasts.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { query } from '../postgres.ts';
import { chooseAction, tenantRow } from '../tenants-screen.ts';

/** Makes an FAQ with this many sections. @returns its id */
async function insertSections(name: string, count: number): Promise<string> {
  const [{ id }] = await query(
    'apotheca',
    `insert into faqs (name, code, overview, sort_order, is_active, published, created_at, updated_at)
     values ($1, $1, '', 0, true, true, now(), now()) returning id`,
    [name],
  );
  await query(
    'apotheca',
    `insert into faq_sections (faq_id, name, code, overview, icon, sort_order, is_active, published, created_at, updated_at)
     select $1, 'Section ' || n, 'S' || n, '', '', n - 1, true, true, now(), now() from generate_series(1, $2::integer) n`,
    [id, count],
  );
  return id;
}

/** Notes the rows that are marked from now on: each is for some seconds only, and a test may look later. @returns reads their names */
async function noteMarked(page: Page): Promise<() => Promise<string[]>> {
  const noted = await page.evaluateHandle(() => {
    const names = new Set<string>();
    new MutationObserver(() => {
      for (const name of document.querySelectorAll('tr.marked > th')) names.add(name.textContent);
    }).observe(document, { attributeFilter: ['class'], childList: true, subtree: true });
    return names;
  });
  return () => noted.evaluate((names) => [...names]);
}

test('in a list of 320 rows a changed row is scrolled to and marked, or reported as hidden [§2.17] [§9]', async ({
  signedIn: page,
}) => {
  const id = await insertSections('LISTED', 320);
  await page.goto(`/faq/LISTED/${id}`);
  await expect(page.getByText('Displaying 320 of 320 results')).toBeVisible();
  const marked = await noteMarked(page);

  const create = await openCreate(page, 'Section');
  await create.getByLabel('Section Name').fill('Far away');
  await create.getByLabel('Section Code').fill('FAR');
  await create.getByLabel('Sort Order').fill('200');
  await sendContent(create, 'Create');
  await expect.poll(marked).toEqual(['Far away']);
  await expect(contentRow(page, 'Far away')).toBeInViewport({ ratio: 1 });
  await expect(contentRow(page, 'Far away')).not.toHaveClass('marked');

  await page.getByRole('searchbox', { name: /^Filter/ }).fill('S310');
  await expect(page.getByText('Displaying 1 of 321 results')).toBeVisible();
  const another = await openCreate(page, 'Section');
  await another.getByLabel('Section Name').fill('Elsewhere');
  await another.getByLabel('Section Code').fill('ELSE');
  await another.getByLabel('Sort Order').fill('100');
  await sendContent(another, 'Create');
  await expect(page.getByText('The section that was saved is hidden by the filter.')).toBeVisible();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(marked).toEqual(['Far away', 'Elsewhere']);
  await expect(contentRow(page, 'Elsewhere')).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('searchbox', { name: /^Filter/ })).toBeFocused();
});

test('a filter shows the first rows that it finds, also in a list that is scrolled to its end [§2.6]', async ({
  signedIn: page,
}) => {
  const id = await insertSections('NARROWED', 320);
  await page.goto(`/faq/NARROWED/${id}`);
  await expect(page.getByText('Displaying 320 of 320 results')).toBeVisible();
  await page.locator('.data-table-scroller').evaluate((rows) => rows.scrollTo({ top: rows.scrollHeight }));
  await expect(contentRow(page, 'Section 320')).toBeInViewport();
  await page.getByRole('searchbox', { name: /^Filter/ }).fill('S1');
  await expect(page.getByText('Displaying 111 of 320 results')).toBeVisible();
  await expect(page.locator('tr[aria-rowindex="2"]')).toBeInViewport({ ratio: 1 });
});

for (const count of [250, 320])
  test(`Back leads to where a list of ${count} rows was left, with the focus in its row [§2.6]`, async ({
    signedIn: page,
  }) => {
    const id = await insertSections(`LEFT${count}`, count);
    await page.goto(`/faq/LEFT${count}/${id}`);
    await expect(page.getByText(`Displaying ${count} of ${count} results`)).toBeVisible();
    const row = contentRow(page, 'Section 200');
    const name = row.getByRole('link', { name: 'Section 200', exact: true });
    // Rows out of sight may not be drawn yet.
    const list = page.locator('.data-table-scroller');
    const scroll = () => list.evaluate((rows, part) => rows.scrollTo({ top: rows.scrollHeight * part }), 198 / count);
    await expect.poll(() => scroll().then(() => row.count())).toBe(1);
    // By key: what is drawn of the rows above meanwhile moves it while it is pressed.
    await name.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: 'Question & Answer Management' })).toBeVisible();
    await page.goBack();
    await expect(row).toBeInViewport({ ratio: 1 });
    await expect(name).toBeFocused();
  });

test('changes by other users appear once the window has the focus again [§2.17]', async ({ signedIn: page }) => {
  const id = await insertSections('FOCUSED', 2);
  await page.goto(`/faq/FOCUSED/${id}`);
  await expect(contentRow(page, 'Section 2')).toBeVisible();
  await query('apotheca', "update faq_sections set name = 'Renamed' where faq_id = $1 and code = 'S2'", [id]);
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(contentRow(page, 'Renamed')).toBeVisible();
  await query('apotheca', "update faq_sections set name = 'Again' where faq_id = $1 and code = 'S2'", [id]);
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expect(contentRow(page, 'Again')).toBeVisible();
});

test('a deactivated tenant is marked next to its code, and Undo activates it again [§2.6]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'LISTUNDO');
  await holdToasts(page);
  await chooseAction(page, 'LISTUNDO', 'Deactivate');
  const row = tenantRow(page, 'LISTUNDO');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.waitFor();
  await page.keyboard.press('Alt+t');
  await page.keyboard.press('Tab');
  await expectFocusIn(undo);
  await expect(row.getByText('Inactive')).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(row.getByText('Inactive')).toHaveCount(0);
  expect(await query('apotheca', "select is_active from tenants where code = 'LISTUNDO'")).toEqual([
    { is_active: true },
  ]);
});

test('a row’s menu does not cover the top bar, even when it opens above its row [§2.20]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'LISTMENU');
  await page.setViewportSize({ width: 1280, height: 300 });
  const more = tenantRow(page, 'LISTMENU').getByRole('button', { name: /more/i });
  await more.evaluate((button) => button.scrollIntoView({ block: 'center' }));
  await more.click();
  const bar = await page.locator('.main-header').boundingBox();
  const menu = await page.getByRole('menu').boundingBox();
  expect(menu?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  expect(menu?.height).toBeGreaterThan(30);
});

/** The buttons and fields that are less than 44 px high. */
const tooLow = (part: Page | Locator) =>
  part.locator('button:visible, select:visible, input:is([type=text], [type=search]):visible').evaluateAll((found) => {
    if (found.length === 0) return ['there is nothing to press'];
    return found.filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.outerHTML.slice(0, 200));
  });

test('on a phone all tabs of Manage are visible and all buttons are 44 px high [§2.8]', async ({ signedIn: page }) => {
  await addTenant(page, 'LISTPHONE');
  await page.setViewportSize({ width: 390, height: 844 });
  const actions = tenantRow(page, 'LISTPHONE').getByRole('button', { name: /^Actions for / });
  await expect(tenantRow(page, 'LISTPHONE').locator('.row-actions').getByRole('button')).toHaveCount(1);
  expect(await actions.boundingBox()).toMatchObject({ width: 44, height: 44 });
  expect(await tooLow(page)).toEqual([]);
  await actions.click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  expect(await tooLow(page.getByRole('menu'))).toEqual([]);
  await page.getByRole('menuitem', { name: /^Edit/ }).click();
  const notes = page.getByRole('dialog').getByRole('textbox', { name: 'Instance Notes' });
  await expect(notes).toHaveCSS('resize', 'none');
  await page.keyboard.press('Escape');
  await expectNoDialog(page);
  await actions.click();
  await page.getByRole('menuitem', { name: /^Manage/ }).click();
  const modal = page.getByRole('dialog', { name: 'Manage Tenant' });
  await modal.getByRole('tab', { name: 'Permissions' }).click();
  for (const tab of await modal.getByRole('tab').all()) await expect(tab).toBeInViewport({ ratio: 1 });
  expect(await tooLow(modal)).toEqual([]);
  await modal.getByRole('button', { name: 'Sync Permissions' }).click();
  const own = modal.getByRole('region', { name: 'Permissions of this tenant' });
  const faqs = own.getByRole('switch', { name: /faqs\.write/ });
  await faqs.focus();
  await page.keyboard.press('Space');
  await expect(faqs).not.toBeChecked();
  // The switch moves before the server has switched the permission off.
  await expectToast(page, /is off for this tenant\./);
  await modal.getByRole('button', { name: 'Sync Permissions' }).click();
  await expect(modal.getByText('Kept off').locator('xpath=following-sibling::*[1]')).toHaveText('1');
  await expect(faqs).not.toBeChecked();
});
