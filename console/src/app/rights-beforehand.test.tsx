import { accountRoutes } from '@apotheca/contract/account';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { backupScheduleRoutes } from '@apotheca/contract/backup-schedules';
import { credentialRoutes } from '@apotheca/contract/credentials';
import { databaseRoutes } from '@apotheca/contract/databases';
import { operationRoutes } from '@apotheca/contract/operations';
import { PERMISSION_CATALOGUE } from '@apotheca/contract/permission-catalogue';
import { preferenceRoutes } from '@apotheca/contract/preferences';
import type { ContractRoute } from '@apotheca/contract/route';
import { ROUTES } from '@apotheca/contract/routes';
import { tenantPermissionRoutes } from '@apotheca/contract/tenant-permissions';
import { viewRoutes } from '@apotheca/contract/views';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { localMinute } from '../lib/moment.ts';
import { makeSchedule } from '../testing/backup-schedules.ts';
import { makeDatabase, makeDetails } from '../testing/databases.ts';
import { DIALOGS, oneOfEach, pressable } from '../testing/every-dialog.ts';
import { IS_LONG_RUN } from '../testing/long-run.ts';
import { makeOperation } from '../testing/operations.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { stubLayout } from '../testing/rich-text.ts';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { makePurge } from '../testing/tenant-data.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
beforeEach(stubLayout);
beforeEach(() => {
  // Those that the test before has left without an answer are forgotten.
  open = 0;
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    sent += 1;
    open += 1;
    try {
      return await fetch(...call);
    } finally {
      open -= 1;
    }
  });
});
afterEach(() => vi.restoreAllMocks());

/** How many calls have been sent, and how many of them are not answered yet. */
let [sent, open] = [0, 0];
/** The calls that were refused. */
let refused: string[] = [];
/** What told beforehand that it would be refused. */
const told = new Set<string>();

const READS: string[] = PERMISSION_CATALOGUE.filter(({ access }) => access === 'read').map((one) => one.identifier);
/** To read these is to be granted: only who may has a screen with buttons that would be refused. */
const READS_SECRETS = [...READS, 'databases.connect', 'sessions.manage', 'webhooks.read'];
const SECRETS = /webhooks|people|Manage|sessions/;

const TENANT = '/tenants/CEDARVA';
const WEBHOOKS = '/audit?view=webhooks';
/** Every page, and each of its views. */
const PAGES = [
  '/',
  '/tenants',
  TENANT,
  ...['database', 'backups', 'permissions', 'people', 'history'].map((view) => `${TENANT}?view=${view}`),
  '/users',
  '/database',
  '/licence',
  '/permission',
  '/permission?view=roles',
  '/menus',
  '/faqs',
  ...new Set(DIALOGS.map(({ at }) => at).filter((at) => /^\/(faq|section)\//.test(at))),
  '/audit',
  WEBHOOKS,
  '/database-servers',
  '/profile',
];

type Place = Pick<(typeof DIALOGS)[number], 'title' | 'at' | 'by'>;
const QUESTION = 'Edit Question & Answer';
const QUESTIONS = DIALOGS.find(({ title }) => title === QUESTION)?.at ?? '';
/** Every dialog and menu of buttons that is not on its page from the beginning. */
const PLACES: readonly Place[] = [
  ...DIALOGS,
  // By the name, not by the refused pencil.
  { title: 'Edit Permission', at: '/permission', by: ['Counting'] },
  { title: 'Edit Webhook', at: WEBHOOKS, by: ['Pager'] },
  { title: 'Edit Database Server', at: '/database-servers', by: ['North'] },
  { title: QUESTION, at: QUESTIONS, by: ['Why?'] },
  { title: 'Save View', at: '/tenants?q=Ced', by: ['Views', 'Save this view'] },
];

const OF_TENANT = makeDatabase({ databaseName: 'CEDARVA', tenantCode: 'CEDARVA' });
const SHOTS = { name: 'shots', rows: 10, sizeBytes: 8192 };
const SWITCHED = { id: 'p1', module: 'Stock', name: 'Counting', identifier: 'counting', isMenu: false, isActive: true };
const LOGIN = {
  id: 'l1',
  access: 'write',
  role: 'tenant_7_w',
  createdOnUtc: '2026-03-04T09:30:00.000Z',
  validUntilUtc: null,
  sessions: 0,
};
const CONNECTION = {
  id: 't1',
  host: 'db.test',
  port: 5432,
  database: 'tenant_7',
  sslmode: 'prefer',
  connectionLimit: 20,
  ownConnectionLimit: null,
  statementTimeoutSeconds: null,
  logins: [LOGIN],
};

/** A server that refuses what a role has no permission for, and answers otherwise with one record of each kind. */
function serve(permissions: readonly string[], at: string) {
  const held = new Set<string>([...permissions, 'signed-in', 'public']);
  const refuse = (route: ContractRoute) => {
    refused.push(`${route.method} ${route.path}`);
    return failed(403, `You do not have the permission '${route.permission}'.`);
  };
  server.use(
    onRoute(accountRoutes.rights, () => ok({ permissions, grantedBy: ['Administrator'] })),
    onRoute(databaseRoutes.details, () => ok(makeDetails({ tables: [SHOTS], rejectedRows: 3 }))),
    ...(at.startsWith(TENANT) ? [onRoute(databaseRoutes.list, () => ok([OF_TENANT]))] : []),
    onRoute(backupScheduleRoutes.get, () => ok(makeSchedule())),
    onRoute(preferenceRoutes.get, () => ok(null)),
    onRoute(tenantPermissionRoutes.list, () => ok([SWITCHED])),
    onRoute(credentialRoutes.connection, () => ok(CONNECTION)),
    onRoute(operationRoutes.list, () =>
      ok([makeOperation({ state: 'failed', databaseId: OF_TENANT.id, databaseName: 'CEDARVA' })]),
    ),
    ...ROUTES.filter(({ permission }) => !held.has(permission)).map((route) => onRoute(route, () => refuse(route))),
    // What these need follows from what they are about: somebody else's keys, the kind of operation, a view that is shared.
    onRoute(operationRoutes.retry, () => refuse(operationRoutes.retry)),
    onRoute(apiKeyRoutes.list, ({ request }) =>
      request.url.includes('userId') ? refuse(apiKeyRoutes.list) : ok({ keys: [], scopes: READS }),
    ),
    onRoute(viewRoutes.create, async ({ request }) => {
      const { roleId } = (await request.json()) as { roleId: string | null };
      return roleId === null ? ok({ id: 'v1' }) : refuse(viewRoutes.create);
    }),
  );
}

const PRESSABLE = 'button, [role="menuitem"], [role="tab"], input[role="switch"]';
/** Closes the place, ends the session, loads a list that is refused once more, or asks the browser for something that jsdom has not. */
const LEAVES = /^(Close|Cancel|Sign out|User menu|Add a passkey|Retry$|Refresh the list)/;

function nameOf(element: HTMLElement): string {
  const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined;
  return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim();
}

const isToldBeforehand = (element: HTMLElement) =>
  element.getAttribute('aria-disabled') === 'true' && element.dataset.refusal !== undefined;

/** Lets everything go on that waits for nothing but its turn. */
const turn = () => act(() => new Promise<void>((resolve) => void setTimeout(resolve)));

/** Waits until every call is answered and read, and what follows from the answers. */
async function settled() {
  let before: number;
  do {
    before = sent;
    for (let turns = 0; turns < 3; turns += 1) await turn();
    await waitFor(() => expect(open).toBe(0));
    await turn();
  } while (sent > before);
}

/** Fills in every field, so that a form can be sent. */
function change(place: HTMLElement) {
  const set = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
  for (const field of place.querySelectorAll('input[type="number"]')) set(field as HTMLElement, '7');
  for (const field of place.querySelectorAll<HTMLInputElement>('form input[type="text"]:not([readonly])'))
    if (field.value === '') set(field, 'A1');
  for (const field of place.querySelectorAll('form input[type="password"]'))
    set(field as HTMLElement, 'long enough for all');
  for (const field of place.querySelectorAll('select')) {
    const other = [...field.options].find(({ value, disabled }) => !disabled && value !== '' && value !== field.value);
    if (other) set(field, other.value);
  }
}

/** Presses everything that there is in a place, also what comes by pressing. @returns what was refused only then, and what sent nothing */
async function pressAll(find: () => HTMLElement | null): Promise<string[]> {
  const found: string[] = [];
  const pressed = new Set<string>();
  for (;;) {
    const place = find();
    const next = [...(place?.querySelectorAll<HTMLElement>(PRESSABLE) ?? [])].find(
      (one) =>
        !one.matches(':disabled') &&
        !one.closest('[hidden], [inert]') &&
        !LEAVES.test(nameOf(one)) &&
        !pressed.has(nameOf(one)),
    );
    if (!place || !next) return found;
    const name = nameOf(next);
    pressed.add(name);
    change(place);
    if (isToldBeforehand(next)) {
      told.add(name);
      continue;
    }
    const [before, dialogs] = [sent, screen.queryAllByRole('dialog').length];
    refused = [];
    fireEvent.click(next);
    await settled();
    if (refused.length > 0) found.push(`${name}: ${refused.join(', ')}`);
    if (next.matches('[type="submit"]') && sent === before) found.push(`${name}: sent nothing`);
    if (screen.queryAllByRole('dialog').length > dialogs) await closeNewest();
  }
}

async function closeNewest() {
  const newest = screen.getAllByRole('dialog').at(-1) as HTMLElement;
  for (const name of ['Cancel', 'Close', 'Discard']) {
    const [button] = within(newest).queryAllByRole('button', { name });
    if (button) fireEvent.click(button);
  }
  await waitFor(() => expect(newest.isConnected).toBe(false));
}

async function openPage(at: string, permissions: readonly string[]) {
  serve(permissions, at);
  const { root } = renderInRoot(<AppRoutes />, { route: at });
  await screen.findByRole('heading', { level: 1 });
  await settled();
  return root;
}

// Only finds what hangs: a page has up to fifty things to press, which takes minutes on a machine with much to do.
vi.setConfig({ testTimeout: 600_000 });

const ROLES: [who: string, permissions: readonly string[], places: (place: string) => boolean][] = [
  // Nobody comes to the dialogs of a list that is not read.
  ['a Viewer', READS, () => true],
  ['who reads secrets too', READS_SECRETS, (place) => IS_LONG_RUN || SECRETS.test(place)],
];

describe.each(ROLES)('for %s', (_, permissions, isWalked) => {
  test.each(PAGES.filter(isWalked))(
    'each button of %s whose call would be refused says so beforehand [DECISIONS §5]',
    async (at) => {
      const root = await openPage(at, permissions);
      const all = root.querySelector('thead input[type="checkbox"]');
      if (all) fireEvent.click(all);
      expect(await pressAll(() => root.querySelector('main'))).toEqual([]);
    },
  );

  const readable = PLACES.filter(({ at }) => at !== WEBHOOKS || permissions.includes('webhooks.read'));
  const walked = readable.filter(({ at, by }) => isWalked(`${at} ${by.join(' ')}`));
  // In a long run all of them, otherwise a Viewer comes to every second one.
  test.each(walked.filter((_, index) => IS_LONG_RUN || permissions !== READS || index % 2 === 0))(
    'each button of $title whose call would be refused says so beforehand [DECISIONS §5]',
    async ({ at, by, title }) => {
      await openPage(at, permissions);
      for (const name of by) {
        const next = await pressable(name);
        // What leads there says so: nobody comes further.
        if (isToldBeforehand(next)) return void told.add(nameOf(next));
        refused = [];
        fireEvent.click(next);
        await settled();
        expect(refused, `${name}`).toEqual([]);
      }
      await screen.findByRole('dialog', { name: title });
      await settled();
      expect(await pressAll(() => screen.queryByRole('dialog', { name: title }))).toEqual([]);
    },
  );

  test('each button of the activity panel whose call would be refused says so beforehand [DECISIONS §5]', async () => {
    await openPage('/', permissions);
    fireEvent.click(await pressable(/^Activity/));
    await screen.findByRole('complementary', { name: /^Activity/ });
    await settled();
    expect(await pressAll(() => screen.getByRole('complementary', { name: /^Activity/ }))).toEqual([]);
  });
});

test('a record that may not be saved can be read by its name, and says why nothing can be typed [DECISIONS §5]', async () => {
  await openPage(QUESTIONS, READS);
  fireEvent.click(await pressable('Why?'));
  const dialog = within(await screen.findByRole('dialog', { name: QUESTION }));
  const save = await dialog.findByRole('button', { name: 'Edit' });
  dialog.getByText(save.dataset.refusal ?? 'Nothing is said');
  const question = await dialog.findByLabelText('Question', { selector: 'textarea' });
  expect(question.matches(':disabled')).toBe(true);
  const answer = await dialog.findByRole('textbox', { name: 'Answer' });
  expect(answer.getAttribute('contenteditable')).toBe('false');
});

test.each([
  ['a Viewer', READS],
  ['who may back up, but delete no backups', [...READS, 'databases.write']],
  ['who may delete backups, but make none', [...READS, 'databases.delete']],
])(
  'a schedule that may not be saved can be read by %s, and says why nothing can be chosen [DECISIONS §5]',
  async (_, permissions) => {
    await openPage(`${TENANT}?view=backups`, permissions);
    const save = await screen.findByRole('button', { name: 'Save schedule' });
    screen.getByText(save.dataset.refusal ?? 'Nothing is said');
    expect(screen.getByLabelText('Frequency').matches(':disabled')).toBe(true);
  },
);

test('what stands in dialogs and cards was among them [DECISIONS §5]', () => {
  expect([...told]).toEqual(expect.arrayContaining(TOLD));
});

/** One of each kind of button that was refused by the server only. */
const TOLD: string[] = [
  'Counting counting',
  'Save schedule',
  `Put back: ${localMinute(new Date(makePurge().purgedOnUtc))}`,
  'Download rejected rows',
  'Restore',
  'Delete role: tenant_0007',
  'API keys of robot',
  'Send test',
  'Retry: Clone of ACME as CEDARVA',
  'Deactivate',
  'Save',
];
