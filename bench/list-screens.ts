import { chromium, type ElementHandle, type Page } from '@playwright/test';
import { type Installation, signIn } from './installation.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const TENANTS = 10_000;
const ROUNDS = 5;

const STEPS = ['opened', 'bare', 'again', 'sorted', 'back', 'filtered', 'scrolled', 'palette'] as const;
type Step = (typeof STEPS)[number];

/** Milliseconds until the frame that shows the rows, and those of the longest task until the page was idle again. */
interface Figures {
  painted: number;
  longestTask: number;
}

const UNIT = ' ms';
/** Browsers tell of no shorter task. */
const LONG_TASK_MS = 50;

/** The tenants screen with 10,000 rows in Chromium, until the frame that shows the rows, beside a bare page that reads the same answer. */
export async function benchTenantTable({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, (client) => fillTenants(client, TENANTS));
  const server = await startServer(environment);
  try {
    return await measureTenantTable(server.url);
  } finally {
    await server.stop();
  }
}

async function measureTenantTable(url: string, rounds = ROUNDS): Promise<Table[]> {
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  const steps = Object.fromEntries(STEPS.map((step) => [step, [] as Figures[]])) as Record<Step, Figures[]>;
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    await page.addInitScript(watchTasks);
    await signInTo(page, url);
    const bare = await browser.newPage();
    await bare.addInitScript(watchTasks);
    await bare.goto(`${url}/config.json`);
    const token = await signIn(url);
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await walk(page, bare, url, token);
      if (round > 0) for (const step of STEPS) steps[step].push(figures[step]);
    }
  } finally {
    await browser.close();
  }
  return tablesOf(steps);
}

function tablesOf(steps: Record<Step, Figures[]>): Table[] {
  const painted = (step: Step) => steps[step].map((figures) => figures.painted);
  const tasks = (step: Step) => steps[step].map(({ longestTask }) => longestTask);
  const row = (name: string, step: Step, atMost: number) => ({
    name,
    unit: UNIT,
    ours: painted(step),
    target: { atMost },
  });
  const taskRow = (name: string, step: Step) => ({
    name,
    unit: UNIT,
    ours: tasks(step),
    target: { atMost: LONG_TASK_MS },
  });
  const rows = `with ${TENANTS.toLocaleString('en-US')} rows`;
  return [
    compare(`The tenants screen ${rows}`, [
      {
        name: 'opened by its address, beside a bare page',
        unit: UNIT,
        ours: painted('opened'),
        floor: painted('bare'),
      },
      row('opened again by its link', 'again', 250),
      row('sorted by a column for the first time', 'sorted', 120),
      row('sorted as before', 'back', 120),
      row('filtered by a key', 'filtered', 50),
      row('found in the palette, the slowest key', 'palette', 50),
    ]),
    compare(
      `The longest task of the tenants screen ${rows}`,
      [
        { name: 'opened by its address, beside a bare page', unit: UNIT, ours: tasks('opened'), floor: tasks('bare') },
        taskRow('opened again by its link', 'again'),
        taskRow('sorted by a column for the first time', 'sorted'),
        taskRow('sorted as before', 'back'),
        taskRow('filtered by a key', 'filtered'),
        taskRow('scrolled by a wheel', 'scrolled'),
        taskRow('found in the palette', 'palette'),
      ],
      [`0 stands for a task under ${LONG_TASK_MS} ms: browsers tell of no shorter one.`],
    ),
  ];
}

/** Opens the screen, leaves and comes back, sorts it, filters it, scrolls it, and finds tenants in the palette. */
async function walk(page: Page, bare: Page, url: string, token: string): Promise<Record<Step, Figures>> {
  await page.goto(`${url}/tenants`, { waitUntil: 'commit' });
  const opened = await painted(page, 'CLINIC1');
  await page.locator('.brand-link').click();
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
  await idle(page);
  const link = page.locator('a[href="/tenants"]').first();
  const again = await painted(page, 'CLINIC1', { clicked: await link.elementHandle() });
  const byCode = await page.getByRole('button', { name: 'Tenant Code' }).elementHandle();
  const sorted = await painted(page, 'CLINIC9999', { clicked: byCode });
  const back = await painted(page, 'CLINIC1', { clicked: byCode });
  const field = page.locator('input[type=search]').first();
  const filtered = await painted(page, 'CLINIC777', { written: await field.elementHandle() });
  await field.fill('');
  await page.getByRole('cell', { name: 'CLINIC1', exact: true }).waitFor();
  await idle(page);
  const scrolled = await scroll(page);
  const palette = await typeIntoPalette(page);
  return { opened, bare: await paintedBare(bare, token), again, sorted, back, filtered, scrolled, palette };
}

/** Opens the palette and types into it. `painted` is the slowest key, until the frame that shows what is like it. */
async function typeIntoPalette(page: Page): Promise<Figures> {
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Find a screen' });
  await field.fill('CLINIC777');
  await page.getByRole('option', { name: 'CLINIC777', exact: false }).first().waitFor();
  await field.fill('');
  await idle(page);
  const painted = await page.evaluate(
    async (texts) => {
      const frame = () => new Promise((fulfil) => requestAnimationFrame(fulfil));
      let slowest = 0;
      for (const text of texts) {
        document.execCommand('selectAll');
        for (const key of text) {
          const startedAt = performance.now();
          document.execCommand('insertText', false, key);
          await frame();
          await frame();
          slowest = Math.max(slowest, performance.now() - startedAt);
        }
      }
      return slowest;
    },
    ['clinc 42 pediatrc', 'edit clinic 42'],
  );
  const figures = { painted, longestTask: await idle(page) };
  await page.keyboard.press('Escape');
  return figures;
}

/** Keeps the tasks of a page that took long. */
function watchTasks() {
  const tasks: number[] = [];
  const keep = (entries: PerformanceEntryList) => tasks.push(...entries.map(({ duration }) => duration));
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  observer.observe({ type: 'longtask', buffered: true });
  Object.assign(window, {
    takeLongestTask() {
      keep(observer.takeRecords());
      return Math.max(0, ...tasks.splice(0));
    },
  });
}

/** Waits until nothing is loaded any more, and forgets the tasks until then. @returns milliseconds of the longest of them */
async function idle(page: Page): Promise<number> {
  await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
  return page.evaluate(async () => {
    for (let time = 0; time < 3; time += 1) await new Promise((fulfil) => requestIdleCallback(fulfil));
    const { takeLongestTask } = window as unknown as { takeLongestTask: () => number };
    return takeLongestTask();
  });
}

interface Begin {
  clicked?: ElementHandle | null;
  /** The field into which the code is written. */
  written?: ElementHandle | null;
}

/** From the page's begin, or from what is done first, to the frame that shows a tenant's code. */
async function painted(page: Page, code: string, begin: Begin = {}): Promise<Figures> {
  const milliseconds = await page.evaluate(
    ({ code, clicked, written }) =>
      new Promise<number>((fulfil) => {
        const startedAt = clicked || written ? performance.now() : 0;
        if (clicked instanceof HTMLElement) clicked.click();
        if (written instanceof HTMLInputElement) {
          written.focus();
          document.execCommand('insertText', false, code);
        }
        const look = () => {
          const isThere = [...document.querySelectorAll('tbody td')].some((cell) => cell.textContent === code);
          if (!isThere) return requestAnimationFrame(look);
          return requestAnimationFrame(() => fulfil(performance.now() - startedAt));
        };
        look();
      }),
    { code, ...begin },
  );
  return { painted: milliseconds, longestTask: await idle(page) };
}

/** Scrolls as a wheel that is turned fast; `painted` is the longest frame. */
async function scroll(page: Page): Promise<Figures> {
  const painted = await page.evaluate(async () => {
    const box = document.querySelector('.data-table-scroller') as HTMLElement;
    const frame = () => new Promise<number>((fulfil) => requestAnimationFrame(fulfil));
    let longest = 0;
    let last = await frame();
    for (let turn = 1; turn <= 150; turn += 1) {
      box.scrollTop = turn * 120;
      const now = await frame();
      longest = Math.max(longest, now - last);
      last = now;
    }
    return longest;
  });
  return { painted, longestTask: await idle(page) };
}

/** The least that opening the screen costs: the call, its answer parsed, and as many rows as fit written as HTML. */
async function paintedBare(page: Page, token: string): Promise<Figures> {
  const milliseconds = await page.evaluate(async (authorization) => {
    const startedAt = performance.now();
    const answer = await fetch('/api/tenant/get', { headers: { authorization } });
    const { result } = await answer.json();
    const rows = result
      .slice(0, 30)
      .map((tenant: object) => `<tr><td>${Object.values(tenant).join('</td><td>')}</td></tr>`);
    document.body.innerHTML = `<table>${rows.join('')}</table>`;
    return new Promise<number>((fulfil) => {
      requestAnimationFrame(() => requestAnimationFrame(() => fulfil(performance.now() - startedAt)));
    });
  }, `Bearer ${token}`);
  return { painted: milliseconds, longestTask: await idle(page) };
}
