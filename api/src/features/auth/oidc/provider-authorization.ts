import { createHash } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Platform } from '../../../db/platform.ts';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { inSeconds } from '../session-times.ts';
import { useOnce } from './oidc.repository.ts';
import { ask, type Connection, connect, redirectUri } from './provider-client.ts';
import { isSameBrowser, type SignInState, STATE_SECONDS } from './sign-in-state.ts';

/** The answer of the browser when it comes back from a provider. */
export interface ProviderAnswer {
  provider: string;
  code: string;
  state: string;
  iss?: string | null | undefined;
  verifier: string;
}

/**
 * The page of a provider that asks who somebody is (authorization code flow with PKCE).
 * @param seal makes the `state`, by which the answer is known again
 * @param parametersOf more parameters of the request
 * @throws AppError provider-away
 */
export async function authorizationUrl(
  context: Context,
  provider: OidcProvider,
  seal: (state: Omit<SignInState, 'challenge'>) => Promise<string>,
  parametersOf: (connection: Connection) => Record<string, string>,
): Promise<string> {
  const connection = await connect(provider);
  const client = await import('openid-client');
  const codeVerifier = client.randomPKCECodeVerifier();
  const nonce = client.randomNonce();
  const url = client.buildAuthorizationUrl(connection, {
    ...provider.parameters,
    ...parametersOf(connection),
    redirect_uri: redirectUri(context, provider),
    state: await seal({ provider: provider.id, nonce, codeVerifier }),
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  });
  return url.href;
}

/** Why an answer does not count, whatever has come before; undefined: it counts once. */
export function refusalOf(
  { id }: OidcProvider,
  answer: ProviderAnswer,
  state: SignInState | undefined,
): string | undefined {
  if (!state) return 'state not valid';
  if (state.provider !== id) return 'answer of another provider';
  return isSameBrowser(state, answer.verifier) ? undefined : 'another browser';
}

/** Why an answer is refused that {@link isFirstUse was used before}. */
export const USED_BEFORE = 'state used before';

/** Uses an answer up before its code is sent to the provider. That leaves a row until its state would have expired. */
export function isFirstUse(platform: Platform, now: Date, answer: ProviderAnswer): Promise<boolean> {
  const digest = createHash('sha256').update(answer.state).digest();
  return useOnce(platform, digest, inSeconds(now, STATE_SECONDS));
}

type Grant = Parameters<Parameters<typeof ask>[1]>;
type Tokens = Awaited<ReturnType<Grant[0]['authorizationCodeGrant']>>;
type Claims = NonNullable<ReturnType<Tokens['claims']>>;

/**
 * Exchanges a code for tokens, which the library verifies.
 * @param read what is wanted of them; may ask for more
 * @returns undefined if the provider refuses, or a token is not valid
 */
export function redeemCode<Result>(
  context: Context,
  provider: OidcProvider,
  answer: ProviderAnswer,
  { nonce, codeVerifier }: SignInState,
  read: (claims: Claims, tokens: Tokens, ...grant: Grant) => Promise<Result>,
): Promise<Result | undefined> {
  const url = new URL(redirectUri(context, provider));
  for (const name of ['code', 'state', 'iss'] as const) {
    const value = answer[name];
    if (value) url.searchParams.set(name, value);
  }
  return ask(provider, async (client, connection) => {
    const tokens = await client.authorizationCodeGrant(connection, url, {
      expectedState: answer.state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    return claims && isSubject(claims.sub) ? read(claims, tokens, client, connection) : undefined;
  });
}

/** By the standard it has at most 255 ASCII characters. */
const isSubject = (subject: string) => /^[\x20-\x7e]{1,255}$/.test(subject);
