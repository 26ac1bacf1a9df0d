import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import enFactors from '../../console/src/locales/en-factors.json' with { type: 'json' };
import enPages from '../../console/src/locales/en-pages.json' with { type: 'json' };
import esFactors from '../../console/src/locales/es-factors.json' with { type: 'json' };
import esPages from '../../console/src/locales/es-pages.json' with { type: 'json' };
import { chooseDatabaseAction, databaseRow, openDatabases, startBackup } from '../databases-screen.ts';
import { expect, signIn, test } from '../fixtures.ts';
import { openAs, settle } from './pictures.ts';

const FOLDER = fileURLToPath(new URL('../../console/src/app/guide/pictures', import.meta.url));
const SIZE = { width: 900, height: 560 };
/** What a picture may take; most take a tenth of it. */
const LIMIT = 200_000;

const en = { ...enPages, ...enFactors };
type Texts = typeof en;
// It has what English has, and more plurals.
const es = { ...esPages, ...esFactors } as unknown as Texts;

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const named = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

/** How the picture of each task comes about, by the texts of a language. */
const TASKS: Record<string, [path: string, open: (page: Page, t: Texts) => Promise<unknown>]> = {
  createTenant: ['/tenants', (page, t) => press(page, t.tenants.create)],
  suspendAndExtend: [
    '/tenants',
    async (page, t) => press(page, named(t.components.rowActions.more, { name: 'Cedar Valley Allergy' })),
  ],
  rotateLogin: ['/tenants/CEDARVA', (page, t) => manage(page, t, t.tenants.manage.tabs.connection)],
  importCsv: ['/tenants', (page, t) => press(page, t.imports.open)],
  backUpAndRestore: ['/database', (page, t) => press(page, t.databases.restore.title)],
  scheduleBackups: [
    '/database',
    async (page, t) => {
      await press(page, t.databases.schedules.title);
      await page.getByRole('tab', { name: t.databases.schedules.tabs.default }).click();
    },
  ],
  putBack: [
    '/database',
    async (page, t) => {
      await press(page, t.databases.more);
      await page.getByRole('menuitem', { name: t.databases.parking.title }).click();
    },
  ],
  signInTrouble: ['/users', (page, t) => press(page, named(t.users.actions.edit, { name: 'admin' }))],
  secondFactor: ['/profile', (page, t) => scrollTo(page, t.factors.card.title)],
  giveRights: [
    '/permission?view=roles',
    (page, t) => press(page, named(t.roles.actions.permissions, { name: 'Operator' })),
  ],
  publishFaq: ['/faqs', (page, t) => press(page, t.faqs.create.faq)],
  readAudit: ['/audit', (page, t) => scrollTo(page, t.audit.title)],
  addServer: ['/database-servers', async () => undefined],
  moveTenant: ['/tenants/CEDARVA', (page, t) => scrollTo(page, t.tenants.page.danger.title)],
  beTold: ['/profile', (page, t) => scrollTo(page, t.alerts.title)],
};

/** Scrolls the card or page with a heading to the top of the picture. */
const scrollTo = (page: Page, title: string) =>
  page
    .getByRole('heading', { name: title, exact: true })
    .first()
    .evaluate((heading) => {
      heading.style.scrollMarginTop = '5rem';
      heading.scrollIntoView();
    });

async function manage(page: Page, t: Texts, tab: string): Promise<void> {
  await press(page, t.tenants.manage.title);
  await page.getByRole('tab', { name: tab }).click();
}

test.beforeAll('a backup, and a database that is parked', async ({ browser }) => {
  const { page } = await openAs(browser, { width: 1280, theme: 'light' });
  await signIn(page);
  await openDatabases(page);
  const dialog = page.getByRole('dialog');
  await startBackup(page, 'CEDARVA');
  await dialog.waitFor({ state: 'hidden' });
  await press(page, 'Clone CEDARVA');
  await dialog.getByLabel('Duplicate Database Name').fill('TRAINING');
  await dialog.getByRole('button', { name: 'Clone CEDARVA', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await databaseRow(page, 'TRAINING').waitFor();
  await chooseDatabaseAction(page, 'TRAINING', /^Delete/);
  await dialog.getByLabel('Database Name').fill('TRAINING');
  await dialog.getByRole('button', { name: 'Delete TRAINING', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.context().close();
});

for (const [language, t] of [
  ['en', en],
  ['es', es],
] as const) {
  test(`pictures of the guide, ${language} [§2.29]`, async ({ browser }) => {
    const { page } = await openAs(browser, { width: 1280, theme: 'light' });
    await page.setViewportSize(SIZE);
    await signIn(page);
    await page.goto('/profile');
    await page.locator('select:has(option[value="es"])').selectOption(language);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    for (const [task, [path, open]] of Object.entries(TASKS)) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await settle(page);
      await open(page, t);
      await settle(page);
      const file = `${FOLDER}/${task}.${language}.webp`;
      await sharp(await page.screenshot())
        .webp({ quality: 70, effort: 6 })
        .toFile(file);
      expect(statSync(file).size, file).toBeLessThan(LIMIT);
    }
    await page.goto('/profile');
    await page.locator('select:has(option[value="es"])').selectOption('en');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
}
