import { z } from 'zod';
import { route } from './route.ts';
import { requiredText } from './text.ts';

/** Password length (SPEC §5, §9), in UTF-16 units on both sides. */
export const PASSWORD_MIN = 5;
export const PASSWORD_MAX = 30;

const REQUIRED = 'Required';

/** A password that someone types: 5 to 30 characters. */
export const password = z
  .string({ error: REQUIRED })
  .min(1, { error: REQUIRED, abort: true })
  .min(PASSWORD_MIN, 'Must be 5 characters or more')
  .max(PASSWORD_MAX, 'Must be 30 characters or less');

/** What the sign-in form and POST /authenticate/authenticate take. `username` is a user name or an e-mail address. */
export const signInBody = z.object({
  username: requiredText(100, REQUIRED, 'Must be 100 characters or less'),
  password,
});

export const forgotPasswordForm = z.object({
  email: z
    .string({ error: REQUIRED })
    .trim()
    .min(1, REQUIRED)
    .pipe(z.email({ error: 'Invalid email address' })),
});

/** New password and confirmation: the spec asks for no match check (SPEC §5). */
export const recoverPasswordForm = z.object({ password, confirmPassword: password });

export const registerForm = z.object({
  email: forgotPasswordForm.shape.email,
  password,
  retypePassword: password,
});

export const profile = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  role: z.string(),
});
export type Profile = z.infer<typeof profile>;

const tokens = {
  accessToken: z.string(),
  /** The server's clock in whole seconds since 1970, from which the browser measures its own clock's offset. */
  serverTime: z.number().int(),
};

const sessionResult = profile.extend({ ...tokens, refreshToken: z.string() });
export type SessionResult = z.infer<typeof sessionResult>;

export const authRoutes = {
  authenticate: route({
    feature: 'auth',
    summary: 'Sign in with user name (or e-mail) and password',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/authenticate',
    permission: 'public',
    body: signInBody,
    result: sessionResult,
  }),
  refresh: route({
    feature: 'auth',
    summary: 'Exchange the pair of tokens for a new access token',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/refresh',
    permission: 'public',
    body: z.object({
      refreshToken: z.string({ error: 'refreshToken is required' }).min(1, 'refreshToken is required').max(200),
      accessToken: z.string({ error: 'accessToken is required' }).min(1, 'accessToken is required').max(4096),
    }),
    result: z.object(tokens),
  }),
  logout: route({
    feature: 'auth',
    summary: 'End the session of a refresh token; an unknown one is ended already',
    base: 'identity',
    method: 'POST',
    path: '/auth/logout',
    permission: 'public',
    body: z.object({
      refreshToken: z.string({ error: 'refreshToken is required' }).min(1, 'refreshToken is required').max(200),
    }),
    result: z.null(),
  }),
  generateToken: route({
    feature: 'auth',
    summary: 'Issue a short-lived, read-only API token for the signed-in user',
    base: 'identity',
    method: 'POST',
    path: '/auth/generate-token',
    permission: 'signed-in',
    body: z.object({
      name: requiredText(100, 'Name is required', 'Name should not be more than 100 characters'),
      minutes: z
        .int({ error: 'minutes must be a whole number' })
        .min(1, 'minutes must be at least 1')
        .max(1440, 'minutes must be at most 1440'),
    }),
    result: z.object({ accessToken: z.string(), expiresAt: z.string() }),
  }),
  me: route({
    feature: 'auth',
    summary: 'The signed-in user',
    base: 'identity',
    method: 'GET',
    path: '/auth/me',
    permission: 'signed-in',
    result: profile,
  }),
};
