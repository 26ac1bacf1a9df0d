import { chromium, type Page } from '@playwright/test';
import type { Installation } from './installation.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';
import { fillMenus, withClient } from './rows.ts';
import { compare, type Table } from './tables.ts';

const LEVELS = 6;
const MENUS = 500;
const ROUNDS = 5;

/** The menus screen with 500 menus in 6 levels in Chromium: from each click on a menu to the painted level inside it. */
export async function benchMenuTree({ environment }: Installation): Promise<Table[]> {
  await withClient(environment.DATABASE_URL, (client) => fillMenus(client, MENUS));
  const server = await startServer(environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  const figures: Record<'ours' | 'floor', number[]> = { ours: [], floor: [] };
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    await signInTo(page, server.url);
    for (let round = 0; round <= ROUNDS; round += 1) {
      await page.goto(`${server.url}/menus`);
      await page.getByText('Menu 1.1', { exact: true }).waitFor();
      for (let level = 1; level < LEVELS; level += 1) {
        const ours = await paintedAfterClick(page, `Menu ${level}.1`, `Menu ${level + 1}.1`);
        const floor = await paintedBare(page);
        if (round === 0) continue;
        figures.ours.push(ours);
        figures.floor.push(floor);
      }
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const name = `a level of ${MENUS} menus in ${LEVELS} levels, from the click to its painting, beside as many bare buttons`;
  return [compare('The menus screen', [{ name, unit: ' ms', ...figures }])];
}

/** Milliseconds from a click on a menu to the frame after the one in which the menu inside it stands. */
function paintedAfterClick(page: Page, name: string, inside: string): Promise<number> {
  return page.evaluate(
    ([clicked, wanted]) =>
      new Promise<number>((fulfil) => {
        const named = (text: string | undefined) =>
          [...document.querySelectorAll('.menu-name')].find(({ textContent }) => textContent === text);
        const look = () => {
          if (!named(wanted)) return requestAnimationFrame(look);
          return requestAnimationFrame(() => fulfil(performance.now() - startedAt));
        };
        const startedAt = performance.now();
        named(clicked)?.closest('button')?.click();
        look();
      }),
    [name, inside],
  );
}

/** The least that a level costs: as many buttons, written as HTML, to the frame after the one in which they stand. */
function paintedBare(page: Page): Promise<number> {
  return page.evaluate(
    (count) =>
      new Promise<number>((fulfil) => {
        const startedAt = performance.now();
        const level = document.createElement('div');
        level.innerHTML = '<button>Menu</button>'.repeat(count);
        document.body.append(level);
        requestAnimationFrame(() =>
          requestAnimationFrame(() => {
            const figure = performance.now() - startedAt;
            level.remove();
            fulfil(figure);
          }),
        );
      }),
    Math.ceil(MENUS / LEVELS),
  );
}
