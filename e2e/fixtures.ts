import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { ADMINISTRATOR, errorLines, server } from './server.ts';

interface Fixtures {
  /** Errors that a test expects in the browser's console, such as the 401 of a wrong password. */
  expectedErrors: RegExp[];
  /** Opens another person's browser, watched like the first one; closed after the test. */
  openBrowser: () => Promise<Page>;
  /** Signed in as the administrator, on the dashboard. */
  signedIn: Page;
}

/** How much of the server's log the tests of this worker have looked through. */
let lookedThrough: number | undefined;

/** Every test fails on an error in the browser's console, on a 5xx answer, and on an error in the server's log meanwhile. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures wanted from this pattern
  baseURL: async ({}, use) => use(server.url()),
  expectedErrors: [[], { option: true }],
  openBrowser: async ({ browser, expectedErrors }, use) => {
    const opened: { page: Page; problems: string[] }[] = [];
    await use(async () => {
      const page = await browser.newPage();
      opened.push({ page, problems: watch(page) });
      return page;
    });
    for (const { page } of opened) await page.close();
    expect(
      unexpected(
        opened.flatMap(({ problems }) => problems),
        expectedErrors,
      ),
    ).toEqual([]);
  },
  page: async ({ page, expectedErrors }, use, { workerIndex }) => {
    // The first worker looks at the server's start as well; after a failed test there is a new one, which skips what failed it.
    lookedThrough ??= workerIndex === 0 ? 0 : server.log().length;
    const problems = watch(page);
    await use(page);
    const log = server.log();
    const logged = errorLines(log.slice(lookedThrough));
    lookedThrough = log.length;
    expect([...unexpected(problems, expectedErrors), ...logged]).toEqual([]);
  },
  signedIn: async ({ page }, use) => {
    await signIn(page);
    await use(page);
  },
});

export { expect };

const unexpected = (problems: string[], expectedErrors: RegExp[]): string[] =>
  problems.filter((problem) => !expectedErrors.some((expected) => expected.test(problem)));

/** Collects what goes wrong in a page. */
export function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

/** Signs in, as the administrator if nobody else is named. */
export async function signIn(page: Page, { username, password } = ADMINISTRATOR): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible();
}

/** A toast that says so. It is gone in 1.5 s: where something else is waited for as well, this must begin before that. */
export const expectToast = (page: Page, text: string | RegExp): Promise<void> =>
  page
    .getByRole('region', { name: /^Notifications/ })
    .getByText(text)
    .waitFor();

/**
 * The page's next call tells that its session has ended, and leads to the sign-in.
 * @param end what ends the session
 */
export async function expectSignedOut(page: Page, end: () => Promise<void>): Promise<void> {
  const told = expectToast(page, 'Your session has expired. Please login again.');
  await end();
  // The page asks for what is under way now and then, so it may have been told already.
  await page.getByRole('link', { name: 'Menu Management' }).or(page.getByLabel('Username')).first().click();
  await told;
  await expect(page).toHaveURL(/\/login$/);
}

/** What axe-core looks at that depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Nothing that axe-core finds, in the whole page as it stands once nothing fades in or out any more, light and dark. */
export async function expectAccessible(page: Page): Promise<void> {
  const light = await findings(page, (axe) => axe);
  await page.evaluate(showTheme, 'dark');
  const dark = await findings(page, (axe) => axe.withRules(COLOUR_RULES));
  await page.evaluate(showTheme, 'light');
  expect({ light, dark }).toEqual({ light: [], dark: [] });
}

/** As {@link expectAccessible}, but only in the colours that the page has. */
export async function expectAccessibleAsShown(page: Page): Promise<void> {
  expect(await findings(page, (axe) => axe)).toEqual([]);
}

async function findings(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  await page.evaluate(endTransitions);
  // Nothing here has frames: without putting their findings together, which opens a blank page each time, it is faster.
  const { violations } = await narrow(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/**
 * All colours but those of the top bar and the menu, which have variants of their own, hang on this attribute alone: the walk need not
 * be gone twice.
 */
function showTheme(theme: string) {
  document.documentElement.dataset.bsTheme = theme;
}

async function endTransitions() {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}

const WIDE = { width: 1440, height: 860 };
const NARROW = { width: 390, height: 860 };

/** As {@link expectAccessible}, on a wide screen and on a phone's. */
export async function expectAccessibleAtAnyWidth(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize(NARROW);
  await expectAccessible(page);
  await page.setViewportSize(WIDE);
}
