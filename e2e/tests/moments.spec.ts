import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseDatabaseAction, databaseRow } from '../databases-screen.ts';
import { test as base, expect, expectToast, signIn } from '../fixtures.ts';
import { addTenant } from '../manage-tenant-screen.ts';
import { startServer } from '../server-process.ts';

/** A server of its own that archives every change. */
const test = base.extend<object, { ownServer: string }>({
  ownServer: [
    async ({ browserName: _ }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'apotheca-e2e-archive-'));
      const archive = join(folder, 'archive');
      await mkdir(archive);
      const { url, stop } = await startServer({ APOTHECA_WAL_ARCHIVE: archive });
      await use(url);
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ ownServer }, use) => use(ownServer),
});

test('a database is restored to a point in time, beside itself [DECISIONS §13]', async ({ page }) => {
  await signIn(page);
  await addTenant(page, 'MOMENT');
  await page.goto('/database');
  const made = Date.now();
  const dialog = page.getByRole('dialog', { name: 'Restore to a Point in Time' });
  const field = dialog.getByLabel('Point in Time', { exact: true });
  // The first backup of the cluster has to be made, and what came after it archived.
  const latest = async () => {
    await page.reload();
    await chooseDatabaseAction(page, 'MOMENT', /to a point in time/);
    await expect(dialog.getByText(/^Finding/)).toHaveCount(0);
    return (await field.isVisible()) ? field.getAttribute('max') : null;
  };
  const isLater = async () =>
    Date.parse((await page.evaluate((max) => max && new Date(max).toISOString(), await latest())) ?? '') > made;
  await expect.poll(isLater, { timeout: 300_000 }).toBe(true);
  await field.fill((await field.getAttribute('max')) ?? '');
  await dialog.getByLabel('New Database Name').fill('MOMENT THEN');
  await dialog.getByRole('button', { name: 'Restore as a new database' }).click();
  await expectToast(page, /^Success! MOMENT THEN is MOMENT as it was at /);
  await expect(dialog).toBeHidden();
  await expect(databaseRow(page, 'MOMENT THEN')).toBeVisible();
  await expect(databaseRow(page, 'MOMENT')).toBeVisible();
});
