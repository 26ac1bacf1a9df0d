import { authRoutes } from '@apotheca/contract/auth';
import { secondStepRoutes } from '@apotheca/contract/second-factors';
import { startAuthentication } from '@simplewebauthn/browser';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { signedOut } from '../../../session/session-slice.ts';
import { allowPasskeys, CODES, ENROLMENT, makeSessionResult } from '../../../testing/factors.ts';
import { renderWithStore } from '../../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../../testing/server.ts';
import { SignInForm } from '../sign-in-form.tsx';

vi.mock('@simplewebauthn/browser', () => ({ startAuthentication: vi.fn() }));

mockServer();
afterEach(() => {
  vi.unstubAllGlobals();
  vi.mocked(startAuthentication).mockReset();
});

const ASSERTION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
  clientExtensionResults: {},
};
const OPTIONS = { challenge: 'AAAA', rpId: 'localhost', userVerification: 'required' as const };

/** What was sent to a call. */
function answerTo(route: Parameters<typeof onRoute>[0], answer: () => ReturnType<typeof ok>) {
  const sent = vi.fn();
  server.use(
    onRoute(route, async ({ request }) => {
      sent(await request.json());
      return answer();
    }),
  );
  return sent;
}

async function openStep(methods: string[] = ['totp', 'recovery'], enrolment: typeof ENROLMENT | null = null) {
  const step = { token: 'step-1', methods, enrolment };
  server.use(onRoute(authRoutes.authenticate, () => ok({ secondFactor: step })));
  const page = renderWithStore(<SignInForm forgotPasswordPath="/forgot-password" />, {
    preloadedState: { session: signedOut },
  });
  await page.user.type(screen.getByRole('textbox', { name: 'Username' }), 'ada');
  await page.user.type(screen.getByLabelText('Password'), 'engine');
  await page.user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByRole('button', { name: 'Continue' });
  return page;
}

const isSignedIn = (page: Awaited<ReturnType<typeof openStep>>) => page.store.getState().session.isLoggedIn;
const submit = async ({ user }: Awaited<ReturnType<typeof openStep>>, label: string, code: string) => {
  await user.type(screen.getByLabelText(label), code);
  await user.click(screen.getByRole('button', { name: 'Continue' }));
};

test('asks for a code after the password, and begins the session with it [DECISIONS §13]', async () => {
  const sent = answerTo(secondStepRoutes.factor, () => ok(makeSessionResult()));
  const page = await openStep();
  const code = screen.getByLabelText('Code');
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  expect(code.getAttribute('inputmode')).toBe('numeric');
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(isSignedIn(page)).toBe(false);
  await submit(page, 'Code', '123456');
  await waitFor(() => expect(isSignedIn(page)).toBe(true));
  expect(sent).toHaveBeenCalledExactlyOnceWith({ token: 'step-1', method: 'totp', code: '123456' });
});

test('shows why a code is refused, and keeps it [DECISIONS §13]', async () => {
  answerTo(secondStepRoutes.factor, () => failed(401, 'This code is not right, or was used before.'));
  const page = await openStep();
  await submit(page, 'Code', '123456');
  expect((await screen.findByText('Sign in failed')).parentElement?.textContent).toContain('This code is not right');
  expect(screen.getByLabelText('Code')).toHaveProperty('value', '123456');
  expect(isSignedIn(page)).toBe(false);
});

test('takes a recovery code instead [DECISIONS §13]', async () => {
  const sent = answerTo(secondStepRoutes.factor, () => ok(makeSessionResult()));
  const page = await openStep();
  await page.user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await submit(page, 'Recovery code', 'abcd0-efgh0');
  await waitFor(() => expect(isSignedIn(page)).toBe(true));
  expect(sent).toHaveBeenCalledExactlyOnceWith({ token: 'step-1', method: 'recovery', code: 'abcd0-efgh0' });
});

test('goes back to the username and password [DECISIONS §13]', async () => {
  const page = await openStep();
  await page.user.click(screen.getByRole('button', { name: 'Back to username and password' }));
  expect(screen.getByRole('button', { name: 'Sign In' })).toBeDefined();
});

test('sets an authenticator app up where the user role needs one, and shows the recovery codes first [DECISIONS §13]', async () => {
  answerTo(secondStepRoutes.factor, () => ok({ ...makeSessionResult(), recoveryCodes: CODES }));
  const page = await openStep(['totp'], ENROLMENT);
  expect(screen.getByRole('img', { name: 'QR code for an authenticator app' })).toBeDefined();
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull();
  await submit(page, 'Code', '123456');
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect([...list.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(CODES);
  expect(isSignedIn(page)).toBe(false);
  await page.user.click(screen.getByRole('button', { name: 'I have kept them' }));
  await waitFor(() => expect(isSignedIn(page)).toBe(true));
});

test('takes a passkey as the second step, where passkeys work [DECISIONS §13]', async () => {
  allowPasskeys();
  const asked = answerTo(secondStepRoutes.passkeyOptions, () => ok({ token: 'challenge-1', options: OPTIONS }));
  const sent = answerTo(secondStepRoutes.passkey, () => ok(makeSessionResult()));
  vi.mocked(startAuthentication).mockResolvedValue(ASSERTION);
  const page = await openStep(['passkey', 'recovery']);
  await page.user.click(screen.getByRole('button', { name: 'Use a passkey' }));
  await waitFor(() => expect(isSignedIn(page)).toBe(true));
  expect(asked).toHaveBeenCalledExactlyOnceWith({ token: 'step-1' });
  const { clientExtensionResults: _, ...credential } = ASSERTION;
  expect(sent).toHaveBeenCalledExactlyOnceWith({ token: 'challenge-1', credential });
});

test('offers no passkey where they do not work [DECISIONS §13]', async () => {
  await openStep(['passkey', 'recovery']);
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
  expect(screen.getByLabelText('Recovery code')).toBeDefined();
});

test('a passkey signs in alone; who changes their mind is told nothing [DECISIONS §13]', async () => {
  allowPasskeys();
  const asked = answerTo(secondStepRoutes.passkeyOptions, () => ok({ token: 'challenge-1', options: OPTIONS }));
  answerTo(secondStepRoutes.passkey, () => ok(makeSessionResult()));
  vi.mocked(startAuthentication).mockRejectedValueOnce(new DOMException('Cancelled', 'NotAllowedError'));
  vi.mocked(startAuthentication).mockResolvedValueOnce(ASSERTION);
  const page = renderWithStore(<SignInForm forgotPasswordPath="/forgot-password" />, {
    preloadedState: { session: signedOut },
  });
  const button = screen.getByRole('button', { name: 'Sign in with a passkey' });
  await page.user.click(button);
  await waitFor(() => expect(vi.mocked(startAuthentication)).toHaveBeenCalledOnce());
  await waitFor(() => expect(button.getAttribute('aria-busy')).not.toBe('true'));
  expect(screen.queryByText('Sign in failed')).toBeNull();
  await page.user.click(button);
  await waitFor(() => expect(isSignedIn(page)).toBe(true));
  expect(asked).toHaveBeenLastCalledWith({ token: null });
});

test('says why the browser gives no passkey [DECISIONS §13]', async () => {
  allowPasskeys();
  answerTo(secondStepRoutes.passkeyOptions, () => ok({ token: 'challenge-1', options: OPTIONS }));
  vi.mocked(startAuthentication).mockRejectedValueOnce(new DOMException('No', 'SecurityError'));
  const page = renderWithStore(<SignInForm forgotPasswordPath="/forgot-password" />, {
    preloadedState: { session: signedOut },
  });
  await page.user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  await waitFor(() => expect(screen.getAllByText(/^The browser could not use a passkey\./).length).toBeGreaterThan(0));
});

test('says why a passkey is refused [DECISIONS §13]', async () => {
  allowPasskeys();
  answerTo(secondStepRoutes.passkeyOptions, () => ok({ token: 'challenge-1', options: OPTIONS }));
  answerTo(secondStepRoutes.passkey, () => failed(401, 'This passkey is not accepted.'));
  vi.mocked(startAuthentication).mockResolvedValue(ASSERTION);
  const page = renderWithStore(<SignInForm forgotPasswordPath="/forgot-password" />, {
    preloadedState: { session: signedOut },
  });
  await page.user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }));
  await waitFor(() => expect(screen.getAllByText('This passkey is not accepted.').length).toBeGreaterThan(0));
  expect(isSignedIn(page)).toBe(false);
});
