import type { Page } from '@playwright/test';
import { IS_LONG_RUN } from '../../api/src/testing/long-run.ts';
import { clippedTexts } from '../clipped-texts.ts';
import { expect, expectAccessible, expectLoaded, signIn, test } from '../fixtures.ts';
import { createUser, PASSWORD } from '../users-screen.ts';

const SPANISH = /\/assets\/es-[^/]+\.js$/;

/** The scripts that hold the texts in Spanish, as a page asks for them. */
function spanishOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (SPANISH.test(new URL(request.url()).pathname)) asked.push(request.url());
  });
  return asked;
}

/** As a browser in which somebody had the console in another language. */
const keep = (page: Page, language: string) =>
  page.addInitScript((name) => localStorage.setItem('language', name), language);

test.describe('with a browser that prefers Spanish', () => {
  test.use({ locale: 'es-ES' });

  test('the console is English, and asks for no text in Spanish [§1]', async ({ page }) => {
    const asked = spanishOf(page);
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    await page.waitForLoadState('networkidle');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    expect(asked).toEqual([]);
  });
});

test('whoever has chosen Spanish never sees a screen in English [§1]', async ({ page }) => {
  const asked = spanishOf(page);
  await keep(page, 'es');
  // What the button is called at any time, from the first moment that there is one.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const name = document.querySelector('button[type=submit]')?.textContent;
      if (name) document.documentElement.dataset.names = [document.documentElement.dataset.names, name].join();
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Iniciar sesión', exact: true })).toBeEnabled();
  await expect(page.getByLabel('Contraseña', { exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await expect(page.locator('html')).toHaveAttribute('data-names', /^(,Iniciar sesión)+$/);
  expect(asked).toHaveLength(1);
});

/** Every screen of the menu with its heading in Spanish. */
const SCREENS = [
  ['/', 'Panel'],
  ['/tenants', 'Inquilinos'],
  ['/users', 'Usuarios'],
  ['/database', 'Bases de datos'],
  ['/licence', 'Gestión de licencias'],
  ['/permission', 'Gestión de permisos'],
  ['/menus', 'Gestión de menús'],
  ['/faqs', 'Gestión de FAQ'],
  ['/audit', 'Registro de auditoría'],
  ['/database-servers', 'Servidores de bases de datos'],
  ['/profile', 'Perfil'],
  ['/guide', 'Guía'],
  ['/guide/createTenant', 'Crear un inquilino'],
] as const;

test('a person chooses Spanish: screens are in it, with no text cut off, here and in another browser [§1] [DECISIONS §13]', async ({
  signedIn,
  openBrowser,
}) => {
  const person = { username: 'esperanza', password: PASSWORD };
  await signedIn.goto('/users');
  await createUser(signedIn, person.username, 'Administrator');
  const page = await openBrowser();
  await signIn(page, person);
  await page.goto('/profile');
  await page.getByLabel('Language of the console').selectOption('Español');
  await expect(page.getByLabel('Idioma de la consola')).toHaveValue('es');
  await expectAccessible(page);
  // In a long run all screens, otherwise every second one.
  for (const [path, heading] of SCREENS.filter((_, index) => IS_LONG_RUN || index % 2 === 0)) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading, exact: true })).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expectLoaded(page);
    await expect.poll(() => clippedTexts(page), path).toEqual([]);
  }
  const other = await openBrowser();
  await other.goto('/login');
  await other.getByLabel('Username').fill(person.username);
  await other.getByLabel('Password', { exact: true }).fill(person.password);
  await other.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'Panel', exact: true })).toBeVisible();
  await expect(other.locator('html')).toHaveAttribute('lang', 'es');
  await other.goto('/profile');
  await other.getByLabel('Idioma de la consola').selectOption('English');
  await expect(other.getByRole('heading', { level: 1, name: 'Profile', exact: true })).toBeVisible();
});

test.describe('without the texts in Spanish', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test('the console starts in English where it was to be in Spanish [§1]', async ({ page }) => {
    await keep(page, 'es');
    await page.route(SPANISH, (route) => route.abort());
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});
