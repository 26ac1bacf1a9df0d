import { chromium, type Page } from '@playwright/test';
import { fillTenants, type Installation } from './installation.ts';
import { format, summarise } from './measurements.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';

const TENANTS = 10_000;
const ROUNDS = 5;

/** The tenants screen with 10,000 rows in Chromium: from the server's answer to painted rows, first and after a sort. */
export async function benchTenantTable(installation: Installation): Promise<string[]> {
  await fillTenants(installation, TENANTS);
  const server = await startServer(installation.environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  const first: number[] = [];
  const sorted: number[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    await signInTo(page, server.url);
    for (let round = 0; round <= ROUNDS; round += 1) {
      await page.goto(`${server.url}/tenants`);
      const opened = await paintedAfterAnswer(page, 'CLINIC1');
      await page.getByRole('button', { name: 'Tenant Code' }).click();
      const flipped = await paintedAfterAnswer(page, 'CLINIC9999');
      if (round === 0) continue;
      first.push(opened);
      sorted.push(flipped);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const line = (title: string, figures: number[], most: number) => {
    const summary = summarise(figures);
    return `${summary.median <= most ? 'met   ' : 'MISSED'} ${title}: ${format(summary, ' ms')} after the answer, target at most ${most} ms`;
  };
  return [
    line(`tenants screen, ${TENANTS} rows, usable`, first, 1000),
    line(`tenants screen, ${TENANTS} rows, sorted anew`, sorted, 150),
  ];
}

/** Milliseconds from the end of the newest list answer to the frame that shows a tenant's code in the table. */
function paintedAfterAnswer(page: Page, code: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((fulfil) => {
        const look = () => {
          const isThere = [...document.querySelectorAll('tbody td')].some((cell) => cell.textContent === wanted);
          if (!isThere) return requestAnimationFrame(look);
          const answers = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/tenant/get'));
          const answer = answers.at(-1) as PerformanceResourceTiming;
          return fulfil(performance.now() - answer.responseEnd);
        };
        look();
      }),
    code,
  );
}
