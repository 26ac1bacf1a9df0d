import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderWithStore } from '../testing/render.tsx';
import { DeleteRecordDialog } from './delete-record-dialog.tsx';

test.each([
  { where: 'on the page', isLeft: false, calls: 1 },
  { where: 'after the page was left', isLeft: true, calls: 0 },
])('a refusal that comes $where is told by a toast [§8]', async ({ isLeft, calls }) => {
  const { promise, resolve } = Promise.withResolvers<{ error: unknown }>();
  // Such as loading the plan again, which only what is there can do.
  const onRefused = vi.fn();
  const dialog = { title: 'Delete FAQ', message: 'Sure?', confirmLabel: 'Delete', onRefused, onClose: () => {} };
  const { user, unmount } = renderWithStore(<DeleteRecordDialog show {...dialog} send={() => promise} />);
  await user.click(screen.getByRole('button', { name: 'Delete' }));
  if (isLeft) {
    unmount();
    renderWithStore(<p>Another page</p>);
  }
  resolve({ error: { status: 409, message: 'It has changed.' } });
  expect((await screen.findByRole('alert')).textContent).toContain('It has changed.');
  expect(onRefused).toHaveBeenCalledTimes(calls);
});

test('why an attempt failed is gone after the next one [§8]', async () => {
  const send = vi.fn(() =>
    Promise.resolve<{ data?: { message: string }; error?: unknown }>({ data: { message: 'Deleted.' } }),
  );
  send.mockResolvedValueOnce({ error: { status: 503, message: 'The database cannot be reached.' } });
  const texts = { title: 'Delete FAQ', message: 'Sure?', confirmLabel: 'Delete' };
  const { user } = renderWithStore(<DeleteRecordDialog show {...texts} send={send} onClose={() => {}} />);
  const dialog = within(screen.getByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await dialog.findByText('The database cannot be reached.');
  await user.click(dialog.getByRole('button', { name: 'Retry' }));
  await screen.findByText('Deleted.');
  expect(dialog.queryByText('The database cannot be reached.')).toBeNull();
});
