import { authRoutes } from '@apotheca/contract/auth';
import { dashboardRoutes } from '@apotheca/contract/dashboard';
import { databaseRoutes } from '@apotheca/contract/databases';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { findingRoutes } from '@apotheca/contract/findings';
import { menuRoutes } from '@apotheca/contract/menus';
import { permissionRoutes } from '@apotheca/contract/permissions';
import { roleRoutes } from '@apotheca/contract/roles';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeDatabase } from '../testing/databases.ts';
import { makeFaq, makeSection, withFaqName } from '../testing/faqs.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { failed, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { makeUser } from '../testing/users.ts';
import { AppRoutes } from './router.tsx';

/** The code of two pages, which comes when a test lets it. */
const code = vi.hoisted(() => ({ users: Promise.withResolvers<void>(), databases: Promise.withResolvers<void>() }));
vi.mock('./pages/users-page.tsx', async (importOriginal) => {
  await code.users.promise;
  return importOriginal();
});
vi.mock('./pages/databases-page.tsx', async (importOriginal) => {
  await code.databases.promise;
  return importOriginal();
});

const faq = makeFaq();
const section = withFaqName(makeSection(faq.id), faq.name);

mockServer(
  onRoute(authRoutes.me, () => failed(503, 'Later.')),
  onRoute(dashboardRoutes.getCounts, () => ok([{ users: 1, tenants: 2, databases: 3 }])),
  onRoute(tenantRoutes.list, () => ok([])),
  onRoute(tenantRoutes.listStatuses, () => ok([])),
  onRoute(faqSectionRoutes.list, () => ok([])),
  onRoute(faqQuestionRoutes.list, () => ok([])),
);

/** Answers routes once they are released. @returns what was asked, as `<path>?<query>` */
function answerLate(...routes: [route: ContractRoute, result: unknown][]) {
  const asked: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  for (const [route, result] of routes) {
    const answer = onRoute(route, async ({ request }) => {
      asked.push(`${route.path}${new URL(request.url).search}`);
      await released;
      return ok(result);
    });
    server.use(answer);
  }
  return { asked, release };
}

const page = (name: string) => screen.findByRole('heading', { level: 1, name });
const isShown = (name: string) => screen.queryByRole('heading', { level: 1, name }) !== null;

test('the list of the first page is asked for before the code of the page has come [§2.1]', async () => {
  const list = answerLate([userRoutes.list, [makeUser({ userName: 'ada' })]]);
  renderInRoot(<AppRoutes />, { route: '/users?sort=email&dir=desc' });
  await expect.poll(() => list.asked).toEqual(['/users/get?sortColumn=email&sortDirection=desc']);
  expect(isShown('Users')).toBe(false);
  code.users.resolve();
  expect(await page('Users')).toBeDefined();
  list.release();
  expect(await screen.findByText('ada')).toBeDefined();
  expect(list.asked).toHaveLength(1);
});

test('a link that is followed asks for the list before the code of its page has come [§2.2]', async () => {
  const list = answerLate([databaseRoutes.list, [makeDatabase({ databaseName: 'ACME' })]]);
  const { user } = renderInRoot(<AppRoutes />);
  await page('Dashboard');
  const link = screen.getByRole('link', { name: 'Database Management' });
  await user.hover(link);
  expect(list.asked).toEqual([]);
  await user.click(link);
  await expect.poll(() => list.asked).toHaveLength(1);
  expect(isShown('Database Management')).toBe(false);
  code.databases.resolve();
  expect(await page('Database Management')).toBeDefined();
  list.release();
  expect(await screen.findByText('ACME')).toBeDefined();
  expect(list.asked).toHaveLength(1);
});

test.each<[address: string, title: string, route: ContractRoute, result: unknown]>([
  ['/', 'Dashboard', findingRoutes.list, []],
  ['/tenants?sort=emrId', 'Tenants', tenantRoutes.list, []],
  ['/licence?dir=desc', 'Licence Management', tenantRoutes.list, []],
  ['/database?sort=unknown', 'Database Management', databaseRoutes.list, []],
  ['/permission', 'Permission Management', permissionRoutes.list, { permissions: [] }],
  ['/permission?view=roles', 'Permission Management', roleRoutes.list, []],
  ['/menus', 'Menu Management', menuRoutes.tree, []],
  ['/faqs', "FAQ's Management", faqRoutes.list, []],
  [`/faq/x/${faq.id}`, 'Section Management', faqRoutes.list, [faq]],
  [`/section/x/y/${section.id}`, 'Question & Answer Management', faqSectionRoutes.find, section],
])('%s asks once, with the arguments that the page uses [§2.1]', async (address, title, route, result) => {
  const list = answerLate([route, result]);
  renderInRoot(<AppRoutes />, { route: address });
  await page(title);
  await expect.poll(() => list.asked).toHaveLength(1);
  list.release();
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).toBeNull();
  expect(list.asked).toHaveLength(1);
});

test('an address that cannot be decoded asks for nothing [§2.1]', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const list = answerLate([faqSectionRoutes.find, section]);
  renderInRoot(<AppRoutes />, { route: '/section/a/b%/1' });
  await page('Page not found');
  expect(list.asked).toEqual([]);
});
