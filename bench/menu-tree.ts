import { chromium, type Page } from '@playwright/test';
import pg from 'pg';
import type { Installation } from './installation.ts';
import { reportBound } from './measurements.ts';
import { signInTo } from './page-sign-in.ts';
import { startServer } from './processes.ts';

const LEVELS = 6;
const MENUS = 500;
const ROUNDS = 5;

/** The menus screen with 500 menus in 6 levels in Chromium: from each click on a menu to the painted level inside it. */
export async function benchMenuTree({ environment }: Installation): Promise<string[]> {
  await fillMenus(environment.DATABASE_URL);
  const server = await startServer(environment);
  const browser = await chromium.launch({ executablePath: process.env.APOTHECA_CHROMIUM, args: ['--no-sandbox'] });
  const opened: number[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 860 } });
    await signInTo(page, server.url);
    for (let round = 0; round <= ROUNDS; round += 1) {
      await page.goto(`${server.url}/menus`);
      await page.getByText('Menu 1.1', { exact: true }).waitFor();
      for (let level = 1; level < LEVELS; level += 1) {
        const figure = await paintedAfterClick(page, `Menu ${level}.1`, `Menu ${level + 1}.1`);
        if (round > 0) opened.push(figure);
      }
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return [reportBound(`a level of ${MENUS} menus in ${LEVELS} levels, opened`, opened, ' ms', 100)];
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

/** As many menus on each level, inside the first one of the level above. */
async function fillMenus(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let parent: string | undefined;
  for (let level = 1; level <= LEVELS; level += 1) {
    const { rows }: pg.QueryResult<{ id: string; sort_order: number }> = await client.query(
      `insert into permissions (module, name, identifier, route, icon, is_menu, sort_order, parent_permission_id)
       select 'Menu', 'Menu ' || $1::text || '.' || n, 'bench.' || $1::text || '.' || n, '/bench', 'circle', true, n, $2
       from generate_series(1, $3::integer) n returning id, sort_order`,
      [level, parent, Math.ceil(MENUS / LEVELS)],
    );
    parent = rows.find(({ sort_order }) => sort_order === 1)?.id;
  }
  await client.end();
}
