import { createHash } from 'node:crypto';
import { createRemoteJWKSet, decodeJwt, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import { type AuditEvent, appendAudits } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { decrypt } from '../../../secrets.ts';
import { inSeconds } from '../session-times.ts';
import { revokeSession } from '../sign-in-session.repository.ts';
import { hashRefreshToken } from '../tokens.ts';
import { findIdToken, findSessionsOf, useOnce } from './oidc.repository.ts';
import { ask, type Connection, connect } from './provider-client.ts';

/**
 * Where a browser that has signed out here signs out at the provider too (OpenID Connect RP-Initiated Logout 1.0).
 * @returns undefined for a session of another kind, and where the provider has no such page or does not answer
 */
export async function findProviderSignOut(context: Context, refreshToken: string): Promise<string | undefined> {
  const session = await findIdToken(context.platform, hashRefreshToken(refreshToken));
  const provider = context.oidcProviders.find(({ issuer }) => issuer === session?.issuer);
  if (!session || !provider) return undefined;
  // The session here has ended, whatever the provider does.
  return ask(provider, async (client, connection) => {
    if (!connection.serverMetadata().end_session_endpoint) return undefined;
    // Throws after the installation's secret was changed.
    const hint = decrypt(context.keys.providerTokens, session.idToken);
    const parameters = { id_token_hint: hint, post_logout_redirect_uri: `${context.publicUrl}/login` };
    return client.buildEndSessionUrl(connection, parameters).href;
  }).catch(() => undefined);
}

/** The event that makes a token a logout token. */
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout';
/** How old a logout token may be, in seconds. */
const OLDEST = 10 * 60;
/** How far the provider's clock may be ahead or behind, in seconds: as far as for its ID tokens, whose library sets it. */
const CLOCK_TOLERANCE = 30;
/** Those of public keys: a secret that is no key verifies nothing. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const logoutClaims = z
  .object({
    jti: z.string().min(1).max(1000),
    sub: z.string().optional(),
    sid: z.string().optional(),
    events: z.object({ [LOGOUT]: z.object({}) }),
    nonce: z.undefined().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/**
 * Ends the sessions of a provider's logout token (OpenID Connect Back-Channel Logout 1.0), with an audit entry for each.
 * @throws AppError invalid for a token that is not valid, or was sent before; provider-away
 */
export async function endSessionsByProvider(context: Context, token: string, address: string): Promise<void> {
  const provider = context.oidcProviders.find(({ issuer }) => issuer === issuerOf(token));
  const claims = provider && (await readLogoutToken(context, provider, token));
  if (!provider || !claims) throw new AppError('invalid', { message: 'This logout token is not valid.' });
  const { issuer } = provider;
  const digest = createHash('sha256')
    .update(JSON.stringify([issuer, claims.jti]))
    .digest();
  const actor: Actor = { id: null, name: provider.name, address };
  await context.platform.transaction().execute(async (trx) => {
    const isFirst = await useOnce(trx, digest, inSeconds(context.now(), 2 * OLDEST));
    if (!isFirst) throw new AppError('invalid', { message: 'This logout token was used before.' });
    const sessions = await findSessionsOf(trx, { issuer, subject: claims.sub, sid: claims.sid });
    const events: AuditEvent[] = [];
    for (const { sessionId } of sessions) {
      if (!(await revokeSession(trx, sessionId, 'signed-out-at-provider', context.now()))) continue;
      events.push({ actor, action: 'auth.signed-out-at-provider', entity: 'sessions', entityId: sessionId });
    }
    await appendAudits(context, trx, events);
  });
}

/** Who a token says it is from: unverified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/**
 * The keys of each provider, as long as what it says of itself counts: then it may name another address for them. Fetched again where a token
 * names an unknown one, but not more often than every 30 seconds.
 */
const keysOf = new WeakMap<Connection, ReturnType<typeof createRemoteJWKSet>>();

async function readLogoutToken({ now }: Context, provider: OidcProvider, token: string) {
  const connection = await connect(provider);
  const { jwks_uri: address } = connection.serverMetadata();
  if (!address) throw new AppError('provider-away', {}, { cause: new Error(`${provider.name}: it has no keys`) });
  const keys = keysOf.get(connection) ?? createRemoteJWKSet(new URL(address));
  keysOf.set(connection, keys);
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer: provider.issuer,
      audience: provider.clientId,
      typ: 'logout+jwt',
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: OLDEST,
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: now(),
    });
    return logoutClaims.safeParse(payload).data;
  } catch (error) {
    // The generic code says that the keys could not be fetched.
    const isAway = error instanceof errors.JWKSTimeout || (error as errors.JOSEError).code === 'ERR_JOSE_GENERIC';
    if (error instanceof errors.JOSEError && !isAway) return undefined;
    throw new AppError('provider-away', {}, { cause: error });
  }
}
