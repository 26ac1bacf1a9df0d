import { ERRORS } from '@apotheca/contract/errors';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ToastHost } from '../components/toast/toast.tsx';
import { DIALOGS, oneOfEach, openDialog } from '../testing/every-dialog.ts';
import { renderInRoot } from '../testing/render-in-root.tsx';
import { mockServer } from '../testing/server.ts';
import { AppRoutes } from './router.tsx';

mockServer(...oneOfEach);
// As where the server was updated, or cannot be reached.
vi.mock('../features/account/proof/proof-dialog.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

test('where the question cannot be loaded, the call has failed as without a proof, and its dialog stays [DECISIONS §13]', async () => {
  renderInRoot(
    <>
      <AppRoutes />
      <ToastHost />
    </>,
    { route: '/users' },
  );
  const dialog = DIALOGS.find(({ title }) => title === 'Delete User');
  if (!dialog) throw new Error('There is no such dialog');
  await openDialog(dialog);
  const shown = within(screen.getByRole('dialog'));
  shown.getByRole('button', { name: 'Delete grace' }).click();
  await shown.findByText(ERRORS['proof-needed'].message);
  await screen.findByText(/^The confirmation that it is you could not be loaded\. .* reload the page\.$/);
  expect(screen.getAllByRole('dialog', { name: 'Delete User' })).not.toHaveLength(0);
});
