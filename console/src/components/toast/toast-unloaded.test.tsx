import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { notify, prepareToasts, ToastHost } from './toast.tsx';

const network = vi.hoisted(() => ({ isThere: false }));
// The code of the toasts comes once the network is there.
vi.mock(import('./toasts.tsx'), async (original) => {
  if (!network.isThere) throw new TypeError('Failed to fetch dynamically imported module');
  return original();
});

const nextMoment = () => new Promise((resolve) => setTimeout(resolve));

test('without the code of toasts the last message is told all the same, and with the next one toasts are back [§8]', async () => {
  render(<ToastHost />);
  prepareToasts();
  notify.error('The move was refused.');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The move was refused.');
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(alert.isConnected).toBe(false);

  notify.success('Activated.');
  await nextMoment();
  notify.success('Deactivated.');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Deactivated.'));

  network.isThere = true;
  await nextMoment();
  notify.success('Moved.', { label: 'Undo', onSelect: () => undefined });
  await screen.findByRole('button', { name: 'Undo' });
  expect(screen.queryByText('Deactivated.')).toBeNull();
});
