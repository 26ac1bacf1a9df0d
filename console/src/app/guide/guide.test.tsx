import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { i18n } from '../../locales/i18n.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { mockServer } from '../../testing/server.ts';
import { MainLayout } from '../layout/main-layout.tsx';
import { PATHS } from '../navigation/paths.ts';
import { GuidePage } from '../pages/guide-page.tsx';
import { GuideTaskPage } from '../pages/guide-task-page.tsx';
import { PageHeader } from '../pages/page-header.tsx';

mockServer();
afterEach(() => {
  void i18n.changeLanguage('en');
  vi.unstubAllGlobals();
});

const app = (
  <Routes>
    <Route element={<MainLayout />}>
      <Route path={PATHS.guide} element={<GuidePage />} />
      <Route path={PATHS.guideTask} element={<GuideTaskPage />} />
      <Route path="*" element={<PageHeader title="Somewhere" />} />
    </Route>
  </Routes>
);
/** A window in which the guide stands beside the screen. */
const wide = (query: string) => ({
  matches: query.includes('min-width'),
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
});
const open = (route: string) => renderWithStore(app, { route });
const panel = () => screen.findByRole('complementary', { name: 'Guide' });
const help = () => screen.getByRole('button', { name: 'Help' });

it('the help button opens the guide beside the screen, with what helps there first, and closes it [§2.29]', async () => {
  const { user } = open('/database');
  expect(help().getAttribute('aria-expanded')).toBe('false');
  // Its code may come later; the button names something that is there.
  help().focus();
  fireEvent.click(help());
  expect(document.getElementById(help().getAttribute('aria-controls') ?? '')).not.toBeNull();
  const guide = await panel();
  expect(document.activeElement).toBe(guide);
  expect(help().getAttribute('aria-controls')).toBe(guide.id);
  const [first] = within(guide).getAllByRole('region');
  expect(
    first &&
      within(first)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
  ).toEqual([
    'Back up and restore',
    'Back up by schedule',
    'Put back what was deleted',
    'Move a tenant to another server',
  ]);
  await user.click(within(guide).getByRole('button', { name: 'Back up by schedule' }));
  expect(within(guide).getAllByRole('listitem')[1]?.textContent).toBe(
    'Choose Frequency and Hour. It counts for every tenant, by the clock of each.',
  );
  expect(document.activeElement).toBe(guide);
  await user.click(within(guide).getByRole('button', { name: 'All tasks' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('complementary', { name: 'Guide' })).toBeNull();
  expect(document.activeElement).toBe(help());
});

it('the help beside a heading opens the one task of its screen, and gets the focus back [§2.29]', async () => {
  const { user } = open('/profile/none');
  await user.click(screen.getByRole('button', { name: 'Help with Somewhere' }));
  const guide = await panel();
  expect(within(guide).getAllByRole('button', { name: /.+/ }).length).toBeGreaterThan(1);
  await user.click(within(guide).getByRole('button', { name: 'Close the guide' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Help with Somewhere' }));
});

it('a screen that no task is about has no help beside its heading [§2.29]', () => {
  open('/blank');
  expect(screen.queryByRole('button', { name: /^Help with/ })).toBeNull();
});

it('the guide stays open on the way to another screen, and is not beside its own page [§2.29]', async () => {
  const { user, router } = open('/users');
  await user.click(help());
  await user.click(within(await panel()).getByRole('button', { name: 'Create a tenant' }));
  vi.stubGlobal('matchMedia', wide);
  await user.click(screen.getByRole('link', { name: 'Open Tenants' }));
  expect(router.state.location.pathname).toBe('/tenants');
  expect(within(await panel()).getByRole('heading', { name: 'Create a tenant' })).toBeDefined();
  await user.click(screen.getByRole('link', { name: 'Open on a page of its own' }));
  expect(router.state.location.pathname).toBe('/guide/createTenant');
  expect(await screen.findByRole('heading', { level: 1, name: 'Create a tenant' })).toBeDefined();
  expect(screen.queryByRole('complementary', { name: 'Guide' })).toBeNull();
  await user.click(help());
  expect(router.state.location.pathname).toBe('/guide');
});

it('a guide that lies over the screen makes room for it, and shows the same again [§2.29]', async () => {
  const { user, router } = open('/users');
  await user.click(help());
  await user.click(within(await panel()).getByRole('button', { name: 'Publish an FAQ' }));
  await user.click(screen.getByRole('link', { name: "Open FAQ's Management" }));
  expect(router.state.location.pathname).toBe('/faqs');
  expect(screen.queryByRole('complementary', { name: 'Guide' })).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('main'));
  await user.click(help());
  expect(within(await panel()).getByRole('heading', { name: 'Publish an FAQ' })).toBeDefined();
});

it('all texts of the tasks are searched, and what was found is counted [§2.29]', async () => {
  const { user } = open('/guide');
  const field = await screen.findByRole('searchbox', { name: 'Search the guide' });
  expect(within(screen.getByRole('main')).getAllByRole('link', { name: /\w/ }).length).toBeGreaterThan(14);
  await user.type(field, 'recovery phone');
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('status').textContent).toBe('1 task');
  expect(main.getByRole('link', { name: 'Set up a second factor' }).getAttribute('href')).toBe('/guide/secondFactor');
  expect(main.queryByRole('link', { name: 'Publish an FAQ' })).toBeNull();
  await user.clear(field);
  await user.type(field, 'xyzzy');
  expect(main.getByText('No task has these words. Try fewer of them.')).toBeDefined();
});

it('a task names buttons as the screens do, in Spanish too [§2.29]', async () => {
  open('/guide/createTenant');
  const first = async () => (await screen.findByRole('article')).querySelector('li')?.textContent;
  expect(await first()).toBe('Open Tenants and press Create.');
  await import('../../locales/es.ts');
  await i18n.changeLanguage('es');
  await waitFor(async () => expect(await first()).toBe('Abra Inquilinos y pulse Crear.'));
});

it('an address without a task says so, and leads to all of them [§2.29]', async () => {
  open('/guide/nothing');
  expect(await screen.findByRole('heading', { level: 1, name: 'No such task' })).toBeDefined();
  const main = within(screen.getByRole('main'));
  expect(main.getByRole('link', { name: 'All tasks' }).getAttribute('href')).toBe('/guide');
});
