import { accountRoutes } from '@apotheca/contract/account';
import { apiKeyRoutes } from '@apotheca/contract/api-keys';
import { authRoutes } from '@apotheca/contract/auth';
import { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, onRoute } from '../../testing/server.ts';
import { signedIn } from '../../testing/session.ts';
import { BlankPage } from './blank-page.tsx';
import { ProfilePage } from './profile-page.tsx';
import { SubMenuPage } from './sub-menu-page.tsx';

mockServer(
  ...[accountRoutes.get, authRoutes.listSessions, ownFactorRoutes.get, apiKeyRoutes.list].map((route) =>
    onRoute(route, () => failed(503, 'Later.')),
  ),
);

test.each([
  ['Blank Page', <BlankPage key="blank" />, 'A clean sheet'],
  ['SubMenu Page', <SubMenuPage key="first" place="first" />, 'First sub menu'],
  ['SubMenu Page', <SubMenuPage key="second" place="second" />, 'Second sub menu'],
])('%s has a heading and a link home, and says that it is empty on purpose [§2.1]', (title, page, text) => {
  renderWithStore(page);
  screen.getByRole('heading', { level: 1, name: title });
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }));
  expect(crumbs.getByRole('link', { name: 'Home' }).getAttribute('href')).toBe('/');
  screen.getByRole('heading', { level: 2, name: text });
});

const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

test('the profile shows the signed-in user, and marks its sample content [§2.1]', () => {
  renderWithStore(<ProfilePage />, { preloadedState: { session: signedIn({ phone: '' }) } });
  screen.getByRole('heading', { level: 1, name: 'Profile' });
  screen.getByRole('heading', { level: 2, name: 'Ada Byron' });
  expect([fact('Username'), fact('Email'), fact('Phone'), fact('Role')]).toEqual([
    'ada',
    'ada@apotheca.test',
    'none',
    'Administrator',
  ]);
  screen.getByText('Sample content');
});

test('a profile without a name shows the user name [§2.1]', () => {
  renderWithStore(<ProfilePage />, { preloadedState: { session: signedIn({ firstName: '', lastName: '' }) } });
  screen.getByRole('heading', { level: 2, name: 'ada' });
});
