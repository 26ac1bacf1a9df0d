import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { notify, ToastHost } from './toast.tsx';

const code = vi.hoisted(() => Promise.withResolvers<void>());
// The code of the toasts comes when the test lets it.
vi.mock(import('./toasts.tsx'), async (original) => {
  await code.promise;
  return original();
});

const nextMoment = () => new Promise((resolve) => setTimeout(resolve));
const texts = () => [...document.querySelectorAll('.Toastify__toast')].map((toast) => toast.textContent);

test('of messages of two moments that came while the code of toasts was loaded, the new ones replace the old one [§9]', async () => {
  render(<ToastHost />);
  notify.success('Activated.', { label: 'Undo', onSelect: () => undefined });
  await nextMoment();
  notify.error('phone: Required');
  notify.error('email: Required');
  code.resolve();
  await screen.findByText('phone: Required');
  await waitFor(() => expect(texts()).toEqual(['phone: Required']));
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(texts()).toEqual(['email: Required']));
});
