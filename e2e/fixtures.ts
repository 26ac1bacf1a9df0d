import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type APIResponse, test as base, expect, type Locator, type Page, type Route } from '@playwright/test';
import type axe from 'axe-core';
import { IS_LONG_RUN } from '../api/src/testing/long-run.ts';
import { ADMINISTRATOR, errorLines, server } from './server.ts';

interface Fixtures {
  /** Errors that a test expects in the browser's console, such as the 401 of a wrong password. */
  expectedErrors: RegExp[];
  /** Opens a browser of another user, watched like the first one; closed after the test. */
  openBrowser: () => Promise<Page>;
  /** Signed in as the administrator. No page of the console is open yet: most tests open another one than the dashboard first. */
  signedIn: Page;
  /** As `signedIn`, on the dashboard. */
  dashboard: Page;
}

/** The part of the server's log that the tests of this worker have read, in characters. */
let readLength: number | undefined;

/**
 * A test fails on an error in the browser's console, on a 5xx answer, and on an error in the server's log meanwhile.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures wanted from this pattern
  baseURL: async ({}, use) => use(server.url()),
  expectedErrors: [[], { option: true }],
  openBrowser: async ({ browser, expectedErrors }, use) => {
    const opened: { page: Page; problems: string[] }[] = [];
    await use(async () => {
      // A context of its own can have a second tab.
      const page = await (await browser.newContext()).newPage();
      await noteToasts(page);
      opened.push({ page, problems: watch(page) });
      return page;
    });
    for (const { page } of opened) await page.context().close();
    expect(
      unexpected(
        opened.flatMap(({ problems }) => problems),
        expectedErrors,
      ),
    ).toEqual([]);
  },
  page: async ({ page, expectedErrors }, use, { workerIndex }) => {
    // The first worker reads the log of the server's start too. After a failed test there is a new worker, which skips
    // what is in the log already.
    readLength ??= workerIndex === 0 ? 0 : server.log().length;
    await noteToasts(page);
    const problems = watch(page);
    await use(page);
    const log = server.log();
    const logged = errorLines(log.slice(readLength));
    readLength = log.length;
    expect([...unexpected(problems, expectedErrors), ...logged]).toEqual([]);
  },
  signedIn: async ({ page }, use) => {
    await takeSession(page);
    await use(page);
  },
  dashboard: async ({ signedIn }, use) => {
    await signedIn.goto('/');
    await expect(signedIn.getByRole('button', { name: /^User menu/ })).toBeVisible();
    await use(signedIn);
  },
});

export { expect };

const unexpected = (problems: string[], expectedErrors: RegExp[]): string[] =>
  problems.filter((problem) => !expectedErrors.some((expected) => expected.test(problem)));

/** Collects the errors of a page. */
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

/** Signs in; by default as the administrator. */
export async function signIn(page: Page, { username, password } = ADMINISTRATOR): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: /^User menu/ })).toBeVisible();
}

/**
 * Signs the administrator in by a call, and leaves the session where the console looks for it (SPEC §3): the form of {@link signIn} takes as
 * much of the processor as a short test. A file of the console's is the page meanwhile, as storage belongs to an address.
 */
async function takeSession(page: Page): Promise<void> {
  const answer = await page.request.post('/identity/authenticate/authenticate', { data: ADMINISTRATOR });
  const { result } = await answer.json();
  const { accessToken, serverTime, ...session } = result;
  await page.goto('/favicon.svg');
  await page.evaluate(
    (stored) => {
      for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, String(value ?? ''));
    },
    { ...session, clockOffset: serverTime - Math.floor(Date.now() / 1000), jwtToken: accessToken },
  );
}

/**
 * Waits until no dialog is open any more. One that is out of sight still takes the keys of the page for a moment, and then gives the focus back,
 * which closes a menu that was opened meanwhile and may scroll a list.
 */
export const expectNoDialog = (page: Page): Promise<void> => expect(page.locator('body')).not.toHaveClass(/modal-open/);

/** Waits until a dialog has the focus: it takes it when it opens, and gets it back from one above it, which takes Escape until then. */
export const expectFocusIn = (dialog: Locator): Promise<void> =>
  expect.poll(() => dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true);

/**
 * Waits until what was unsaved is gone. It had an entry of the history, which is left a moment after the dialog: another page that is asked for
 * meanwhile is not opened.
 */
export const expectNothingUnsaved = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => history.state)).not.toHaveProperty('unsaved');

/** The answer to a call of a page, also where the page has it already and only asks whether it has changed (RFC 9110, 304). */
export function fetchWhole(route: Route): Promise<APIResponse> {
  const { 'if-none-match': _, ...headers } = route.request().headers();
  return route.fetch({ headers });
}

/** What the toasts of each page have said, until a test asks for it. */
const toasts = new WeakMap<Page, string[]>();

/** Notes what each toast says: it is gone after 1.5 s, or when the next one comes, and a test may look later than that. */
async function noteToasts(page: Page): Promise<void> {
  const said: string[] = [];
  toasts.set(page, said);
  await page.exposeBinding('noteToast', (_, text: string) => void said.push(text));
  await page.addInitScript(reportToasts);
}

/** Runs in each page before its own scripts. */
function reportToasts() {
  const note: unknown = Reflect.get(window, 'noteToast');
  const noted = new WeakSet<Element>();
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('.Toastify__toast')) {
      if (!noted.has(toast) && typeof note === 'function') note(toast.textContent);
      noted.add(toast);
    }
  }).observe(document, { childList: true, subtree: true });
}

/** Waits until a toast has said that; each toast counts once. The failure tells what was said and which dialog is open. */
export async function expectToast(page: Page, text: string | RegExp): Promise<void> {
  const message = `a toast says ${text}`;
  try {
    await expect.poll(() => takeToast(page, text), { message, intervals: [50] }).toBe(true);
  } catch (cause) {
    const dialogs = await Promise.all((await page.getByRole('dialog').all()).map((dialog) => dialog.ariaSnapshot()));
    const seen = [`said so far: ${JSON.stringify(saidIn(page))}`, ...dialogs.map((dialog) => `open:\n${dialog}`)];
    throw new Error([message, ...seen].join('\n'), { cause });
  }
}

/** What the toasts of a page have said so far, but for what was waited for. */
export function saidIn(page: Page): string[] {
  const said = toasts.get(page);
  if (!said) throw new Error('The toasts of this page are not noted.');
  return said;
}

function takeToast(page: Page, text: string | RegExp): boolean {
  const said = saidIn(page);
  const at = said.findIndex((one) => (typeof text === 'string' ? one.includes(text) : text.test(one)));
  if (at >= 0) said.splice(at, 1);
  return at >= 0;
}

/**
 * Waits until the page notices the end of its session and shows the sign-in.
 * @param end ends the session
 */
export async function expectSignedOut(page: Page, end: () => Promise<void>): Promise<void> {
  const told = expectToast(page, 'Your session has expired. Please login again.');
  await end();
  // Back in its window the page asks what its user may do, unless it has noticed already. A link could be covered by the sign-in meanwhile.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await told;
  await expect(page).toHaveURL(/\/login$/);
}

/** Waits until what a screen or a dialog loads is there, with its font. The network may be idle before that, and is no longer watched then. */
export async function expectLoaded(page: Page): Promise<void> {
  await expect(page.locator('.overlay, .skeleton, .loading-text')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The axe-core rules that depend on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Expects axe-core to find nothing in the whole page once nothing fades any more, in light and in dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectAccessibleAsShown(page);
  await expectColoursOfDark(page);
}

/** Like {@link expectAccessible}, but only in the page's present colours. */
export async function expectAccessibleAsShown(page: Page): Promise<void> {
  expect(await findingsOf(page)).toEqual([]);
}

/**
 * What axe-core finds in the page as it is.
 * @param rules all unless given
 * @param part a selector of what it looks at, the last one of several; absent: the whole page
 */
export async function findingsOf(page: Page, rules?: string[], part = 'html'): Promise<string[]> {
  await page.evaluate(endAnimations);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(runAxe, { rules, part });
}

/** Runs in the page, and answers with the violations alone: what passed is many times as long. */
async function runAxe({ rules, part }: { rules: string[] | undefined; part: string }): Promise<string[]> {
  const { violations } = await window.axe.run([...document.querySelectorAll(part)].at(-1) ?? document, {
    resultTypes: ['violations'],
    // It is off by default.
    ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

declare global {
  interface Window {
    /** Once it has been evaluated in the page. */
    axe: typeof axe;
  }
}

/**
 * All colours depend on this attribute alone, except those of the top bar and the menu, which have variants of their
 * own: so the page need not be opened twice.
 */
function showTheme(theme: string) {
  document.documentElement.dataset.bsTheme = theme;
}

/** Waits until nothing fades or slides any more. What has no end, as a spinner, does neither; the bar of a toast may be paused. */
async function endAnimations() {
  const ending = document.getAnimations().filter(({ effect }) => {
    const target = effect instanceof KeyframeEffect ? effect.target : null;
    const isEndless = effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
    return !isEndless && !target?.closest('.Toastify__progress-bar');
  });
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

const WIDE = { width: 1440, height: 860 };
const NARROW = { width: 390, height: 860 };

/** How many looks each page has had at both widths. */
const looks = new WeakMap<Page, number>();

/**
 * Like {@link expectAccessible}, on a wide screen and on a phone's: in a long run in both colours at both widths, otherwise by turns light on
 * one of them, with all rules, and dark on the other.
 */
export async function expectAccessibleAtAnyWidth(page: Page): Promise<void> {
  const look = looks.get(page) ?? 0;
  looks.set(page, look + 1);
  for (const [turn, size] of [WIDE, NARROW].entries()) {
    await page.setViewportSize(size);
    if (IS_LONG_RUN) await expectAccessible(page);
    else if (look % 2 === turn) await expectAccessibleAsShown(page);
    else await expectColoursOfDark(page);
  }
  await page.setViewportSize(WIDE);
}

/** Expects axe-core to find no fault of colours in the page in dark colours. */
async function expectColoursOfDark(page: Page): Promise<void> {
  await page.evaluate(showTheme, 'dark');
  const dark = await findingsOf(page, COLOUR_RULES);
  await page.evaluate(showTheme, 'light');
  expect({ dark }).toEqual({ dark: [] });
}
