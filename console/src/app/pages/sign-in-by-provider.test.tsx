import { authRoutes } from '@apotheca/contract/auth';
import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { leaveFor } from '../../lib/leave-for.ts';
import { onAnswer } from '../../lib/provider-answers.ts';
import { signOut } from '../../session/session.ts';
import { type SessionState, signedOut } from '../../session/session-slice.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeToken, signedIn } from '../../testing/session.ts';
import { loadRuntimeConfig } from '../../transport/runtime-config.ts';
import { PublicOnly } from '../guards.tsx';
import { ProviderReturnPage } from './provider-return-page.tsx';
import { SignInPage } from './sign-in-page.tsx';

vi.mock('../../lib/leave-for.ts');
mockServer();

const BASES = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity' };
const PROVIDER_PAGE = 'https://id.clinic.test/auth?client_id=apotheca&state=the-state';
const session = () => ({
  id: '1',
  username: 'ada',
  email: '',
  firstName: 'Ada',
  lastName: 'Byron',
  phone: '',
  role: 'Viewer',
  accessToken: makeToken(),
  refreshToken: 'refresh-1',
  serverTime: Math.floor(Date.now() / 1000),
});

const serveConfig = async (more: object) => {
  server.use(http.get('/config.json', () => HttpResponse.json({ ...BASES, ...more })));
  await loadRuntimeConfig();
};

beforeEach(() =>
  serveConfig({
    signInProviders: [
      { id: 'clinic', name: 'Clinic' },
      { id: 'lab', name: 'Lab' },
    ],
  }),
);
afterEach(async () => {
  vi.mocked(leaveFor).mockReset();
  await serveConfig({});
});

const openAt = (route: string | { pathname: string; state: unknown }, session: SessionState = signedOut) =>
  renderWithStore(
    <Routes>
      <Route element={<PublicOnly />}>
        <Route path="/login" element={<SignInPage />} />
        <Route path="/login/callback/:provider" element={<ProviderReturnPage />} />
      </Route>
      <Route path="*" element={<p>Inside</p>} />
    </Routes>,
    { preloadedState: { session }, route },
  );
const button = (name = 'Clinic') => screen.findByRole('button', { name: `Sign in using ${name}` });

/** Leaves for a provider, as far as its page. @returns what was sent */
async function leave(state: unknown = null): Promise<unknown> {
  const sent = vi.fn();
  server.use(
    onRoute(openIdConnectRoutes.beginSignIn, async ({ request }) => {
      sent(await request.json());
      return ok({ url: PROVIDER_PAGE });
    }),
  );
  const page = openAt({ pathname: '/login', state });
  await page.user.click(await button());
  await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith(PROVIDER_PAGE));
  page.unmount();
  return sent.mock.calls[0]?.[0];
}

describe('the sign-in page', () => {
  test('has a button for each provider below the form, and none without providers [DECISIONS §13]', async () => {
    openAt('/login').unmount();
    const page = openAt('/login');
    await button('Clinic');
    await button('Lab');
    expect(screen.queryByText(/Passwords are switched off/)).toBeNull();
    page.unmount();
    await serveConfig({});
    openAt('/login');
    screen.getByRole('button', { name: 'Sign In' });
    expect(screen.queryByRole('button', { name: /using/ })).toBeNull();
  });

  test('says that passwords are switched off [DECISIONS §13]', async () => {
    await serveConfig({ signInProviders: [{ id: 'clinic', name: 'Clinic' }], passwordsAreOff: true });
    openAt('/login');
    await screen.findByText('Passwords are switched off. Please sign in as below.');
  });

  test('keeps a secret and sends its hash [DECISIONS §13]', async () => {
    const sent = await leave();
    const { verifier } = JSON.parse(sessionStorage.getItem('apotheca-provider-sign-in') ?? '{}');
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const challenge = Buffer.from(digest).toString('base64url');
    expect(sent).toEqual({ provider: 'clinic', challenge });
    expect(Buffer.from(verifier, 'base64url')).toHaveLength(32);
  });

  test('says that a provider cannot be reached, and can be tried again [DECISIONS §13]', async () => {
    server.use(onRoute(openIdConnectRoutes.beginSignIn, () => failed(503, 'It cannot be reached.')));
    const { user } = openAt('/login');
    await user.click(await button());
    expect((await screen.findByRole('alert')).textContent).toContain('It cannot be reached.');
    expect((await button()).getAttribute('aria-busy')).not.toBe('true');
    expect(leaveFor).not.toHaveBeenCalled();
  });

  test('can be used again after the way back from a provider’s page [DECISIONS §13]', async () => {
    server.use(onRoute(openIdConnectRoutes.beginSignIn, () => ok({ url: PROVIDER_PAGE })));
    const { user } = openAt('/login');
    await user.click(await button());
    await waitFor(() => expect(leaveFor).toHaveBeenCalled());
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    expect((await button('Lab')).getAttribute('aria-disabled')).not.toBe('true');
  });
});

describe('the way back from a provider', () => {
  const ANSWER = '/login/callback/clinic?code=the-code&state=the-state&iss=https%3A%2F%2Fid.clinic.test';

  test('signs in with its answer, which leaves the address at once, and leads where the user was [DECISIONS §13]', async () => {
    await leave({ leftBy: '1', address: '/users' });
    const { verifier } = JSON.parse(sessionStorage.getItem('apotheca-provider-sign-in') ?? '{}');
    const sent = vi.fn();
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      onRoute(openIdConnectRoutes.finishSignIn, async ({ request }) => {
        sent(await request.json());
        await promise;
        return ok(session());
      }),
    );
    const page = openAt(ANSWER);
    await waitFor(() => expect(sent).toHaveBeenCalled());
    expect(page.router.state.location).toMatchObject({ pathname: '/login/callback/clinic', search: '' });
    resolve();
    await screen.findByText('Inside');
    expect(page.router.state.location.pathname).toBe('/users');
    expect(sent).toHaveBeenCalledExactlyOnceWith({
      provider: 'clinic',
      verifier,
      code: 'the-code',
      state: 'the-state',
      iss: 'https://id.clinic.test',
    });
    expect(sessionStorage.getItem('apotheca-provider-sign-in')).toBeNull();
    await screen.findByText('Login Successful.');
  });

  test('signs in also where an older console has begun that, which keeps no state [DECISIONS §13]', async () => {
    await leave();
    const { state, ...kept } = JSON.parse(sessionStorage.getItem('apotheca-provider-sign-in') ?? '{}');
    expect(state).toBe('the-state');
    sessionStorage.setItem('apotheca-provider-sign-in', JSON.stringify(kept));
    server.use(onRoute(openIdConnectRoutes.finishSignIn, () => ok(session())));
    openAt(ANSWER);
    await screen.findByText('Inside');
  });

  test.each([
    ['was not begun in this tab', ANSWER, false],
    ['is of another provider', ANSWER.replace('clinic', 'lab'), true],
    ['has no code', '/login/callback/clinic?state=the-state', true],
  ])('sends nothing where the answer %s [DECISIONS §13]', async (_why, address, hasBegun) => {
    if (hasBegun) await leave();
    openAt(address);
    expect((await screen.findByRole('alert')).textContent).toContain('This sign-in was not begun in this tab');
    screen.getByRole('link', { name: 'Back to the sign-in page' });
  });

  test.each([
    ['access_denied', 'The sign-in was cancelled.'],
    ['server_error', 'The service that you sign in with reports a problem.'],
  ])(
    'says in its own words what %s means, and nothing of what the address says [DECISIONS §13]',
    async (error, text) => {
      await leave();
      openAt(`/login/callback/clinic?error=${error}&error_description=Call+0900-666&state=s`);
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toContain(text);
      expect(document.body.textContent).not.toContain('0900');
    },
  );

  test('leads where the user was if they have signed in in another tab meanwhile: it is no proof [DECISIONS §13]', async () => {
    await leave({ leftBy: '1', address: '/users' });
    const heard: unknown[] = [];
    onTestFinished(onAnswer((answer) => heard.push(answer)));
    const { router } = openAt(ANSWER, signedIn({ id: '1' }));
    await screen.findByText('Inside');
    expect(router.state.location).toMatchObject({ pathname: '/users', search: '' });
    expect(sessionStorage.getItem('apotheca-provider-sign-in')).toBeNull();
    expect(heard).toEqual([]);
  });

  test('shows why the server refuses [DECISIONS §13]', async () => {
    await leave();
    server.use(onRoute(openIdConnectRoutes.finishSignIn, () => failed(401, 'Your account may not use this console.')));
    const page = openAt(ANSWER);
    expect((await screen.findByRole('alert')).textContent).toContain('Your account may not use this console.');
    expect(page.store.getState().session.isLoggedIn).toBe(false);
  });
});

test('the answer to a proof of who is signed in is handed to the tab that has asked, and leaves the address [DECISIONS §13]', async () => {
  // A new tab begins with what the one keeps that has opened it, such as a sign-in that was given up.
  await leave();
  const close = vi.spyOn(window, 'close').mockImplementation(() => undefined);
  const heard: unknown[] = [];
  onTestFinished(onAnswer((answer) => heard.push(answer)));
  const { router } = openAt('/login/callback/clinic?code=the-code&state=of-the-proof', signedIn());
  await screen.findByText(/^Thank you. You can close this tab/);
  await waitFor(() => expect(heard).toEqual([{ state: 'of-the-proof', code: 'the-code', iss: null }]));
  expect(router.state.location.search).toBe('');
  expect(close).toHaveBeenCalled();
  close.mockRestore();
});

test.each([
  ['leads to the provider’s page for it', { url: 'https://id.clinic.test/end' }, 1],
  ['stays here where no provider opened the session', null, 0],
])('signing out %s [DECISIONS §13]', async (_what, result, calls) => {
  const answered = vi.fn(() => ok(result));
  server.use(onRoute(authRoutes.logout, answered));
  const page = renderWithStore(<p>Inside</p>);
  act(() => page.store.dispatch(signOut()));
  expect(page.store.getState().session.isLoggedIn).toBe(false);
  await waitFor(() => expect(answered).toHaveBeenCalled());
  await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(calls));
});
