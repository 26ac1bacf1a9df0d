import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { expect, watch } from '../fixtures.ts';
import { server } from '../server.ts';

/** Not committed: a command makes it again. */
const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url));

const SIZES = { 1280: { width: 1280, height: 800 }, 390: { width: 390, height: 844 } } as const;

/** In which of its forms a screen is shown. */
export interface Look {
  width: keyof typeof SIZES;
  theme: 'light' | 'dark';
}

export const LOOKS: Look[] = [
  { width: 1280, theme: 'light' },
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
  { width: 390, theme: 'dark' },
];

/** Opens a browser in which the console has a look, and collects what goes wrong in it. */
export async function openAs(browser: Browser, look: Look): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: server.url(),
    viewport: SIZES[look.width],
    colorScheme: look.theme,
    reducedMotion: 'reduce',
  });
  // With dark colours go a top bar and a menu of their own: the console chooses them.
  await context.addInitScript(() => localStorage.setItem('layout', JSON.stringify({ followsSystem: true })));
  const page = await context.newPage();
  return { page, problems: watch(page) };
}

/** What stands where something is still loaded. */
const LOADING = '.skeleton, .overlay, .spinner-border';
/** Nobody looks at more of a list that grows with its window. */
const HIGHEST = 4000;

/** Waits until nothing is loaded or fades any more. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await expect(page.locator(LOADING).filter({ visible: true })).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished),
    );
  });
}

interface Shot extends Look {
  /** Who looks: the folder. */
  who: string;
  name: string;
  /** Whether all of the page is shown, and not only what a window of usual height shows. */
  isWhole?: boolean;
}

/** Saves a picture as `screenshots/WHO/NAME.WIDTH-THEME.png`. */
export async function take(page: Page, { who, name, width, theme, isWhole = false }: Shot): Promise<void> {
  await settle(page);
  // What sticks to the edges of a window stands in the middle of a picture that is higher than it.
  if (isWhole) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.min(Math.max(height, SIZES[width].height), HIGHEST) });
    await settle(page);
  }
  const path = join(FOLDER, who, `${name}.${width}-${theme}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path });
  if (isWhole) await page.setViewportSize(SIZES[width]);
}

/** Writes `screenshots/index.html`, which shows all pictures, those of a screen beside each other. */
export function writeIndex(): void {
  const names = [...new Set(globSync('*/*.png', { cwd: FOLDER }).map((file) => file.replace(/\.\d+-\w+\.png$/, '')))];
  const rows = names.toSorted().map((name) => {
    const pictures = LOOKS.map(({ width, theme }) => `${name}.${width}-${theme}.png`);
    return `<h2>${name}</h2>\n${pictures.map((src) => `<a href="${src}"><img src="${src}" alt="${src}" loading="lazy"></a>`).join('\n')}`;
  });
  const style = 'body { font-family: sans-serif } img { max-height: 420px; max-width: 32%; border: 1px solid #888 }';
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, 'index.html'),
    `<!doctype html>\n<meta charset="utf-8">\n<title>Screens</title>\n<style>${style}</style>\n${rows.join('\n')}\n`,
  );
}
