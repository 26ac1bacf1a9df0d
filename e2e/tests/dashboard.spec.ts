import type { Page } from '@playwright/test';
import { databaseRow } from '../databases-screen.ts';
import { expect, expectAccessibleAtAnyWidth, expectToast, fetchWhole, signIn, test } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { query } from '../postgres.ts';
import { tenantRow } from '../tenants-screen.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

const group = (page: Page, title: RegExp) => page.getByRole('region', { name: title });
const EXPIRED = /subscriptions? ha(s|ve) expired/;
const FAILED = /operations? failed/;
/** Not those whose backup is late. */
const NO_BACKUP = /databases? ha(s|ve) no backup$/;

const endSubscription = (code: string, days: number) =>
  query(
    'apotheca',
    // In the server's zone, which is not that of this connection.
    `update tenants set subscription_start_date = (now() at time zone 'utc')::date - 400,
       subscription_end_date = (now() at time zone 'utc')::date + $2::int where code = $1`,
    [code, days],
  );
const failRestore = (code: string) =>
  query(
    'apotheca',
    `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, step, percent, cancellable,
       cancel_requested, attempts, size_bytes, message, created_at, finished_at)
     select gen_random_uuid(), 'restore', id, name, '{}', 'admin', 'server', 'failed', array['Restore'], 0, 0, false,
       false, 1, 0, 'The archive is damaged.', now(), now() from databases where name = $1`,
    [code],
  );

test('what is planted shows by itself, leads to exactly its records, and is gone once it is mended [§2.5] [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'DASHEND');
  await addTenant(page, 'DASHFINE');
  await page.goto('/');
  // A tenant made today is on no list of those that end.
  await expect(group(page, NO_BACKUP)).toBeVisible();
  await expect(group(page, /subscriptions? ends? within/).getByText(/DASHEND|DASHFINE/)).toHaveCount(0);

  await endSubscription('DASHEND', -3);
  await failRestore('DASHFINE');
  await expect(group(page, EXPIRED).getByRole('link', { name: 'DASHEND' })).toBeVisible();
  await expect(group(page, EXPIRED)).toContainText('ended 3 days ago');
  await expect(group(page, FAILED)).toContainText('restore: The archive is damaged.');
  // By key, as what follows: what other tests add to a group moves a link while it is pressed.
  await group(page, FAILED).getByRole('link', { name: 'DASHFINE' }).press('Enter');
  await expect(page).toHaveURL(/\/tenants\/DASHFINE/);
  await page.goBack();

  await group(page, EXPIRED)
    .getByRole('link', { name: /^Show all/ })
    .press('Enter');
  await expect(tenantRow(page, 'DASHEND')).toBeVisible();
  await expect(tenantRow(page, 'DASHFINE')).toHaveCount(0);
  await page.goBack();
  await group(page, NO_BACKUP)
    .getByRole('link', { name: /^Show all/ })
    .press('Enter');
  await expect(databaseRow(page, 'DASHFINE')).toBeVisible();
  await page.goBack();

  await expect(group(page, EXPIRED)).toBeVisible();
  await endSubscription('DASHEND', 300);
  await query('apotheca', "delete from operations where database_name = 'DASHFINE' and state = 'failed'");
  await expect(group(page, EXPIRED).getByRole('link', { name: 'DASHEND' })).toHaveCount(0);
  await expect(page.getByText('restore: The archive is damaged.')).toHaveCount(0);
});

test('a record is snoozed with a reason, stays out after a reload, and is brought back [§2.5] [DECISIONS §13]', async ({
  signedIn: page,
}) => {
  await addTenant(page, 'DASHREST');
  await endSubscription('DASHREST', -30);
  await page.goto('/');
  const dialog = page.getByRole('dialog', { name: /^Snooze/ });
  const openSnooze = () =>
    group(page, EXPIRED)
      .getByRole('button', { name: /^Snooze/ })
      .press('Enter');
  await openSnooze();
  await expect(dialog.getByRole('checkbox', { name: /^DASHREST/ })).toBeChecked();
  for (const box of await dialog.getByRole('checkbox').all()) await box.uncheck();
  await dialog.getByRole('checkbox', { name: /^DASHREST/ }).check();
  await expectAccessibleAtAnyWidth(page);
  await dialog.getByRole('button', { name: 'Snooze 1' }).click();
  await expect(dialog.getByText('Reason is required')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It closes in May.');
  await dialog.getByRole('button', { name: 'Snooze 1' }).click();
  await expectToast(page, 'It is snoozed.');
  await expect(group(page, EXPIRED).getByRole('link', { name: 'DASHREST' })).toHaveCount(0);
  await page.reload();
  await expect(group(page, EXPIRED)).toContainText('1 snoozed');
  await expect(group(page, EXPIRED).getByRole('link', { name: 'DASHREST' })).toHaveCount(0);

  await openSnooze();
  await expect(dialog.getByText(/It closes in May\. \(/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Bring back: DASHREST' }).click();
  await expectToast(page, 'It is back.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(group(page, EXPIRED).getByRole('link', { name: 'DASHREST' })).toBeVisible();
  await endSubscription('DASHREST', 300);
});

test('a Viewer sees what is found and why nothing can be snoozed, and the figures of each curve [§2.5] [DECISIONS §5]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await addTenant(page, 'DASHSEEN');
  await page.goto('/users');
  await createUser(page, 'dashviewer', 'Viewer');
  const viewer = await openBrowser();
  await signIn(viewer, { username: 'dashviewer', password: PASSWORD });
  const snooze = viewer.getByRole('button', { name: /^Snooze/ }).first();
  await expect(snooze).toBeDisabled();
  await snooze.press('Enter');
  await expectToast(viewer, /permission/);
  await expect(viewer.getByRole('dialog')).toHaveCount(0);
  await viewer.getByText('Show the figures').nth(1).click();
  await expect(viewer.getByRole('table', { name: 'Users' }).getByRole('row')).toHaveCount(53);
  await expectAccessibleAtAnyWidth(viewer);
});

test('nothing that is there is moved by what comes later [§2.5]', async ({ signedIn: page }) => {
  await addTenant(page, 'DASHSTILL');
  await page.addInitScript(() => {
    const moved: number[] = [];
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // Not every machine has a font that can stand in for Inter with its measures: the program comes once Inter is there.
  let font: Promise<unknown> = Promise.resolve();
  await page.route('**/assets/*.js', async (route) => {
    await font;
    await route.continue();
  });
  // The last of the screen answers first.
  const answered: string[] = [];
  // What other tests do meanwhile would move it too: the first answer stays.
  let findings: unknown;
  const after = async (path: string, earlier: string | undefined) =>
    page.route(`**${path}`, async (route) => {
      if (earlier !== undefined) await expect.poll(() => answered).toContain(earlier);
      if (path !== '/api/findings/get') return route.continue();
      findings ??= await (await fetchWhole(route)).json();
      await route.fulfill({ json: findings });
    });
  page.on('requestfinished', (request) => answered.push(new URL(request.url()).pathname));
  const paths = ['/api/findings/getgrowth', '/api/account/hint', '/api/findings/get'];
  for (const [at, path] of paths.entries()) await after(path, paths[at - 1]);
  for (const viewport of [
    { width: 1350, height: 940 },
    { width: 412, height: 823 },
  ]) {
    answered.length = 0;
    await page.setViewportSize(viewport);
    font = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'));
    await page.goto('/');
    await expect.poll(() => answered).toEqual(expect.arrayContaining(paths));
    await expect(page.locator('.finding-group').first()).toBeVisible();
    await expect(page.getByRole('img', { name: /^Tenants: / })).toBeVisible();
    expect(await page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved)).toEqual([]);
  }
});
