import { recoveryRoutes } from '@apotheca/contract/recovery';
import { screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import { signedOut } from '../../session/session-slice.ts';
import { renderWithStore } from '../../testing/render.tsx';
import { keepBodies, mockServer, onRoute, server } from '../../testing/server.ts';
import { loadRuntimeConfig } from '../../transport/runtime-config.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { RecoverPasswordPage } from './recover-password-page.tsx';

const config = { appApiBaseUrl: '/api', authApiBaseUrl: '/identity', passwordMin: 12, passwordRecovery: true };
mockServer(http.get('/config.json', () => HttpResponse.json(config)));

beforeEach(async () => {
  await loadRuntimeConfig();
});

const failure = (status: number, message: string, errors?: Record<string, string[]>) =>
  HttpResponse.json({ status, success: false, message, title: 'Refused', ...(errors && { errors }) }, { status });

describe('forgot password, where mails are sent', () => {
  const open = () => renderWithStore(<ForgotPasswordPage />, { preloadedState: { session: signedOut } });

  test('asks for a link and says what comes next [DECISIONS §13]', async () => {
    const bodies = keepBodies(recoveryRoutes.request, 'A mail is on its way.');
    const { user } = open();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@apotheca.test{Enter}');
    expect((await screen.findByRole('status')).textContent).toMatch(/^A mail is on its way\..*works once/);
    expect(bodies).toEqual([{ email: 'ada@apotheca.test' }]);
  });

  test('shows a refusal and takes another try [DECISIONS §13]', async () => {
    server.use(onRoute(recoveryRoutes.request, () => failure(429, 'Try again in 60 seconds.')));
    const { user } = open();
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ada@apotheca.test{Enter}');
    await screen.findByText('Try again in 60 seconds.');
    expect(screen.getByRole('button', { name: 'Request New Password' })).toHaveProperty('disabled', false);
    expect(screen.queryByText(/works once/)).toBeNull();
  });
});

describe('recover password, where mails are sent', () => {
  const open = (hash = '#token=t0ken') =>
    renderWithStore(<RecoverPasswordPage />, {
      preloadedState: { session: signedOut },
      route: `/recover-password${hash}`,
    });
  const password = () => screen.getByLabelText('Password');
  const confirm = () => screen.getByLabelText('Confirm password');

  test('sends the token of the link, which leaves the address, and leads to the sign-in [DECISIONS §13]', async () => {
    const bodies = keepBodies(recoveryRoutes.recover, 'Your password has been changed.');
    const { user, router } = open();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    await user.type(password(), 'battery staple');
    await user.type(confirm(), 'battery staple{Enter}');
    await screen.findByText('Your password has been changed.');
    expect(bodies).toEqual([{ token: 't0ken', password: 'battery staple', confirmPassword: 'battery staple' }]);
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'));
  });

  test('takes the token of another link that is opened in the same tab [DECISIONS §13]', async () => {
    const bodies = keepBodies(recoveryRoutes.recover);
    const { user, router } = open();
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    await router.navigate('/recover-password#token=other');
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    await user.type(password(), 'battery staple');
    await user.type(confirm(), 'battery staple{Enter}');
    await waitFor(() => expect(bodies).toMatchObject([{ token: 'other' }]));
  });

  test('checks length and confirmation before anything is sent [DECISIONS §13]', async () => {
    const bodies = keepBodies(recoveryRoutes.recover);
    const { user } = open();
    screen.getByText('12 to 30 characters');
    await user.type(password(), 'eleven-char');
    await user.type(confirm(), 'another one{Enter}');
    await screen.findByText('Must be 12 characters or more');
    await screen.findByText('Passwords must match');
    expect(bodies).toEqual([]);
  });

  test('keeps what was typed when the server refuses it, at its field [DECISIONS §13]', async () => {
    const answer = () => failure(400, 'Too common', { password: ['Too common'] });
    server.use(onRoute(recoveryRoutes.recover, answer));
    const { user, router } = open();
    await user.type(password(), 'qwerty123456');
    await user.type(confirm(), 'qwerty123456{Enter}');
    await waitFor(() => expect(password().getAttribute('aria-invalid')).toBe('true'));
    expect(password()).toHaveProperty('value', 'qwerty123456');
    expect(router.state.location.pathname).toBe('/recover-password');
  });

  test('tells how hard the password is to guess, in words too [DECISIONS §13]', async () => {
    const { user } = open();
    expect(screen.queryByRole('meter')).toBeNull();
    await user.type(password(), 'password1234');
    const meter = await screen.findByRole('meter', { name: 'Strength of the password' });
    await waitFor(() => expect(meter.getAttribute('aria-valuetext')).toMatch(/^(Very e|E)asy to guess$/));
    await user.clear(password());
    await user.type(password(), 'plum Vesuvius 7 kettle');
    await screen.findByText('Very hard to guess');
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe('Very hard to guess');
    await user.clear(password());
    await waitFor(() => expect(screen.queryByRole('meter')).toBeNull());
  });

  test.each(['', '#token=', '#other'])('without a token says where it comes from: %j [DECISIONS §13]', (hash) => {
    open(hash);
    screen.getByText('Open this page with the link from the mail');
    expect(screen.getByRole('link', { name: 'Request New Password' }).getAttribute('href')).toBe('/forgot-password');
    expect(screen.queryByRole('button')).toBeNull();
  });
});
