import { chromium } from '@playwright/test';
import { openBareList } from './bare-list.ts';
import { type Installation, signIn } from './installation.ts';
import { signInTo } from './page-sign-in.ts';
import { type Figures, idle, measure, press, scroll, shows, type Traced, type } from './page-steps.ts';
import { startServer } from './processes.ts';
import { fillTenants, fillUsers, withClient } from './rows.ts';
import { type Comparison, compare, type Table } from './tables.ts';

const ROWS = 10_000;
const ROUNDS = 5;

/** The field by which a row is known, and the first of all rows in both orders of that. */
interface Screen {
  path: string;
  call: string;
  field: string;
  /** The heading that sorts by it, as the list is sorted at first. */
  heading: string;
  first: string;
  last: string;
  /** Typed key by key: the last keys leave fewer rows than are drawn at once. */
  typed: string;
}

const SCREENS = {
  tenants: {
    path: '/tenants',
    call: '/api/tenant/get',
    field: 'code',
    heading: 'Tenant Code',
    first: 'CLINIC1',
    last: 'CLINIC9999',
    typed: 'clinic77',
  },
  users: {
    path: '/users',
    call: '/api/users/get',
    field: 'userName',
    heading: 'Username',
    first: 'admin',
    last: 'user9999',
    typed: 'user77',
  },
  databases: {
    path: '/database',
    call: '/api/managedatabase/getalldatabase',
    field: 'databaseName',
    heading: 'Database Name',
    first: 'CLINIC1',
    last: 'CLINIC9999',
    typed: 'clinic77',
  },
} as const satisfies Record<string, Screen>;

const STEPS = {
  opened: { name: 'opened by its address' },
  again: { name: 'opened again by its link', atMost: 250 },
  sorted: { name: 'sorted by a column for the first time', atMost: 120 },
  back: { name: 'sorted as before', atMost: 120 },
  key: { name: 'filtered, the slowest of the keys', atMost: 50 },
  all: { name: 'all rows selected', atMost: 100 },
  scrolled: { name: 'scrolled by a wheel, the slowest frame' },
} as const;
type Step = keyof typeof STEPS;
/** What the bare page does too. */
const BARE = ['opened', 'sorted', 'key', 'all'] as const satisfies Step[];

/** The longest task that is not felt. */
const LONG_TASK_MS = 50;
/** Records of the plan of a change of many. */
const MANY = 500;

type Walk = Partial<Record<Step | 'palette' | 'plan', Figures>>;

/** The three long lists with 10,000 rows in Chromium, beside bare pages that do the same with the same answers. */
export async function benchListScreens({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, ROWS);
    await fillUsers(client, ROWS);
    // So many are found by this town.
    await client.query(
      `update tenants set city = 'Tacoma' where id in (select id from tenants order by code limit ${MANY})`,
    );
  });
  const server = await startServer(environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 860 } });
    const traced = async (): Promise<Traced> => {
      const page = await context.newPage();
      return { page, cdp: await context.newCDPSession(page) };
    };
    const ours = await traced();
    await signInTo(ours.page, server.url);
    const bare = await traced();
    await bare.page.goto(`${server.url}/config.json`);
    const token = await signIn(server.url);
    const tables: Table[] = [];
    for (const [name, screen] of Object.entries(SCREENS)) {
      const walks: Walk[] = [];
      const floors: Walk[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        await ours.page.bringToFront();
        const walk = await walkThrough(ours, server.url, screen);
        if (name === 'tenants') {
          walk.plan = await planMany(ours);
          walk.palette = await typeIntoPalette(ours);
        }
        await bare.page.bringToFront();
        const floor = await walkThroughBare(bare, screen, token);
        if (round > 0) walks.push(walk);
        if (round > 0) floors.push(floor);
      }
      tables.push(...tablesOf(name, walks, floors));
    }
    return tables;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function tablesOf(name: string, walks: Walk[], floors: Walk[]): Table[] {
  const figures = (of: Walk[], step: keyof Walk, figure: keyof Figures) =>
    of.map((walk) => walk[step]?.[figure] ?? Number.NaN);
  const rows = (figure: keyof Figures, more: Comparison[]): Comparison[] => [
    ...(Object.keys(STEPS) as Step[]).map((step) => {
      const { name, atMost }: { name: string; atMost?: number } = STEPS[step];
      const most = { painted: atMost, longest: LONG_TASK_MS, all: undefined }[figure];
      return {
        name,
        unit: ' ms',
        ours: figures(walks, step, figure),
        ...(most !== undefined && { target: { atMost: most } }),
      };
    }),
    ...more,
  ];
  const extra = (figure: keyof Figures): Comparison[] =>
    walks[0]?.palette
      ? [
          {
            name: 'found in the palette, the slowest key',
            unit: ' ms',
            ours: figures(walks, 'palette', figure),
            target: { atMost: LONG_TASK_MS },
          },
          {
            name: `${MANY} selected rows to be deactivated, until the plan is there`,
            unit: ' ms',
            ours: figures(walks, 'plan', figure),
            ...(figure === 'longest' && { target: { atMost: LONG_TASK_MS } }),
          },
        ]
      : [];
  const title = `The list of ${ROWS.toLocaleString('en-US')} ${name}`;
  return [
    compare(`${title}, until it is painted`, rows('painted', extra('painted')), [
      'A key, in a list or the palette: to the next frame by the Event Timing of the browser, in steps of 8 ms. The check box of all includes two frames of the measurement.',
    ]),
    compare(`${title}: processor time of the longest task`, rows('longest', extra('longest'))),
    compare(
      `${title}: processor time of the page, beside a bare page with the same rows`,
      BARE.map((step) => ({
        name: step === 'key' ? 'filtered, all keys' : STEPS[step].name,
        unit: ' ms',
        ours: figures(walks, step, 'all'),
        floor: figures(floors, step, 'all'),
      })),
    ),
  ];
}

/** Opens the screen, leaves and comes back, sorts it, filters it key by key, selects all rows, and scrolls. */
async function walkThrough(traced: Traced, url: string, screen: Screen): Promise<Walk> {
  const { page } = traced;
  const { path, heading, first, last, typed } = screen;
  const opened = await measure(traced, async () => {
    await page.goto(`${url}${path}`, { waitUntil: 'commit' });
    return shows(page, first);
  });
  await page.locator('.brand-link').click();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await idle(page);
  const again = await measure(traced, () => shows(page, first, `a[href="${path}"]`));
  const sort = page.getByRole('button', { name: heading, exact: true });
  await sort.evaluate((button) => button.setAttribute('data-measured', ''));
  const sorted = await measure(traced, () => shows(page, last, '[data-measured]'));
  const back = await measure(traced, () => shows(page, first, '[data-measured]'));
  const key = await type(traced, '.filter-field input', typed);
  await page.locator('.filter-field input').fill('');
  await page.locator('tbody').getByText(first, { exact: true }).first().waitFor();
  await idle(page);
  const all = await measure(traced, () => press(page, 'thead input[type=checkbox]'));
  await press(page, 'thead input[type=checkbox]');
  const scrolled = await measure(traced, () => scroll(page));
  return { opened, again, sorted, back, key, all, scrolled };
}

async function walkThroughBare(traced: Traced, screen: Screen, token: string): Promise<Walk> {
  const { page } = traced;
  const opened = await measure(traced, async () => {
    const startedAt = performance.now();
    await openBareList(page, { ...screen, token });
    return performance.now() - startedAt;
  });
  const sorted = await measure(traced, () => press(page, 'button'));
  await press(page, 'button');
  const key = await type(traced, 'input', screen.typed);
  const all = await measure(traced, () => press(page, 'input[type=checkbox]'));
  return { opened, sorted, key, all };
}

/** Selects the rows of a town and asks what deactivating them would do; nothing is changed. */
async function planMany(traced: Traced): Promise<Figures> {
  const { page } = traced;
  await page.locator('.filter-field input').fill('Tacoma');
  await page.getByText(`Displaying ${MANY} of`).waitFor();
  await press(page, 'thead input[type=checkbox]');
  await idle(page);
  const bar = page.getByRole('region', { name: 'Selected rows' });
  await bar.getByRole('button', { name: 'Deactivate' }).evaluate((button) => button.setAttribute('data-measured', ''));
  const plan = await measure(traced, () =>
    shows(page, `${MANY} tenants will be deactivated.`, '.selection-bar [data-measured]'),
  );
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await page.locator('.filter-field input').fill('');
  await idle(page);
  return plan;
}

/** Opens the palette and types into it. */
async function typeIntoPalette(traced: Traced): Promise<Figures> {
  const { page } = traced;
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find a screen' });
  await field.fill('CLINIC777');
  await page.getByRole('option', { name: 'CLINIC777', exact: false }).first().waitFor();
  await field.fill('');
  await idle(page);
  const palette = await type(traced, '[role=combobox]', 'clinc 42 pediatrc');
  await page.keyboard.press('Escape');
  return palette;
}
