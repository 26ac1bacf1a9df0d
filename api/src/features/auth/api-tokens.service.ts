import { API_TOKEN_LIMIT } from '@apotheca/contract/auth';
import type { Actor, Caller } from '../../actor.ts';
import { appendAudit } from '../../audit/audit.service.ts';
import type { Context } from '../../context.ts';
import { AppError, fieldError } from '../../errors.ts';
import { findCaller } from './callers.repository.ts';
import { isProviderSession } from './oidc/oidc.repository.ts';
import { idleSince, inSeconds, newSession } from './session-times.ts';
import { listOpenSessions } from './sessions.repository.ts';
import { insertSession } from './sign-in-session.repository.ts';
import { lockUser } from './sign-in-users.repository.ts';
import { ACCESS_TOKEN_SECONDS, signAccessToken } from './tokens.ts';

/**
 * Issues a read-only API token for the signed-in user. It is a session without a refresh token.
 * @throws AppError invalid if it would outlive what the caller's provider is asked for; session-ended if the caller's session has ended meanwhile; conflict if the user has the most valid tokens
 * allowed
 */
export async function generateApiToken(
  context: Context,
  caller: Caller,
  actor: Actor,
  token: { name: string; minutes: number; userAgent: string },
): Promise<{ accessToken: string; expiresAt: string }> {
  await refuseLongToken(context, caller, token.minutes);
  const now = context.now();
  const expiresAt = inSeconds(now, token.minutes * 60);
  const session = newSession(caller.id, now);
  const { address } = actor;
  await context.platform.transaction().execute(async (trx) => {
    await lockUser(trx, caller.id);
    const isSignedIn = await findCaller(trx, { sessionId: caller.sessionId, now, idleSince: idleSince(now) });
    if (!isSignedIn) throw new AppError('session-ended');
    const valid = await listOpenSessions(trx, caller.id, { now, idleSince: idleSince(now) });
    if (valid.filter(({ kind }) => kind === 'api').length >= API_TOKEN_LIMIT) {
      throw new AppError('conflict', {
        message: `You have ${API_TOKEN_LIMIT} API tokens that are valid: please end one of them first.`,
      });
    }
    await insertSession(trx, {
      ...session,
      kind: 'api',
      name: token.name,
      expiresAt,
      address,
      userAgent: token.userAgent,
    });
    const changes = { name: token.name, minutes: token.minutes };
    const event = { actor, action: 'auth.generate-token', entity: 'sessions', entityId: session.id, changes };
    await appendAudit(context, trx, event);
  });
  const claims = { userId: caller.id, role: caller.role, sessionId: session.id, tokenId: session.accessTokenId };
  const accessToken = await signAccessToken(context.keys.token, claims, now, token.minutes * 60);
  return { accessToken, expiresAt: expiresAt.toISOString() };
}

/** No provider is asked about an API token, so one of a session that a provider has opened lives as long as an access token. */
async function refuseLongToken({ platform }: Context, { sessionId }: Caller, minutes: number): Promise<void> {
  const most = ACCESS_TOKEN_SECONDS / 60;
  if (minutes <= most || !(await isProviderSession(platform, sessionId))) return;
  throw fieldError('invalid', 'minutes', `minutes must be at most ${most}, as you have signed in with a provider`);
}
