import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessibleAtAnyWidth, expectNoDialog, expectToast, signIn, test } from '../fixtures.ts';
import { query } from '../postgres.ts';
import { tenantRow } from '../tenants-screen.ts';
import { createUser, fillPassword, PASSWORD, userRow } from '../users-screen.ts';

// A file that cannot be read, and a call that a Viewer may not make.
test.use({ expectedErrors: [/status of 40[03]/] });

const HEADINGS = 'Tenant Code,Customer Name/Code,First Name,Last Name,Email,Phone,EMR,Time Zone,Database Name,City';
const tenantLine = (code: string, city: string) =>
  `${code},Clinic ${code},Ines,Moreau,ines@silverlake.test,+1 555 0134,athenahealth,America/New_York,${code},${city}`;

async function openImport(page: Page, path: string, title: string): Promise<Locator> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  return page.getByRole('dialog', { name: title });
}

const choose = (dialog: Locator, lines: readonly string[]) =>
  dialog.getByLabel('CSV file').setInputFiles({
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n')),
  });

test('tenants are imported from a file, by keyboard, and each row has its result [§2.21]', async ({
  signedIn: page,
}) => {
  const dialog = await openImport(page, '/tenants', 'Import Tenants');
  await expect(dialog.getByText('What the columns mean')).toBeVisible();
  await dialog.getByText('What the columns mean').press('Enter');
  await expect(dialog.getByText('in every file')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await choose(dialog, ['Tenant Code,Colour', 'IMPORTED,blue']);
  await expect(dialog.getByText(/unknown ones: 'Colour'/)).toBeVisible();
  const lines = [HEADINGS, tenantLine('IMPORTED', 'Aspen'), tenantLine('IMPORTED', 'Everett'), ',,,,,,,,,x'];
  await choose(dialog, lines);
  await expect(dialog.getByText('1 will be created and 2 rows are refused.')).toBeVisible();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Create 1', exact: true }).press('Enter');
  await expectToast(page, '1 tenant created, 0 changed and 2 rows refused.');
  await expect(dialog.getByText('Line 3')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).press('Enter'),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('2,IMPORTED,created,');
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Another file' }).click();
  await choose(dialog, lines.slice(0, 2));
  await expect(dialog.getByText('1 is as it was.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Nothing to import' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(tenantRow(page, 'IMPORTED')).toBeVisible();
});

test('300 rows fit any screen, and their report is there afterwards; a template is taken as it is [§2.21]', async ({
  signedIn: page,
}) => {
  const dialog = await openImport(page, '/faqs', 'Import FAQs');
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Template' }).click(),
  ]);
  await dialog.getByLabel('CSV file').setInputFiles(await template.path());
  await expect(dialog.getByText('1 will be created.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Another file' }).click();
  const lines = Array.from({ length: 300 }, (_, index) => `MANY,Many,S,Section,Question ${index}?,Answer ${index}.`);
  await choose(dialog, ['FAQ Code,FAQ Name,Section Code,Section Name,Question,Answer', ...lines]);
  await expect(dialog.getByText('300 will be created.')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(300);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = await dialog.evaluate((node) => node.scrollWidth > node.clientWidth);
    expect(wide, `nothing is cut off at ${width} px`).toBe(false);
  }
  await dialog.getByRole('button', { name: 'Create 300' }).click();
  await expectToast(page, '300 questions created and 0 changed.');
  await page.reload();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByRole('button', { name: 'Last import' }).click();
  await expect(dialog.getByText('300 were created.')).toBeVisible();
  const rows = await query(
    'apotheca',
    "select question from faq_questions where question like 'Question %' order by sort_order",
  );
  expect(rows.map(({ question }) => question)).toEqual(lines.map((_, index) => `Question ${index}?`));
});

test('a Viewer is told that they may not import [§2.21]', async ({ signedIn: page, openBrowser }) => {
  await page.goto('/users');
  await createUser(page, 'importless', 'Viewer');
  const other = await openBrowser();
  await signIn(other, { username: 'importless', password: PASSWORD });
  await other.goto('/users');
  const open = other.getByRole('button', { name: 'Import', exact: true });
  await expect(open).toBeDisabled();
  await Promise.all([
    expectToast(other, /^Your role lacks the permission 'Create and edit users'\./),
    open.press('Enter'),
  ]);
  await expectAccessibleAtAnyWidth(other);
});

test('an imported user has no password until one is set [§2.21]', async ({ signedIn: page, openBrowser }) => {
  const dialog = await openImport(page, '/users', 'Import Users');
  await choose(dialog, [
    'User Name;First Name;Last Name;Access Role;Clinical Role',
    'from.file;Ada;Jensen;Viewer;None',
  ]);
  await dialog.getByRole('button', { name: 'Create 1', exact: true }).click();
  await expectToast(page, '1 user created and 0 changed.');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expectNoDialog(page);
  // By key: users that other tests add move the row while it is pressed.
  await userRow(page, 'from.file').getByRole('button', { name: /edit/i }).press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit User' });
  await fillPassword(edit, PASSWORD);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toBeHidden();
  await signIn(await openBrowser(), { username: 'from.file', password: PASSWORD });
});
