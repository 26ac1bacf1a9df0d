import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';
import { expect, expectAccessibleAsShown, fetchWhole, test } from '../fixtures.ts';

const KIBIBYTE = 1024;

/** All that a page loads until nothing more comes, by the ending of the file's name. */
async function loadOf(page: Page, path: string) {
  const requests: Request[] = [];
  page.on('requestfinished', (request) => requests.push(request));
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  const loaded = requests.map(async (request) => {
    const response = await request.response();
    return {
      path: new URL(request.url()).pathname,
      encoding: await response?.headerValue('content-encoding'),
      sent: (await request.sizes()).responseBodySize,
      body: (await response?.body()) ?? Buffer.of(),
    };
  });
  const files = await Promise.all(loaded);
  return (ending: string) => files.filter((file) => file.path.endsWith(ending));
}

const kibibytes = (sizes: number[]): number => sizes.reduce((sum, size) => sum + size, 0) / KIBIBYTE;

test('the sign-in page loads at most 150 KiB of JavaScript and 25 KiB of CSS as sent, with Brotli [§2.3]', async ({
  page,
}) => {
  const files = await loadOf(page, '/login');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
  // The page itself asks for the settings, in time for the program.
  expect(files('/config.json')).toHaveLength(1);
  const [scripts, styles] = [files('.js'), files('.css')];
  for (const { path, encoding, body } of [...scripts, ...styles])
    if (body.length > KIBIBYTE) expect(`${path} ${encoding}`).toBe(`${path} br`);
  expect(scripts.length).toBeGreaterThan(0);
  expect(styles.length).toBeGreaterThan(0);
  expect(kibibytes(scripts.map(({ sent }) => sent))).toBeLessThanOrEqual(150);
  expect(kibibytes(styles.map(({ sent }) => sent))).toBeLessThanOrEqual(25);
  expect(kibibytes(scripts.map(({ body }) => gzipSync(body).length))).toBeLessThanOrEqual(175);
});

test('the sign-in page loads one font, and nothing moves when it comes [§2.3]', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const { entryType } of list.getEntries()) document.documentElement.dataset.moved = entryType;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // Not every machine has a font that can stand in for Inter with its measures: the program comes once Inter is there.
  const font = page.waitForEvent('requestfinished', (request) => request.url().endsWith('.woff2'));
  await page.route('**/assets/*.js', async (route) => {
    await font;
    await route.continue();
  });
  const files = await loadOf(page, '/login');
  expect(files('.woff2').map(({ path }) => path)).toEqual([expect.stringMatching(/inter-latin-wght-normal/)]);
  const askedBy = await page.evaluate(() => {
    const fonts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.woff2'));
    return fonts.map((font) => font instanceof PerformanceResourceTiming && font.initiatorType);
  });
  // The page itself asks for it, before its style sheet is there.
  expect(askedBy).toEqual(['link']);
  await expect(page.locator('html')).not.toHaveAttribute('data-moved');
});

test('the public pages show all their texts before those of the protected pages are loaded [§2.3] [§2.4]', async ({
  page,
}) => {
  for (const path of ['/login', '/register', '/forgot-password', '/recover-password']) {
    await page.goto(path);
    await expect(page.getByRole('button').first()).toBeVisible();
    // i18next shows the key of a missing text.
    await expect(page.locator('body')).not.toContainText(/\b[a-z]+[A-Za-z]*\.[a-z][A-Za-z]*(\.[a-z]\w*)*\b/);
  }
});

/** Tells whether a file of this name was asked for. */
function watchFiles(page: Page) {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return (name: string) => asked.some((path) => path.startsWith(`/assets/${name}-`));
}

test('the code of a protected page is asked for before the server has answered anything else [§2.1]', async ({
  signedIn: page,
}) => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('/config.json', async (route) => {
    await answered;
    await route.continue();
  });
  const isAsked = watchFiles(page);
  await page.goto('/users');
  await expect.poll(() => isAsked('signed-in') && isAsked('users-page')).toBe(true);
  expect(isAsked('licences-page')).toBe(false);
  answer();
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
});

test('who has a session gets the frame of the protected pages beside the program, and loads it once [§2.1]', async ({
  signedIn: page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const program = await hold(page, '**/assets/vendor-*.js');
  await page.goto('/profile', { waitUntil: 'commit' });
  const framesAsked = () =>
    asked.filter((path) => path.startsWith('/assets/signed-in-')).map((path) => path.split('.').at(-1));
  await program.asked;
  await expect.poll(() => framesAsked().sort()).toEqual(['css', 'js']);
  program.release();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  expect(framesAsked().sort()).toEqual(['css', 'js']);
});

test('a list opened by its address comes beside the program, each of its files once [§2.1]', async ({
  signedIn: page,
}) => {
  const lists = {
    '/tenants': 'Tenants',
    '/users': 'Users',
    '/database': 'Database Management',
    '/licence': 'Licence Management',
  };
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const [path, name] of Object.entries(lists)) {
    const program = await hold(page, '**/assets/vendor-*.js');
    await page.goto(path, { waitUntil: 'commit' });
    await program.asked;
    await expect.poll(() => asked.some((file) => /^\/assets\/\w+-page-/.test(file))).toBe(true);
    program.release();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const files = asked.filter((file) => file.startsWith('/assets/'));
    expect(files.toSorted()).toEqual([...new Set(files)].toSorted());
    asked.length = 0;
    await page.unrouteAll();
  }
});

test('errors have no stack until the page has started, and one from then on [§2.1]', async ({ dashboard: page }) => {
  const frames = () => page.evaluate(() => new Error('asked').stack?.split('\n').slice(1).length);
  const program = await hold(page, '**/assets/vendor-*.js');
  await page.goto('/profile', { waitUntil: 'commit' });
  await program.asked;
  await expect.poll(frames).toBe(0);
  program.release();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  expect(await frames()).toBeGreaterThan(0);
});

test('who has a session sees the page next, and nothing in between [§2.1]', async ({ dashboard: page }) => {
  await page.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      for (const name of ['preloader', 'overlay'])
        if (document.querySelector(`.${name}:not(.session-check *)`)) seen.add(name);
    }).observe(document, { childList: true, subtree: true });
  });
  // Its code is here before the start-up is over, however slow the machine is.
  const isAsked = watchFiles(page);
  const unfinished = new Set<Request>();
  page.on('request', (request) => unfinished.add(request));
  page.on('requestfinished', (request) => unfinished.delete(request));
  page.on('requestfailed', (request) => unfinished.delete(request));
  const isLoaded = () =>
    isAsked('users-page') && [...unfinished].every((request) => !request.url().includes('/assets/'));
  await page.route('/config.json', async (route) => {
    await expect.poll(isLoaded).toBe(true);
    await route.continue();
  });
  await page.goto('/users');
  await expect(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible();
  expect(await page.evaluate(() => [...(globalThis as unknown as { seen: Set<string> }).seen])).toEqual([]);
});

test('who begins to type at the sign-in gets the code of the dashboard meanwhile [§2.3]', async ({ page }) => {
  const isAsked = watchFiles(page);
  await page.goto('/login');
  await page.getByLabel('Username').focus();
  await page.waitForLoadState('networkidle');
  expect(isAsked('signed-in')).toBe(false);
  await page.keyboard.type('a');
  await expect.poll(() => isAsked('signed-in')).toBe(true);
});

test('the code of a page comes when a link to it gets the pointer or the focus [§2.2]', async ({ dashboard: page }) => {
  const isAsked = watchFiles(page);
  await page.getByRole('link', { name: 'Menu Management' }).hover();
  await expect.poll(() => isAsked('menus-page')).toBe(true);
  expect(isAsked('licences-page')).toBe(false);
  await page.getByRole('link', { name: 'Licence Management' }).focus();
  await expect.poll(() => isAsked('licences-page')).toBe(true);
  await expect(page).toHaveURL(/\/$/);
});

/** Keeps what is asked for at an address from being answered until `release`; `asked` tells the headers of the first request. */
async function hold(page: Page, address: string | RegExp) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<Record<string, string>>();
  await page.route(address, async (route) => {
    ask(route.request().headers());
    await released;
    await route.continue();
  });
  return { asked, release };
}

const linkTo = (page: Page, path: string) => page.locator(`.main-sidebar a.nav-link[href="${path}"]`);

test('what a page reads is asked for while its code is still loaded, by its address and by a link [§2.1]', async ({
  signedIn: page,
}) => {
  const rows = page.locator('tr[data-index="0"]');
  const code = await hold(page, '**/assets/users-page-*.js');
  const data = await hold(page, /\/api\/users\/get/);
  await page.goto('/users');
  await Promise.all([code.asked, data.asked]);
  await expect(rows).toBeHidden();
  data.release();
  code.release();
  await expect(rows).toBeVisible();

  const otherCode = await hold(page, '**/assets/databases-page-*.js');
  const otherData = await hold(page, /\/api\/managedatabase\/getalldatabase/);
  await linkTo(page, '/database').click();
  await Promise.all([otherCode.asked, otherData.asked]);
  otherData.release();
  otherCode.release();
  await expect(page.getByText(/^Displaying \d+ of \d+ results$/)).toBeVisible();
});

test('a list that was read before is there before the server has said whether it has changed [§9]', async ({
  signedIn: page,
}) => {
  // An operation of another test that ends has the lists forgotten that nobody looks at: the first answer about operations stays.
  let operations: unknown;
  await page.route(/\/api\/operations\/get(\?|$)/, async (route) => {
    operations ??= await (await fetchWhole(route)).json();
    await route.fulfill({ json: operations });
  });
  await page.goto('/');
  const rows = page.locator('tr[data-index="0"]');
  const nextAnswer = () => page.waitForResponse(/\/api\/users\/get/);
  const first = nextAnswer();
  await linkTo(page, '/users').click();
  await expect(rows).toBeVisible();
  const before = await (await first).text();
  await linkTo(page, '/').click();
  await expect(rows).toBeHidden();
  const data = await hold(page, /\/api\/users\/get/);
  await linkTo(page, '/users').click();
  expect(await data.asked).toHaveProperty('if-none-match');
  await expect(rows).toBeVisible();
  const second = nextAnswer();
  data.release();
  const answer = await second;
  // Other tests change users, too: a list that comes anew is another one.
  if (answer.status() !== 304) expect(await answer.text()).not.toBe(before);
});

test.describe('a file of the program that a server does not have, as it is of another version', () => {
  test.use({ expectedErrors: [/status of 404|was preloaded using link preload but not used/] });

  for (const file of ['index-*.js', 'vendor-*.js']) {
    test(`is asked for again, and the page comes: ${file} [§2.1]`, async ({ page }) => {
      let loads = 0;
      page.on('load', () => {
        loads += 1;
      });
      await page.route(`**/assets/${file}`, (route) =>
        loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
      );
      await page.goto('/login');
      await expect.poll(() => loads).toBe(2);
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
    });
  }

  test('is asked for again without the page, where only its style sheet is missing: what runs counts once [§2.1]', async ({
    page,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.resourceType()));
    await page.route('**/assets/index-*.css', (route) =>
      asked.filter((type) => type === 'stylesheet').length < 3 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.goto('/login');
    await page.getByLabel('Username').fill('grace');
    await expect.poll(() => asked.filter((type) => type === 'stylesheet')).toHaveLength(3);
    // A page without styles has a margin.
    await expect(page.locator('body')).toHaveCSS('margin', '0px');
    expect(asked.filter((type) => type === 'document')).toHaveLength(1);
    await expect(page.getByLabel('Username')).toHaveValue('grace');
  });

  for (const [language, says, reload] of [
    ['en', 'A part of the console could not be loaded.', 'Reload'],
    ['es', 'No se pudo cargar una parte de la consola.', 'Volver a cargar'],
  ] as const) {
    test(`is told of where it never comes, with a way to load it again: ${language} [§2.1] [§8]`, async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
      await page.route('**/assets/index-*.js', (route) => route.fulfill({ status: 404 }));
      await page.goto('/login');
      await expect(page.getByText(says)).toBeVisible();
      await expect(page.getByText('Loading')).toBeHidden();
      await expectAccessibleAsShown(page);
      await page.unrouteAll();
      await page.getByRole('button', { name: reload }).click();
      await expect(page.locator('#password, input[type="password"]')).toBeVisible();
    });
  }
});
