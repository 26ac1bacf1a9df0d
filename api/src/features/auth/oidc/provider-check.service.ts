import type { Actor } from '../../../actor.ts';
import { appendAudit } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import type { OidcProvider } from '../../../oidc-providers.ts';
import { decrypt, encrypt } from '../../../secrets.ts';
import { inSeconds, openAt } from '../session-times.ts';
import { revokeSession } from '../sign-in-session.repository.ts';
import { ACCESS_TOKEN_SECONDS } from '../tokens.ts';
import { endTurn, findOpenProviderSession, type ProviderSessionRow, takeTurn } from './oidc.repository.ts';
import { ask } from './provider-client.ts';

/** A provider that has just answered is not asked again, in seconds: tabs race, and answers get lost. */
const RECENT_SECONDS = 60;
/** After this a server that asks a provider was killed, in seconds. */
const LONGEST_TURN = 30;

/**
 * Before a refresh: asks the provider that has opened the session whether the person may still sign in. While it does not answer,
 * sessions go on for the life of an access token after its last answer, so that a short outage signs nobody out.
 * @throws AppError session-ended if the provider says no; provider-away if it has not answered for too long
 */
export async function checkAtProvider(context: Context, refreshTokenHash: Buffer, address: string): Promise<void> {
  const now = context.now();
  const session = await findOpenProviderSession(context.platform, refreshTokenHash, openAt(now));
  if (!session || session.checkedAt > inSeconds(now, -RECENT_SECONDS)) return;
  const provider = context.oidcProviders.find(({ issuer }) => issuer === session.issuer);
  // Without a refresh token the session ends with its first access token.
  if (provider && !session.refreshToken) return;
  const isAllowed = provider && (await mayGoOn(context, provider, session));
  if (isAllowed) return;
  await endRefusedSession(context, session, { id: null, name: provider?.name ?? session.issuer, address });
  throw new AppError('session-ended');
}

async function mayGoOn(context: Context, provider: OidcProvider, session: ProviderSessionRow): Promise<boolean> {
  const now = context.now();
  const away = new AppError('provider-away');
  try {
    const isMine = await takeTurn(context.platform, session, now, inSeconds(now, -LONGEST_TURN));
    // Another refresh of this session waits for the provider, and ends the session if the answer is no.
    if (!isMine) throw away;
    return await askWhetherAllowed(context, provider, session, now);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'provider-away')) throw error;
    if (session.checkedAt > inSeconds(now, -ACCESS_TOKEN_SECONDS)) return true;
    throw error;
  }
}

async function askWhetherAllowed(
  context: Context,
  provider: OidcProvider,
  { sessionId, subject, refreshToken }: ProviderSessionRow,
  now: Date,
): Promise<boolean> {
  const key = context.keys.providerTokens;
  const mine = decrypt(key, refreshToken ?? Buffer.alloc(0));
  try {
    const answer = await ask(provider, (client, connection) => client.refreshTokenGrant(connection, mine));
    const claims = answer?.claims();
    if (!answer || (claims && claims.sub !== subject)) return false;
    const next = encrypt(key, answer.refresh_token ?? mine);
    await endTurn(context.platform, sessionId, now, { checkedAt: now, refreshToken: next });
    return true;
  } catch (error) {
    await endTurn(context.platform, sessionId, now);
    throw error;
  }
}

async function endRefusedSession(context: Context, { sessionId }: ProviderSessionRow, actor: Actor): Promise<void> {
  await context.platform.transaction().execute(async (trx) => {
    if (!(await revokeSession(trx, sessionId, 'refused-by-provider', context.now()))) return;
    const event = { actor, action: 'auth.provider-refused', entity: 'sessions', entityId: sessionId };
    await appendAudit(context, trx, event);
  });
}
