// Lighthouse's scores of the built console. Its package and those that it needs weigh more than a third of all that is installed here, and
// nothing else uses them: npm fetches them when this measurement is named.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';
import type { Installation } from './installation.ts';
import { signInTo } from './page-sign-in.ts';
import { ROOT, startServer } from './processes.ts';
import { fillTenants, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const TENANTS = 1_000;
const ROUNDS = 3;

const PAGES = { 'sign-in': '/login', dashboard: '/', tenants: '/tenants' } as const;
type Page = keyof typeof PAGES;
/** What each form of device is to reach. */
const FORMS = { mobile: { performance: 95 }, desktop: { performance: 99 } } as const;
type Form = keyof typeof FORMS;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
type Category = (typeof CATEGORIES)[number];

interface Audit {
  title: string;
  score: number | null;
  displayValue?: string;
  details?: { items?: { node?: { selector: string } }[] };
}

/** The part of Lighthouse's report that is read here. */
interface Report {
  categories: Record<Category, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, Audit>;
  environment: { benchmarkIndex: number };
}

/** A browser that Lighthouse can drive. */
interface Driven {
  port: string;
  signIn: () => Promise<void>;
}

/** The sign-in page, the dashboard and the tenants screen with 1,000 rows, on a phone and on a desktop, as Lighthouse simulates them. */
export async function benchLighthouse({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, (client) => fillTenants(client, TENANTS));
  const server = await startServer(environment);
  try {
    return await withBrowser(server.url, async ({ port, signIn }) => {
      const tables: Table[] = [];
      for (const page of Object.keys(PAGES) as Page[]) {
        if (page === 'dashboard') await signIn();
        for (const form of Object.keys(FORMS) as Form[]) {
          const reports: Report[] = [];
          while (reports.length < ROUNDS) reports.push(await reportOn(`${server.url}${PAGES[page]}`, form, port));
          tables.push(tableOf(page, form, reports));
        }
      }
      return tables;
    });
  } finally {
    await server.stop();
  }
}

async function withBrowser<T>(url: string, work: (browser: Driven) => Promise<T>): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'apotheca-lighthouse-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.APOTHECA_CHROMIUM,
    args: ['--no-sandbox', '--remote-debugging-port=0'],
  });
  try {
    const [port = ''] = (await readFile(join(profile, 'DevToolsActivePort'), 'utf8')).split('\n');
    return await work({
      port,
      signIn: async () => {
        const page = await context.newPage();
        await signInTo(page, url);
        await page.close();
      },
    });
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function reportOn(url: string, form: Form, port: string): Promise<Report> {
  // It empties the browser's cache before each run, and leaves local storage with the session.
  const options = ['--output=json', '--quiet', `--only-categories=${CATEGORIES}`, '--no-enable-error-reporting'];
  options.push(`--port=${port}`, ...(form === 'desktop' ? ['--preset=desktop'] : []));
  const { stdout } = await promisify(execFile)('npm', ['exec', '--yes', '--', LIGHTHOUSE, url, ...options], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Report;
}

function tableOf(page: Page, form: Form, reports: Report[]): Table {
  const scores = (category: Category) => reports.map(({ categories }) => (categories[category].score ?? 0) * 100);
  const target = { performance: FORMS[form].performance, accessibility: 100, 'best-practices': 100 };
  return compare(
    `Lighthouse: ${page}, ${form}`,
    CATEGORIES.map((category) => ({
      name: category,
      unit: '',
      ours: scores(category),
      target: { atLeast: target[category] },
    })),
    [
      `Lighthouse says how fast the machine was (benchmarkIndex): ${reports.map(({ environment }) => environment.benchmarkIndex).join(', ')}.`,
      ...lost(reports),
    ],
  );
}

/** The audits that took points in a run, with what Lighthouse says of them and where. */
function lost(reports: Report[]): string[] {
  const said = reports.flatMap(({ categories, audits }) =>
    CATEGORIES.flatMap((category) => categories[category].auditRefs)
      .filter(({ weight }) => weight > 0)
      .flatMap(({ id }) => audits[id] ?? [])
      .filter(({ score }) => (score ?? 1) < 0.9)
      .map(({ title, displayValue, details }) => {
        const places = details?.items?.flatMap(({ node }) => node?.selector ?? []).slice(0, 3) ?? [];
        return [title, displayValue, ...places].filter((part) => part !== undefined).join(': ');
      }),
  );
  return [...new Set(said)].sort();
}
