import { databaseRoutes } from '@apotheca/contract/databases';
import { faqQuestionRoutes } from '@apotheca/contract/faq-questions';
import { faqSectionRoutes } from '@apotheca/contract/faq-sections';
import { faqRoutes } from '@apotheca/contract/faqs';
import { menuRoutes } from '@apotheca/contract/menus';
import { operationRoutes } from '@apotheca/contract/operations';
import { permissionRoutes } from '@apotheca/contract/permissions';
import type { ContractRoute } from '@apotheca/contract/route';
import { tenantRoutes } from '@apotheca/contract/tenants';
import { userRoutes } from '@apotheca/contract/users';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { describe, expect, test } from 'vitest';
import { ToastHost } from '../components/toast/toast.tsx';
import { DIALOGS, oneOfEach } from '../testing/every-dialog.ts';
import { fill } from '../testing/fields.ts';
import { allAnswered } from '../testing/queries.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { mockServer, onRoute, server } from '../testing/server.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);

/** Answers of a server other than ours. */
const answers = (route: ContractRoute, body: Record<string, unknown>) =>
  server.use(onRoute(route, () => HttpResponse.json(body)));

function openAt(route: string) {
  return renderInRoot(
    <>
      <AppRoutes />
      <ToastHost />
    </>,
    { route },
  );
}

const addressOf = (title: string) => DIALOGS.find((dialog) => dialog.title === title)?.at ?? '/';
const UNREADABLE = "The server's answer could not be read. Please try again.";
const findPage = async () => within(await screen.findByRole('main'));

describe.each<[string, unknown]>([
  ['null', null],
  ['of rows that are null', [null]],
  ['of rows without their fields', [{}]],
  ['missing', undefined],
])('a result that is %s', (_what, result) => {
  test.each<[string, ContractRoute]>([
    ['/tenants', tenantRoutes.list],
    ['/licence', tenantRoutes.list],
    ['/users', userRoutes.list],
    ['/database', databaseRoutes.list],
    ['/permission', permissionRoutes.list],
    ['/menus', menuRoutes.tree],
    ['/faqs', faqRoutes.list],
    [addressOf('Create Section'), faqSectionRoutes.list],
    [addressOf('Create Question & Answer'), faqQuestionRoutes.list],
  ])('is an error with Retry in the list of %s, and no crash [§7.5, §8]', async (address, route) => {
    answers(route, { status: 200, success: true, message: 'OK', result });
    const { store } = openAt(address);
    const page = await findPage();
    const retry = await page.findByRole('button', { name: 'Retry' });
    expect(page.getByText(UNREADABLE)).toBeDefined();
    screen.getByRole('navigation', { name: 'Main menu' });
    // A page whose code came after that answer asks once more.
    await allAnswered(store);
    server.use(...oneOfEach);
    fireEvent.click(retry);
    await waitFor(() => expect(page.queryByText(UNREADABLE)).toBeNull());
  });
});

test('operations that cannot be read break no page [§7.5]', async () => {
  answers(operationRoutes.list, { status: 200, success: true, message: 'OK', result: [{}] });
  openAt('/users');
  expect(await screen.findByRole('button', { name: 'Edit grace' })).toBeDefined();
});

describe('an answer of status and message alone', () => {
  test('of copydatabase shows the message as a success [§7.3]', async () => {
    answers(databaseRoutes.copy, { status: 200, message: 'It was copied.' });
    openAt('/database');
    fireEvent.click(await screen.findByRole('button', { name: 'Clone TRAINING' }));
    fill('Duplicate Database Name', 'COPY');
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone TRAINING' }));
    await screen.findByText('It was copied.');
  });

  test.each([400, 409, 500])('of copydatabase with status %i shows it as an error [§7.3, §8]', async (status) => {
    answers(databaseRoutes.copy, { status, message: 'It was not copied.' });
    openAt('/database');
    fireEvent.click(await screen.findByRole('button', { name: 'Clone TRAINING' }));
    fill('Duplicate Database Name', 'COPY');
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Clone TRAINING' }));
    expect((await screen.findAllByText('It was not copied.')).length).toBeGreaterThan(0);
    screen.getByRole('dialog', { name: 'Clone Database' });
  });

  test('of syncpermissions shows the message [§7.3]', async () => {
    answers(permissionRoutes.sync, { status: 200, success: true, message: 'They were synced.' });
    openAt('/permission');
    fireEvent.click(await screen.findByRole('button', { name: 'Sync Permission' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Sync' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Sync Permission' }));
    await dialog.findByText('They were synced.');
  });

  test('of syncpermissions that says it failed shows that [§7.3, §8]', async () => {
    answers(permissionRoutes.sync, { status: 500, success: false, message: 'They were not synced.' });
    openAt('/permission');
    fireEvent.click(await screen.findByRole('button', { name: 'Sync Permission' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Sync' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Sync Permission' }));
    await dialog.findByText('They were not synced.');
    dialog.getByRole('button', { name: 'Retry' });
  });

  test('of syncpermissions shows that a tenant is synced [§8]', async () => {
    answers(permissionRoutes.sync, { status: 200, success: true, message: 'They were synced.' });
    openAt('/tenants');
    fireEvent.click(await screen.findByRole('button', { name: 'Manage Cedar' }));
    fireEvent.click(await screen.findByRole('tab', { name: 'Permissions' }));
    fireEvent.click(screen.getByRole('button', { name: 'Sync Permissions' }));
    await screen.findByText('They were synced.');
    await screen.findByText('Permission synced for CEDARVA');
  });

  test('of checkdatabase lets the database be deleted, as the specification has it [§2.13, §7.3]', async () => {
    answers(databaseRoutes.planDeletion, { status: 200, message: 'All of it would be gone.' });
    openAt('/database');
    fireEvent.click(await screen.findByRole('button', { name: 'More actions for TRAINING' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete TRAINING' }));
    await screen.findByText('All of it would be gone.');
    screen.getByLabelText('Database Name');
  });
});
