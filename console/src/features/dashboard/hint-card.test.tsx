import { type Hint, hintRoutes } from '@apotheca/contract/hints';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { HintCard } from './hint-card.tsx';

mockServer();

const STATE = { dialog: { kind: 'create' } };
const WAYS = {
  'no-tenant': { to: '/tenants', state: STATE },
  'no-schedule': { to: '/database' },
  'no-second-factor': { to: '/profile' },
  'one-administrator': { to: '/users' },
  'no-alerts': { to: '/profile' },
};
const answer = (hint: Hint | null) => server.use(onRoute(hintRoutes.get, () => ok({ hint })));
const render = (onHelp: (hint: Hint) => void = vi.fn()) =>
  renderWithStore(
    <main id="content" tabIndex={-1}>
      <HintCard ways={WAYS} onHelp={onHelp} />
    </main>,
  );
const card = () => screen.findByRole('region', { name: 'Next step' });

it('says what to do next, and leads there and to the guide [§2.29]', async () => {
  answer('no-tenant');
  const onHelp = vi.fn();
  const { user, router } = render(onHelp);
  const hint = within(await card());
  expect(hint.getByRole('heading', { name: 'Create the first tenant' })).toBeDefined();
  await user.click(hint.getByRole('button', { name: 'How to do it' }));
  expect(onHelp.mock.calls).toEqual([['no-tenant']]);
  await user.click(hint.getByRole('link', { name: 'Create tenant' }));
  expect(router.state.location).toMatchObject({ pathname: '/tenants', state: STATE });
});

it('makes room for the next one when it is dismissed, and the focus follows; after the last one it is in the content [§2.29]', async () => {
  answer('no-schedule');
  const dismissed: unknown[] = [];
  const next: (Hint | null)[] = ['no-second-factor', null];
  server.use(
    onRoute(hintRoutes.dismiss, async ({ request }) => {
      dismissed.push(await request.json());
      return ok({ hint: next.shift() ?? null });
    }),
  );
  render();
  const dismiss = async () => fireEvent.click(within(await card()).getByRole('button', { name: 'Do not show again' }));
  await card();
  await dismiss();
  expect(await screen.findByRole('heading', { name: 'Protect your own account' })).toBeDefined();
  expect(screen.getAllByRole('region', { name: 'Next step' })).toHaveLength(1);
  expect(document.activeElement).toBe(await card());
  await dismiss();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Next step' })).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole('main'));
  expect(dismissed).toEqual([{ hint: 'no-schedule' }, { hint: 'no-second-factor' }]);
});

it('stays, and says why, when it could not be dismissed [§2.29]', async () => {
  answer('no-alerts');
  server.use(onRoute(hintRoutes.dismiss, () => failed(503, 'Database away')));
  render();
  fireEvent.click(within(await card()).getByRole('button', { name: 'Do not show again' }));
  expect(await screen.findByText('Database away')).toBeDefined();
  expect(await card()).toBeDefined();
});

it('is not there where nothing is to be done, or where it could not be asked for [§2.29]', async () => {
  const asked = vi.fn();
  server.use(
    onRoute(hintRoutes.get, () => {
      asked();
      return failed(500, 'Broken');
    }),
  );
  render();
  await waitFor(() => expect(asked).toHaveBeenCalled());
  expect(screen.queryByRole('region', { name: 'Next step' })).toBeNull();
});

it('shows nothing for a hint that only a newer server knows [§2.29]', async () => {
  server.use(onRoute(hintRoutes.get, () => ok({ hint: 'later' } as never)));
  const { container } = render();
  expect(container.querySelector('.is-loading')).not.toBeNull();
  await waitFor(() => expect(container.querySelector('.is-loading')).toBeNull());
  expect(container.querySelector('#content')?.childElementCount).toBe(0);
});
