import { z } from 'zod';
import { sessionResult } from './auth.ts';
import { route } from './route.ts';
import { atMost } from './text.ts';

/** 256 bits in base64url: what binds a sign-in to the browser that began it, and the SHA-256 of that. */
const bits = (name: string) =>
  z
    .string({ error: `${name} is required` })
    .check(atMost(43, `${name} is not valid`))
    .regex(/^[\w-]{43}$/, `${name} is not valid`);
const text = (name: string, most: number) =>
  z
    .string({ error: `${name} is required` })
    .min(1, `${name} is required`)
    .max(most, `${name} is too long`);

/** SHA-256 of what the browser keeps while its person is at a provider. */
export const browserChallenge = bits('challenge');

/** What a browser brings back from a provider, with what it has kept. */
export const browserAnswer = z.object({
  provider: text('provider', 40),
  code: text('code', 4096),
  state: text('state', 2048),
  /** The provider that answered (RFC 9207), if it has said so. */
  iss: text('iss', 2048).nullish(),
  verifier: bits('verifier'),
});

export const openIdConnectRoutes = {
  beginSignIn: route({
    feature: 'auth',
    summary: 'Begin to sign in with a provider: where the browser goes',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/oidc/begin',
    permission: 'public',
    errors: ['not-found', 'provider-away'],
    body: z.object({ provider: text('provider', 40), challenge: browserChallenge }),
    result: z.object({ url: z.string() }),
    secret: true,
  }),
  finishSignIn: route({
    feature: 'auth',
    summary: "Sign in with the provider's answer",
    base: 'identity',
    method: 'POST',
    path: '/authenticate/oidc/finish',
    permission: 'public',
    errors: ['not-found', 'sign-in-refused', 'provider-away', 'too-many'],
    body: browserAnswer,
    result: sessionResult,
    secret: true,
  }),
  providerSignOut: route({
    feature: 'auth',
    summary: 'End the sessions of a logout token that a provider sends, as a form',
    base: 'identity',
    method: 'POST',
    path: '/authenticate/oidc/backchannel',
    permission: 'public',
    errors: ['not-found', 'provider-away'],
    form: true,
    body: z.object({ logout_token: text('logout_token', 16_384) }),
    result: z.null(),
  }),
};
