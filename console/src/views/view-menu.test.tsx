import { accountRoutes } from '@apotheca/contract/account';
import { roleRoutes } from '@apotheca/contract/roles';
import { type View, viewRoutes } from '@apotheca/contract/views';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { RightsProvider } from '../rights/rights.tsx';
import { field, fill } from '../testing/fields.ts';
import { renderWithStore } from '../testing/render.tsx';
import { failed, keepBodies, mockServer, ok, onRoute, server } from '../testing/server.ts';
import { ViewMenu } from './view-menu.tsx';

const makeView = (fields: Partial<View>): View => ({
  id: crypto.randomUUID(),
  list: 'tenants',
  name: 'Soon',
  query: 'expires=30',
  roleId: null,
  isOwn: true,
  ...fields,
});
let views: View[] = [];
mockServer(
  onRoute(viewRoutes.list, () => ok(views)),
  onRoute(roleRoutes.list, () => ok([])),
);

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

/** Renders the menu of a list with filters, and chooses an entry of it. */
async function choose(entry: string, held: View[] = []) {
  views = held;
  const { user } = renderWithStore(<ViewMenu list="tenants" />, { route: '/tenants?expires=30' });
  await user.click(button('Views'));
  await user.click(await screen.findByRole('menuitem', { name: entry }));
  return user;
}

test('Retry saves the name as it is typed now [DECISIONS §13]', async () => {
  const user = await choose('Save this view');
  server.use(onRoute(viewRoutes.create, () => failed(503, 'The database cannot be reached.')));
  fill('Name', 'Soon ending');
  await user.click(button('Save'));
  const retry = await within(screen.getByRole('dialog')).findByRole('button', { name: 'Retry' });
  fill('Name', 'Ending soon');
  const bodies = keepBodies(viewRoutes.create, 'Saved.');
  await user.click(retry);
  await screen.findByText('Saved.');
  expect(bodies).toEqual([{ list: 'tenants', name: 'Ending soon', query: 'expires=30', roleId: null }]);
});

test('says that saved views could not be loaded, and loads them again [DECISIONS §13]', async () => {
  views = [makeView({ name: 'Mine' })];
  server.use(onRoute(viewRoutes.list, () => failed(503, 'The database cannot be reached.')));
  const { user } = renderWithStore(<ViewMenu list="tenants" />, { route: '/tenants?expires=30' });
  const tryAgain = async () => {
    await user.click(button('Views'));
    await user.click(await screen.findByRole('menuitem', { name: 'Saved views could not be loaded: try again' }));
  };
  await tryAgain();
  await screen.findByText('The database cannot be reached.');
  server.use(onRoute(viewRoutes.list, () => ok(views)));
  await tryAgain();
  await waitFor(() => expect(button('Views').getAttribute('aria-busy')).not.toBe('true'));
  await user.click(button('Views'));
  await screen.findByRole('menuitem', { name: 'Mine' });
  expect(screen.queryByRole('menuitem', { name: /could not be loaded/ })).toBeNull();
});

test('a typed name is not lost without a question [DECISIONS §13]', async () => {
  const user = await choose('Save this view');
  fill('Name', 'Ending soon');
  await user.keyboard('{Escape}');
  await user.click(await screen.findByText('Keep editing'));
  await user.click(button('Cancel'));
  await screen.findByText('Discard changes?');
  expect(field('Name').value).toBe('Ending soon');
});

test('a refusal that names no field of the dialog stays in it [§8]', async () => {
  const message = 'Filter or sort the list';
  const user = await choose('Save this view');
  server.use(onRoute(viewRoutes.create, () => failed(400, 'Please check.', { query: [message] })));
  fill('Name', 'Ending soon');
  await user.click(button('Save'));
  await within(screen.getByRole('dialog')).findByText(message, { exact: false });
});

test('deleting asks first, and says that others lose a shared view too [DECISIONS §13]', async () => {
  const view = makeView({ roleId: crypto.randomUUID() });
  const deleted: (string | null)[] = [];
  server.use(
    onRoute(viewRoutes.delete, ({ request }) => {
      deleted.push(new URL(request.url).searchParams.get('id'));
      return ok({ id: view.id }, 'View deleted.');
    }),
  );
  const user = await choose('Change view: Soon', [view]);
  await user.click(button('Delete'));
  const asked = within(await screen.findByRole('dialog', { name: 'Delete View' }));
  asked.getByText('The view “Soon” is deleted for good, also for everybody it is shared with.');
  expect(deleted).toEqual([]);
  await user.click(asked.getByRole('button', { name: 'Delete view' }));
  await screen.findByText('View deleted.');
  expect(deleted).toEqual([view.id]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('of two views with the same filters each can be changed [DECISIONS §13]', async () => {
  const second = makeView({ name: 'Next' });
  const user = await choose('Change view: Next', [makeView({}), second]);
  fill('Name', 'Next month');
  const bodies = keepBodies(viewRoutes.edit, 'Changed.');
  await user.click(button('Save'));
  await screen.findByText('Changed.');
  // What was not changed here another tab may have changed.
  expect(bodies).toEqual([{ id: second.id, name: 'Next month' }]);
});

const shared = makeView({ roleId: crypto.randomUUID(), isOwn: false });

test('who may change roles deletes a view that somebody else has shared, and changes none [DECISIONS §13]', async () => {
  await choose('Delete view: Soon', [shared]);
  await screen.findByText('The view “Soon” is deleted for good, also for everybody it is shared with.');
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Change view: Soon' })).toBeNull());
});

test('two views of the same name each have an entry, and each can be deleted [DECISIONS §13]', async () => {
  const deleted = vi.fn();
  server.use(onRoute(viewRoutes.delete, ({ request }) => ok({ id: deleted(request.url) ?? '' }, 'View deleted.')));
  const told = vi.spyOn(console, 'error');
  views = [makeView({ isOwn: true }), shared];
  const { user } = renderWithStore(<ViewMenu list="tenants" />, { route: '/tenants?expires=30' });
  await user.click(button('Views'));
  expect(await screen.findAllByRole('menuitem', { name: 'Soon' })).toHaveLength(2);
  await user.click(screen.getByRole('menuitem', { name: 'Delete view: Soon' }));
  await user.click(await screen.findByRole('button', { name: 'Delete view' }));
  await screen.findByText('View deleted.');
  expect(deleted).toHaveBeenCalledWith(expect.stringContaining(shared.id));
  expect(told).not.toHaveBeenCalled();
});

test('who may not change roles is offered neither [DECISIONS §13]', async () => {
  views = [shared];
  server.use(onRoute(accountRoutes.rights, () => ok({ permissions: ['tenants.read'], grantedBy: [] })));
  const { user } = renderWithStore(
    <RightsProvider>
      <ViewMenu list="tenants" />
    </RightsProvider>,
    { route: '/tenants?expires=30' },
  );
  await user.click(button('Views'));
  await screen.findByRole('menuitem', { name: 'Soon' });
  await waitFor(() => expect(screen.queryByRole('menuitem', { name: /view: Soon/ })).toBeNull());
});
