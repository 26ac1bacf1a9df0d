import { chromium, type ElementHandle, type Page } from '@playwright/test';
import { type Installation, signIn } from './installation.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const TENANTS = 10_000;
const ROUNDS = 5;

const STEPS = ['opened', 'bare', 'again', 'sorted', 'filtered'] as const;
type Step = (typeof STEPS)[number];

/** The tenants screen with 10,000 rows in Chromium, until the frame that shows the rows, beside a bare page that reads the same answer. */
export async function benchTenantTable({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, (client) => fillTenants(client, TENANTS));
  const server = await startServer(environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  const steps: Record<Step, number[]> = { opened: [], bare: [], again: [], sorted: [], filtered: [] };
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    await signInTo(page, server.url);
    const bare = await browser.newPage();
    await bare.goto(`${server.url}/config.json`);
    const token = await signIn(server.url);
    for (let round = 0; round <= ROUNDS; round += 1) {
      const figures = await walk(page, bare, server.url, token);
      if (round > 0) for (const step of STEPS) steps[step].push(figures[step]);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const { opened, bare, again, sorted, filtered } = steps;
  const unit = ' ms';
  return [
    compare(`The tenants screen with ${TENANTS.toLocaleString('en-US')} rows`, [
      { name: 'opened by its address, beside a bare page', unit, ours: opened, floor: bare },
      { name: 'opened again by its link', unit, ours: again, target: { atMost: 250 } },
      { name: 'sorted anew', unit, ours: sorted, target: { atMost: 120 } },
      { name: 'filtered by a key', unit, ours: filtered, target: { atMost: 50 } },
    ]),
  ];
}

/** Opens the screen, leaves and comes back, sorts it and filters it. */
async function walk(page: Page, bare: Page, url: string, token: string): Promise<Record<Step, number>> {
  await page.goto(`${url}/tenants`, { waitUntil: 'commit' });
  const opened = await painted(page, 'CLINIC1');
  await page.locator('.brand-link').click();
  const link = page.locator('a[href="/tenants"]').first();
  const again = await painted(page, 'CLINIC1', { clicked: await link.elementHandle() });
  const heading = page.getByRole('button', { name: 'Tenant Code' });
  const sorted = await painted(page, 'CLINIC9999', { clicked: await heading.elementHandle() });
  const field = page.locator('input[type=search]').first();
  const filtered = await painted(page, 'CLINIC777', { written: await field.elementHandle() });
  return { opened, bare: await paintedBare(bare, token), again, sorted, filtered };
}

interface Begin {
  clicked?: ElementHandle | null;
  /** The field into which the code is written. */
  written?: ElementHandle | null;
}

/** Milliseconds from the page's begin, or from what is done first, to the frame that shows a tenant's code. */
function painted(page: Page, code: string, begin: Begin = {}): Promise<number> {
  return page.evaluate(
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
}

/** The least that opening the screen costs: the call, its answer parsed, and as many rows as fit written as HTML. */
function paintedBare(page: Page, token: string): Promise<number> {
  return page.evaluate(async (authorization) => {
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
}
