import { z } from 'zod';
import { byId, whenValid } from './fields.ts';
import { route } from './route.ts';
import { secondFactorStep } from './sign-in-step.ts';
import { atMost, id, isStorable, NOT_STORABLE, requiredText, utcMoment } from './text.ts';

/**
 * Password length (SPEC §5, §9) in Unicode code points, as NIST SP 800-63B counts them. An installation may ask more of new passwords
 * (APOTHECA_PASSWORD_MIN); with old ones people go on signing in.
 */
export const PASSWORD_MIN = 5;
export const PASSWORD_MAX = 30;

/**
 * Most UTF-16 units of a password as it is sent: a composed character comes of four code points at most, each of one unit or two. Composing
 * a text takes the square of its length, if it is made for that.
 */
const SENT_PASSWORD_MAX = 8 * PASSWORD_MAX;
const PASSWORD_TOO_LONG = `Must be ${PASSWORD_MAX} characters or less`;

/** The message for a new password that is among the 10,000 most common ones. */
export const COMMON_PASSWORD = 'This password is one of the most common ones: please choose another';

/** Most characters of an e-mail address of a user (SPEC §5). */
export const EMAIL_MAX = 100;

/** How many valid API tokens one user may have at a time. */
export const API_TOKEN_LIMIT = 20;

const REQUIRED = 'Required';

/**
 * What is wrong with a password; undefined: nothing. Its length is that of its composed form (NFC), which is also what is hashed: so
 * the same letters count the same whatever the keyboard sends for them.
 * @param min that of new passwords; absent: that of all
 */
export function passwordProblem(password: string, min = PASSWORD_MIN): string | undefined {
  if (password.length > SENT_PASSWORD_MAX) return PASSWORD_TOO_LONG;
  if (!isStorable(password)) return NOT_STORABLE;
  const length = [...password.normalize('NFC')].length;
  if (length < min) return `Must be ${min} characters or more`;
  if (length > PASSWORD_MAX) return PASSWORD_TOO_LONG;
}

const sentPassword = atMost(SENT_PASSWORD_MAX, PASSWORD_TOO_LONG);

/** A password that must be there, of 5 to 30 characters. @param required message for an empty one */
export const requiredPassword = (required: string) =>
  z
    .string({ error: required })
    // Without `abort`, which would skip the form's rules over several fields.
    .min(1, required)
    .check(sentPassword, refusePassword);

/** A password that may be left empty for no change; a missing one becomes `''`. */
export const optionalPassword = z
  .string({ error: 'Password must be a text' })
  .check(sentPassword)
  .nullish()
  .transform((value) => value ?? '')
  .check(refusePassword);

/** What is compared with a new password. */
export const confirmPassword = z.string({ error: 'Confirm Password is Required' }).check(sentPassword);

function refusePassword(payload: z.core.ParsePayload<string>): void {
  if (payload.value === '') return;
  const message = passwordProblem(payload.value);
  if (message) payload.issues.push({ code: 'custom', message, input: payload.value });
}

/**
 * The rule of forms in which a new password is chosen: the length that the installation asks for. The limits of all passwords come
 * first, and an empty field is another rule's.
 */
export const newPasswordOf = (min: number) =>
  z.superRefine<{ password: string }>(
    ({ password }, context) => {
      const message = password === '' ? undefined : passwordProblem(password, min);
      if (message) context.addIssue({ code: 'custom', path: ['password'], message });
    },
    whenValid({ password: optionalPassword }),
  );

export const password = requiredPassword(REQUIRED);

/**
 * What the sign-in form and POST /authenticate/authenticate take. `username` is a user name or an e-mail address. Several spaces in it
 * become one, as in the names of new users.
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
    .check(atMost(EMAIL_MAX, `Must be ${EMAIL_MAX} characters or less`))
    .pipe(z.email({ error: 'Invalid email address' })),
});

/** New password and confirmation; SPEC §5 does not ask that they match. */
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

export const sessionResult = profile.extend({ ...tokens, refreshToken: z.string() });
export type SessionResult = z.infer<typeof sessionResult>;

/** A session that has not ended: a sign-in, or an API token. */
export const openSession = z.object({
  id: z.string(),
  /** `console`: a sign-in; `api`: a token, which has a name. */
  kind: z.enum(['console', 'api']),
  name: z.string(),
  /** The name of the provider by which the user signed in; empty: by none. */
  provider: z.string(),
  /** Browser and system in words, such as 'Firefox on Windows'. */
  device: z.string(),
  address: z.string(),
  createdOnUtc: utcMoment,
  /** Exact to the minute. */
  lastUsedOnUtc: utcMoment,
  expiresOnUtc: utcMoment,
  /** Whether the call that asks belongs to this session. */
  isCurrent: z.boolean(),
});
export type OpenSession = z.infer<typeof openSession>;

export const authRoutes = {
  authenticate: route({
    feature: 'auth',
    summary: 'Sign in with user name (or e-mail) and password',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/authenticate',
    permission: 'public',
    errors: ['wrong-credentials', 'sign-in-refused', 'too-many'],
    body: signInBody,
    result: z.union([sessionResult, secondFactorStep]),
    secret: true,
  }),
  refresh: route({
    feature: 'auth',
    summary: 'Exchange the pair of tokens for a new access token',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/refresh',
    permission: 'public',
    errors: ['session-ended', 'provider-away'],
    body: z.object({
      refreshToken: z.string({ error: 'refreshToken is required' }).min(1, 'refreshToken is required').max(200),
      accessToken: z.string({ error: 'accessToken is required' }).min(1, 'accessToken is required').max(4096),
    }),
    result: z.object(tokens),
    secret: true,
  }),
  logout: route({
    feature: 'auth',
    summary: 'End the session of a refresh token; an unknown token is no error',
    base: 'identity',
    method: 'POST',
    path: '/auth/logout',
    permission: 'public',
    body: z.object({
      refreshToken: z.string({ error: 'refreshToken is required' }).min(1, 'refreshToken is required').max(200),
    }),
    /** Where the browser then signs out at the provider by which the session was opened; null: nowhere. */
    result: z.object({ url: z.string() }).nullable(),
  }),
  generateToken: route({
    feature: 'auth',
    summary: 'Issue a short-lived, read-only API token for the signed-in user',
    base: 'identity',
    method: 'POST',
    path: '/auth/generate-token',
    permission: 'signed-in',
    keyed: true,
    fresh: true,
    body: z.object({
      name: requiredText(100, 'Name is required', 'Name should not be more than 100 characters'),
      minutes: z
        .int({ error: 'minutes must be a whole number' })
        .min(1, 'minutes must be at least 1')
        .max(1440, 'minutes must be at most 1440'),
    }),
    result: z.object({ accessToken: z.string(), expiresAt: utcMoment }),
    secret: true,
  }),
  me: route({
    feature: 'auth',
    summary: 'The signed-in user',
    base: 'identity',
    method: 'GET',
    path: '/auth/me',
    permission: 'signed-in',
    byKey: true,
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
    query: byId,
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
    fresh: true,
    query: byId,
    result: z.null(),
  }),
};
