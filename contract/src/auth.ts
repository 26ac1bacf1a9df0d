import { z } from 'zod';
import { byId } from './fields.ts';
import { route } from './route.ts';
import { id, isStorable, NOT_STORABLE, requiredText } from './text.ts';

/** Password length (SPEC §5, §9) in Unicode code points, as NIST SP 800-63B counts them. */
export const PASSWORD_MIN = 5;
export const PASSWORD_MAX = 30;

/** What a new password is told that is among the 10,000 that people use most. */
export const COMMON_PASSWORD = 'This password is one of the most common ones: please choose another';

/** API tokens of one person that are valid at the same time. */
export const API_TOKEN_LIMIT = 20;

const REQUIRED = 'Required';

/**
 * What is wrong with a password, on both sides alike. Its length is that of its composed form (NFC), which is what is hashed: the same
 * letters typed on two keyboards count the same.
 */
export function passwordProblem(password: string): string | undefined {
  if (!isStorable(password)) return NOT_STORABLE;
  const length = [...password.normalize('NFC')].length;
  if (length < PASSWORD_MIN) return `Must be ${PASSWORD_MIN} characters or more`;
  if (length > PASSWORD_MAX) return `Must be ${PASSWORD_MAX} characters or less`;
}

/** A password that someone types: 5 to 30 characters. @param required message for an empty one */
export const requiredPassword = (required: string) =>
  z
    .string({ error: required })
    // Without `abort`: it would keep the rules over several fields of a form from being told.
    .min(1, required)
    .check(refusePassword);

/** A password that may be left empty, which leaves it as it is; `''` where it is missing. */
export const optionalPassword = z
  .string({ error: 'Password must be a text' })
  .nullish()
  .transform((value) => value ?? '')
  .check(refusePassword);

function refusePassword(payload: z.core.ParsePayload<string>): void {
  if (payload.value === '') return;
  const message = passwordProblem(payload.value);
  if (message) payload.issues.push({ code: 'custom', message, input: payload.value });
}

export const password = requiredPassword(REQUIRED);

/**
 * What the sign-in form and POST /authenticate/authenticate take. `username` is a user name or an e-mail address, with single spaces as a
 * new user's name is stored.
 */
export const signInBody = z.object({
  username: requiredText(100, REQUIRED, 'Must be 100 characters or less').overwrite((value) =>
    value.replace(/\p{Zs}+/gu, ' '),
  ),
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

/** A sign-in or API token that is still good. Moments are ISO 8601. */
export const openSession = z.object({
  id: z.string(),
  /** `console`: a sign-in; `api`: a token, which has a name. */
  kind: z.enum(['console', 'api']),
  name: z.string(),
  /** Browser and system in words, such as 'Firefox on Windows'. */
  device: z.string(),
  address: z.string(),
  createdOnUtc: z.string(),
  /** To the minute. */
  lastUsedOnUtc: z.string(),
  expiresOnUtc: z.string(),
  /** The session of this very call. */
  isCurrent: z.boolean(),
});
export type OpenSession = z.infer<typeof openSession>;

const sessionId = byId;

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
  listSessions: route({
    feature: 'auth',
    summary: "The signed-in user's open sessions, last used first",
    base: 'identity',
    method: 'GET',
    path: '/auth/sessions',
    permission: 'signed-in',
    result: z.array(openSession),
  }),
  endSession: route({
    feature: 'auth',
    summary: "End one of the signed-in user's own sessions",
    base: 'identity',
    method: 'DELETE',
    path: '/auth/session',
    permission: 'signed-in',
    query: sessionId,
    result: z.null(),
  }),
  listUserSessions: route({
    feature: 'auth',
    summary: "A user's open sessions, last used first",
    base: 'identity',
    method: 'GET',
    path: '/auth/usersessions',
    permission: 'sessions.manage',
    query: z.object({ userId: id() }),
    result: z.array(openSession),
  }),
  endUserSession: route({
    feature: 'auth',
    summary: "End a user's session",
    base: 'identity',
    method: 'DELETE',
    path: '/auth/usersession',
    permission: 'sessions.manage',
    query: sessionId,
    result: z.null(),
  }),
};
