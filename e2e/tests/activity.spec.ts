import type { Page } from '@playwright/test';
import { backUp, createDatabase, databaseRow, startBackup } from '../databases-screen.ts';
import { expect, expectToast, signIn, test } from '../fixtures.ts';
import { lockTable, physicalName } from '../postgres.ts';

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Activity' });

/** Opens the panel. @returns the entries about one operation */
async function openActivity(page: Page, what: string) {
  await page.getByRole('button', { name: /^Activity/ }).click();
  return panelOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByText(what, { exact: true }) });
}

test('an ended operation stays in the activity panel after a reload, and is shown to other users too [DECISIONS §8]', async ({
  signedIn: page,
  openBrowser,
}) => {
  await createDatabase(page, 'ACTDONE');
  await backUp(page, 'ACTDONE');
  const expectDone = async (reader: Page) => {
    const entry = await openActivity(reader, 'Backup of ACTDONE');
    await expect(entry).toHaveCount(1);
    await expect(entry).toContainText('Succeeded');
    await expect(entry).toContainText(/admin, \d{4}-\d\d-\d\d \d\d:\d\d · took /);
  };
  await expectDone(page);
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toBeHidden();
  await page.reload();
  await expectDone(page);
  const second = await openBrowser();
  await signIn(second);
  await expectDone(second);
});

test.describe('a running operation', () => {
  let release: () => Promise<void> = async () => {};
  test.afterEach(() => release());

  /** Starts a backup that waits until it is released. */
  async function startHeldBackup(page: Page, name: string) {
    await createDatabase(page, name);
    release = await lockTable(await physicalName(name), 'patients');
    await startBackup(page, name);
    const dialog = page.getByRole('dialog', { name: 'Back Up Database' });
    await expect(dialog.getByRole('status')).toHaveText('Dumping');
    await dialog.getByRole('button', { name: 'Continue in background' }).click();
    await expect(dialog).toBeHidden();
  }

  test('continues when its dialog is closed, and a toast tells its end [DECISIONS §8]', async ({ signedIn: page }) => {
    await startHeldBackup(page, 'ACTBACK');
    await expect(databaseRow(page, 'ACTBACK')).toContainText('Backing up …');
    await release();
    await expectToast(page, 'ACTBACK is backed up');
    await expect(databaseRow(page, 'ACTBACK')).not.toContainText('Backing up …');
  });

  test('is shown to all users, can be cancelled and retried [DECISIONS §8]', async ({
    signedIn: page,
    openBrowser,
  }) => {
    // Before anything is held: what reads the table gives up after a minute, and a sign-in may take much of that.
    const second = await openBrowser();
    await signIn(second);
    await startHeldBackup(page, 'ACTSTOP');
    const expectRunning = async (reader: Page) => {
      const entry = await openActivity(reader, 'Backup of ACTSTOP');
      await expect(entry).toContainText('Running');
      await expect(entry).toContainText('Step 1 of 2');
      await expect(entry.getByRole('progressbar')).toBeVisible();
      return entry;
    };
    // Side by side, as that minute counts here too.
    const [entry] = await Promise.all([expectRunning(page), second.reload().then(() => expectRunning(second))]);
    // By key: an entry that comes in above, of another test, moves it before the pointer is there.
    await entry.getByRole('button', { name: 'Cancel: Backup of ACTSTOP' }).press('Enter');
    await expect(entry).toContainText('Cancelled');
    await expect(entry.getByRole('progressbar')).toHaveCount(0);
    await release();
    // Where the list is left, Retry comes at once.
    await panelOf(page).focus();
    await entry.getByRole('button', { name: 'Retry: Backup of ACTSTOP' }).press('Enter');
    await expect(entry).toHaveCount(2);
    await expect(entry.filter({ hasText: 'Succeeded' })).toHaveCount(1);
    await expect(databaseRow(page, 'ACTSTOP')).not.toContainText('No backup');
  });
});
