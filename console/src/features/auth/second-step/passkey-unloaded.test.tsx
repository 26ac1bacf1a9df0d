import { screen } from '@testing-library/react';
import { test, vi } from 'vitest';
import { renderWithStore } from '../../../testing/render.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useSessionBegin } from './use-session-begin.ts';

// As where the server was updated, or cannot be reached.
vi.mock('./sign-in-with-passkey.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

function View() {
  const sign = useSessionBegin();
  return (
    <>
      <p>{sign.refusal}</p>
      <PasskeyButton sign={sign} />
    </>
  );
}

test('where what speaks to the authenticator does not load, the way on is told [§8] [DECISIONS §13]', async () => {
  const { user } = renderWithStore(<View />);
  await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  await screen.findByText(/^The passkey sign-in could not be loaded\. .* reload the page\.$/, { selector: 'p' });
});
