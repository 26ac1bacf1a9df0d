import type { Page } from '@playwright/test';
import { clippedTexts } from '../clipped-texts.ts';
import { expect, signIn, test } from '../fixtures.ts';
import { LISTS, openList } from '../long-lists.ts';
import { createUser, PASSWORD } from '../users-screen.ts';
import { LOOKS, openAs, take } from './pictures.ts';

const SCREENS: Record<string, string> = {
  dashboard: '/',
  tenants: '/tenants',
  'tenant-summary': '/tenants/CEDARVA',
  'tenant-database': '/tenants/CEDARVA?view=database',
  'tenant-backups': '/tenants/CEDARVA?view=backups',
  'tenant-permissions': '/tenants/CEDARVA?view=permissions',
  'tenant-people': '/tenants/CEDARVA?view=people',
  'tenant-history': '/tenants/CEDARVA?view=history',
  users: '/users',
  databases: '/database',
  licences: '/licence',
  permissions: '/permission',
  roles: '/permission?view=roles',
  menus: '/menus',
  faqs: '/faqs',
  audit: '/audit',
  webhooks: '/audit?view=webhooks',
  'database-servers': '/database-servers',
  profile: '/profile',
  guide: '/guide',
  'guide-task': '/guide/createTenant',
  'not-found': '/nowhere',
};

const press = (name: string | RegExp) => async (page: Page) => {
  for (const role of ['button', 'menuitem', 'tab'] as const) {
    const found = page.getByRole(role, { name }).filter({ visible: true }).first();
    if ((await found.count()) > 0) return found.click();
  }
  return page.getByRole('button', { name }).first().click();
};

/** An action of a row, or of the card that it is on a phone, which has one button for all that can be done with it. */
const pressOf = (row: string, action: string) => async (page: Page) => {
  const button = page.getByRole('button', { name: `${action} of ${row}` });
  const more = page.getByRole('button', { name: `Actions for ${row}` });
  await button.or(more).first().waitFor();
  if (await button.isVisible()) return button.click();
  await more.click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** The most important dialogs and panels: where, and what is pressed. */
const DIALOGS: Record<string, [path: string, ...steps: ((page: Page) => Promise<unknown>)[]]> = {
  'dialog-create-tenant': ['/tenants', press('Create')],
  'dialog-import-tenants': ['/tenants', press('Import')],
  'dialog-manage-database': ['/tenants/CEDARVA', press('Manage Tenant')],
  'dialog-manage-data': ['/tenants/CEDARVA', press('Manage Tenant'), press('Delete Transaction Data & Reseed')],
  'dialog-manage-permissions': ['/tenants/CEDARVA', press('Manage Tenant'), press('Permissions')],
  'dialog-manage-connection': ['/tenants/CEDARVA', press('Manage Tenant'), press('Connection')],
  'dialog-create-user': ['/users', press('Create')],
  'dialog-sessions': ['/users', pressOf('admin', 'Sessions')],
  'dialog-restore': ['/database', press('Restore Database')],
  'dialog-backups': ['/database', press('Backups')],
  'dialog-schedules': ['/database', press('Backup Schedules')],
  'dialog-default-schedule': ['/database', press('Backup Schedules'), press('Default')],
  'dialog-parked': ['/database', press('More for all databases'), press('Parked Databases')],
  'dialog-adopt': ['/database', press('More for all databases'), press('Adopt Database')],
  'dialog-role-permissions': ['/permission?view=roles', pressOf('Operator', 'Permissions')],
  'dialog-create-permission': ['/permission', press('Create Permission')],
  'dialog-create-menu': ['/menus', press('Create')],
  'dialog-create-faq': ['/faqs', press('Create FAQ')],
  'dialog-create-webhook': ['/audit?view=webhooks', press('Create Webhook')],
  'dialog-create-database-server': ['/database-servers', press('Create Database Server')],
  'panel-activity': ['/database', press('Activity')],
  'panel-guide': ['/database', press('Help')],
  'panel-settings': ['/', press('Layout settings')],
  palette: ['/', press(/^Search and actions/)],
};

/** Those that only show something: a Viewer can open them too. */
const SHOWN_TO_ALL = [
  ...['database', 'data', 'permissions', 'connection'].map((tab) => `dialog-manage-${tab}`),
  ...['backups', 'schedules', 'default-schedule', 'parked', 'role-permissions'].map((name) => `dialog-${name}`),
  ...['panel-activity', 'panel-guide', 'palette'],
];

/** After a failed test there is another worker. */
const viewer = () => ({ username: `viewer${test.info().workerIndex}`, password: PASSWORD });

test.beforeAll('a Viewer', async ({ browser }) => {
  const { page } = await openAs(browser, { width: 1280, theme: 'light' });
  await signIn(page);
  await page.goto('/users');
  await createUser(page, viewer().username, 'Viewer');
  await page.context().close();
});

async function openDialog(page: Page, name: string): Promise<void> {
  const [path = '', ...steps] = DIALOGS[name] ?? [];
  await page.goto(path);
  await isThere(page);
  await page.waitForLoadState('networkidle');
  for (const step of steps) await step(page);
  // Its code may still be loaded.
  const panel = page.getByRole('complementary', { name: /^(Activity|Guide|Layout settings)$/ });
  await expect(page.getByRole('dialog').or(panel).first()).toBeVisible();
}

const isThere = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toBeVisible();

for (const look of LOOKS) {
  const title = `${look.width} px, ${look.theme}`;

  test(`screens and dialogs, ${title} [§2.2]`, async ({ browser }) => {
    const { page, problems } = await openAs(browser, look);
    await page.goto('/login');
    await take(page, { ...look, who: 'administrator', name: 'sign-in' });
    await signIn(page);
    const clipped: string[] = [];
    for (const [name, path] of Object.entries(SCREENS)) {
      await page.goto(path);
      await isThere(page);
      await take(page, { ...look, who: 'administrator', name, isWhole: true });
      clipped.push(...(await clippedTexts(page)).map((text) => `${name}: ${text}`));
    }
    for (const name of Object.keys(DIALOGS)) {
      await openDialog(page, name);
      await take(page, { ...look, who: 'administrator', name });
    }
    expect({ clipped, problems }).toEqual({ clipped: [], problems: [] });
  });

  test(`lists with 300 rows, ${title} [§2.6]`, async ({ browser }) => {
    const { page } = await openAs(browser, look);
    await signIn(page);
    for (const list of LISTS) {
      await openList(page, list);
      await take(page, { ...look, who: '300-rows', name: list.path.slice(1).replace('?view=', '-') });
    }
  });

  test(`screens and dialogs as a Viewer sees them, ${title} [§6]`, async ({ browser }) => {
    const { page } = await openAs(browser, look);
    await signIn(page, viewer());
    for (const [name, path] of Object.entries(SCREENS)) {
      await page.goto(path);
      await isThere(page);
      await take(page, { ...look, who: 'viewer', name, isWhole: true });
    }
    for (const name of SHOWN_TO_ALL) {
      await openDialog(page, name);
      await take(page, { ...look, who: 'viewer', name });
    }
  });
}
