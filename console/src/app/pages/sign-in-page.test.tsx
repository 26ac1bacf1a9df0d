import { authRoutes, type SessionResult } from '@apotheca/contract/auth';
import { screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { describe, expect, test, vi } from 'vitest';
import { signedOut } from '../../session/session-slice.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { failed, mockServer, ok, onRoute, server } from '../../testing/server.ts';
import { makeToken } from '../../testing/session.ts';
import { PublicOnly } from '../guards.tsx';
import { SignInPage } from './sign-in-page.tsx';

mockServer();

const answer = (): SessionResult => ({
  id: '1',
  username: 'ada',
  email: 'ada@apotheca.test',
  firstName: 'Ada',
  lastName: 'Byron',
  phone: '555-0100',
  role: 'Administrator',
  accessToken: makeToken(),
  refreshToken: 'refresh-1',
  serverTime: Math.floor(Date.now() / 1000) + 7,
});

const openPage = () =>
  renderWithStore(
    <Routes>
      <Route element={<PublicOnly />}>
        <Route path="/login" element={<SignInPage />} />
      </Route>
      <Route path="*" element={<p>Inside</p>} />
    </Routes>,
    { preloadedState: { session: signedOut }, route: '/login' },
  );

const username = () => screen.getByRole('textbox', { name: 'Username' });
const password = () => screen.getByLabelText('Password');
const rememberMe = () => screen.getByRole('checkbox', { name: 'Remember Me' });
const signIn = () => screen.getByRole('button', { name: 'Sign In' });

async function signInAs({ user }: ReturnType<typeof openPage>, name = 'ada', secret = 'engine') {
  await user.clear(username());
  await user.type(username(), name);
  await user.type(password(), secret);
  await user.click(signIn());
}

describe('sign-in page', () => {
  test('shows its texts, links and version label [§1, §2.3]', () => {
    openPage();
    expect(screen.getByRole('heading', { name: 'Sign in to start your session' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'I forgot my password' }).getAttribute('href')).toBe('/forgot-password');
    expect(screen.getByRole('link', { name: 'Register a new membership' }).getAttribute('href')).toBe('/register');
    expect(screen.getByText('2025.07.21')).toBeDefined();
    expect(username().getAttribute('autocomplete')).toBe('username');
    expect(password().getAttribute('autocomplete')).toBe('current-password');
  });

  test('signs in, shows a message and navigates to / [§2.3, §4, §8]', async () => {
    const sent = vi.fn();
    server.use(
      onRoute(authRoutes.authenticate, async ({ request }) => {
        sent(await request.json());
        return ok(answer());
      }),
    );
    const page = openPage();
    await signInAs(page, ' ada ');
    await screen.findByText('Inside');
    expect(sent).toHaveBeenCalledExactlyOnceWith({ username: 'ada', password: 'engine' });
    expect(page.router.state.location.pathname).toBe('/');
    await screen.findByText('Login Successful.');
    expect(page.store.getState().session).toMatchObject({
      isLoggedIn: true,
      username: 'ada',
      role: 'Administrator',
      phone: '555-0100',
      refreshToken: 'refresh-1',
    });
    expect(Math.abs(page.store.getState().session.clockOffset - 7)).toBeLessThanOrEqual(1);
  });

  test.each([
    [401, 'Username or password is incorrect.'],
    [429, 'Too many attempts. Please wait and try again.'],
  ])(
    'a refusal (%d) shows the server’s message, keeps the typed text, and focuses the password [§8]',
    async (status, text) => {
      server.use(onRoute(authRoutes.authenticate, () => failed(status, text)));
      const page = openPage();
      await signInAs(page);
      expect((await screen.findByRole('alert')).textContent).toContain(text);
      expect(screen.getAllByText(text).length).toBeGreaterThan(1);
      expect(page.store.getState().session.isLoggedIn).toBe(false);
      expect(username()).toHaveProperty('value', 'ada');
      expect(password()).toHaveProperty('value', 'engine');
      await waitFor(() => expect(document.activeElement).toBe(password()));
    },
  );

  test('an answer with an unreadable token signs nobody in, and says so [§4]', async () => {
    server.use(onRoute(authRoutes.authenticate, () => ok({ ...answer(), accessToken: 'unreadable' })));
    const page = openPage();
    await signInAs(page);
    expect((await screen.findByRole('alert')).textContent).toContain('something went wrong');
    expect(page.store.getState().session.isLoggedIn).toBe(false);
    expect(screen.queryByText('Login Successful.')).toBeNull();
  });

  test('takes no second click during a sign-in [§2.20]', async () => {
    let calls = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(
      onRoute(authRoutes.authenticate, async () => {
        calls += 1;
        await promise;
        return ok(answer());
      }),
    );
    const page = openPage();
    await signInAs(page);
    await waitFor(() => expect(signIn().getAttribute('aria-busy')).toBe('true'));
    await page.user.click(signIn());
    await page.user.type(password(), '{Enter}');
    resolve();
    await screen.findByText('Inside');
    expect(calls).toBe(1);
  });

  test('shows and hides the password [§2.3]', async () => {
    const { user } = openPage();
    await user.type(password(), 'engine');
    expect(password().getAttribute('type')).toBe('password');
    await user.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password().getAttribute('type')).toBe('text');
    await user.click(screen.getByRole('button', { name: 'Hide password' }));
    expect(password().getAttribute('type')).toBe('password');
  });
});

describe('remember me', () => {
  test('stores the username, fills it in next time and focuses the password [§2.3]', async () => {
    server.use(onRoute(authRoutes.authenticate, () => ok(answer())));
    const first = openPage();
    await waitFor(() => expect(document.activeElement).toBe(username()));
    await first.user.click(rememberMe());
    await signInAs(first);
    await screen.findByText('Inside');
    expect(localStorage.getItem('rememberedUsername')).toBe('ada');
    first.unmount();

    openPage();
    expect(username()).toHaveProperty('value', 'ada');
    expect(rememberMe()).toHaveProperty('checked', true);
    await waitFor(() => expect(document.activeElement).toBe(password()));
  });

  test('forgets the username at the next sign-in when it is not ticked [§2.3]', async () => {
    localStorage.setItem('rememberedUsername', 'ada');
    server.use(onRoute(authRoutes.authenticate, () => ok(answer())));
    const page = openPage();
    await page.user.click(rememberMe());
    await signInAs(page, 'grace');
    await screen.findByText('Inside');
    expect(localStorage.getItem('rememberedUsername')).toBeNull();
  });

  test('a refused sign-in remembers nothing [§2.3]', async () => {
    server.use(onRoute(authRoutes.authenticate, () => failed(401, 'Username or password is incorrect.')));
    const page = openPage();
    await page.user.click(rememberMe());
    await signInAs(page);
    await screen.findByRole('alert');
    expect(localStorage.getItem('rememberedUsername')).toBeNull();
  });

  test('the page works without a storage [§4]', async () => {
    vi.spyOn(globalThis, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
    server.use(onRoute(authRoutes.authenticate, () => ok(answer())));
    const page = openPage();
    await page.user.click(rememberMe());
    await signInAs(page);
    await screen.findByText('Inside');
  });
});

describe('validation', () => {
  test('shows nothing at untouched fields [§5]', async () => {
    const { user } = openPage();
    expect(screen.queryByText('Required')).toBeNull();
    await user.tab();
    expect(await screen.findAllByText('Required')).toHaveLength(1);
    expect(username().getAttribute('aria-invalid')).toBe('true');
    expect(password().getAttribute('aria-invalid')).toBeNull();
  });

  test('requires both fields on submit, and sends nothing [§5]', async () => {
    const { user } = openPage();
    await user.click(signIn());
    expect(await screen.findAllByText('Required')).toHaveLength(2);
    expect(document.activeElement).toBe(username());
  });

  test.each([
    [4, 'Must be 5 characters or more'],
    [5, undefined],
    [30, undefined],
    [31, 'Must be 30 characters or less'],
  ])('a password of %d characters: %s [§5, §9]', async (length, message) => {
    const { user } = openPage();
    await user.click(password());
    await user.paste('x'.repeat(length));
    await user.tab();
    if (message) await screen.findByText(message);
    await waitFor(() => expect(password().getAttribute('aria-invalid')).toBe(message ? 'true' : null));
    expect(screen.queryAllByText(/^Must be/)).toHaveLength(message ? 1 : 0);
  });

  test('says that Caps Lock is on [§2.3]', async () => {
    const { user } = openPage();
    await user.click(password());
    expect(screen.queryByText('Caps Lock is on')).toBeNull();
    await user.keyboard('{CapsLock}a');
    await screen.findByText('Caps Lock is on');
    await user.keyboard('{CapsLock}a');
    await waitFor(() => expect(screen.queryByText('Caps Lock is on')).toBeNull());
  });
});
