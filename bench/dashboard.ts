import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { findingRoutes } from '@apotheca/contract/findings';
import { chromium, type Page } from '@playwright/test';
import { call } from './calls.ts';
import { type Installation, signIn } from './installation.ts';
import { time } from './measurements.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const TENANTS = 3_000;
/** Of each tenant: that many backups and operations. */
const BACKUPS = 40;
const ROUNDS = 5;
const TARGET = { atMost: 300 };

/** What the page asks for. */
const CALLS = {
  counts: dashboardRoutes.getCounts,
  'what needs attention': findingRoutes.list,
  growth: findingRoutes.growth,
} as const;

/** The dashboard with 3,000 tenants: its calls, and in Chromium from its address, and from a link, to the frame that shows it. */
export async function benchDashboard({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, async (client) => {
    await fillTenants(client, TENANTS);
    for (const statement of FILL) await client.query(statement);
  });
  const server = await startServer(environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  try {
    const access = { url: server.url, token: await signIn(server.url) };
    const calls = Object.entries(CALLS).map(([name, route]) => ({ name, route, ours: [] as number[] }));
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 860 } })).newPage();
    await signInTo(page, server.url);
    const opened: Shown[] = [];
    const linked: Shown[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const { route, ours } of calls) {
        const took = await time(() => call(access, route));
        if (round > 0) ours.push(took);
      }
      await page.goto(`${server.url}/`, { waitUntil: 'commit' });
      const first = await shown(page);
      await page.goto(`${server.url}/users`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const second = await shown(page, '.brand-link');
      if (round > 0) opened.push(first);
      if (round > 0) linked.push(second);
    }
    const of = (name: string, all: Shown[], part: keyof Shown) => ({
      name,
      unit: ' ms',
      ours: all.map((one) => one[part]),
      target: TARGET,
    });
    return [
      compare(`The dashboard of ${TENANTS.toLocaleString('en-US')} tenants`, [
        ...calls.map(({ name, ours }) => ({ name: `the call of ${name}`, unit: ' ms', ours })),
        of('opened by its address, until counts and attention are there', opened, 'attention'),
        of('opened by its address, until growth is there too', opened, 'growth'),
        of('opened by its link, until counts and attention are there', linked, 'attention'),
        of('opened by its link, until growth is there too', linked, 'growth'),
      ]),
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Milliseconds until the frame that shows a part of the page. */
interface Shown {
  attention: number;
  growth: number;
}

/** From a click, or from the page's begin where none is given. */
function shown(page: Page, clicked?: string): Promise<Shown> {
  return page.evaluate(
    (clicked) =>
      new Promise<Shown>((fulfil) => {
        const startedAt = clicked === undefined ? 0 : performance.now();
        if (clicked !== undefined) document.querySelector<HTMLElement>(clicked)?.click();
        const seen: Partial<Shown> = {};
        const has = (selector: string) => document.querySelector(selector) !== null;
        const look = () => {
          const now = performance.now() - startedAt;
          if (has('.count-boxes[aria-busy=false]') && has('.finding-group')) seen.attention ??= now;
          if (has('.growth-curves svg')) seen.growth ??= now;
          const { attention, growth } = seen;
          if (attention === undefined || growth === undefined) requestAnimationFrame(look);
          else fulfil({ attention, growth: Math.max(attention, growth) });
        };
        look();
      }),
    clicked,
  );
}

const FILL = [
  `insert into growth_days (day, tenants, users, size_bytes)
   select current_date - n, ${TENANTS} - n, 9000 - n, 30000000000 - n * 1000000 from generate_series(1, 371) n on conflict do nothing`,
  `insert into backups (id, database_id, database_name, origin, state, size_bytes, created_at)
   select gen_random_uuid(), id, name, 'made', 'ready', 1000000, now() - n * interval '1 day'
   from databases, generate_series(1, ${BACKUPS}) n`,
  `insert into operations (id, kind, database_id, database_name, input, actor_name, address, state, steps, size_bytes, created_at,
     started_at, finished_at)
   select gen_random_uuid(), 'backup', id, name, '{}', 'server', '', 'succeeded', '{any}', 0, m.at, m.at, m.at
   from databases, generate_series(1, ${BACKUPS}) n, lateral (select now() - n * interval '1 day' as at) m`,
  'vacuum analyze backups',
  'vacuum analyze operations',
];
