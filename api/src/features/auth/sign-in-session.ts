import type { Profile, SessionResult } from '@apotheca/contract/auth';
import type { Context } from '../../context.ts';
import { newSession, sessionEnd } from './session-times.ts';
import type { RefreshRow } from './sign-in-session.repository.ts';
import type { UserRow } from './sign-in-users.repository.ts';
import { ACCESS_TOKEN_SECONDS, newRefreshToken, signAccessToken } from './tokens.ts';

/** From where somebody signs in. */
export interface SignInPlace {
  address: string;
  userAgent: string;
}

/** The session that a sign-in opens: its row, and what answers the sign-in once that is written. */
export function newSignInSession(context: Context, user: UserRow, { address, userAgent }: SignInPlace) {
  const now = context.now();
  const session = newSession(user.id, now);
  const refresh = newRefreshToken();
  const row = {
    ...session,
    kind: 'console' as const,
    provedAt: now,
    refreshTokenHash: refresh.hash,
    expiresAt: sessionEnd(now),
    address,
    userAgent,
  };
  const answer = async (): Promise<SessionResult> => ({
    ...profileOf(user),
    accessToken: await tokenOf(context, user, { sessionId: session.id, ...session }),
    refreshToken: refresh.token,
    serverTime: secondsOf(now),
  });
  return { row, answer };
}

export function tokenOf(context: Context, user: UserRow, session: RefreshRow): Promise<string> {
  const { sessionId, accessTokenId: tokenId, accessIssuedAt } = session;
  const claims = { userId: user.id, role: user.role, sessionId, tokenId };
  return signAccessToken(context.keys.token, claims, accessIssuedAt, ACCESS_TOKEN_SECONDS);
}

export function profileOf(user: UserRow): Profile {
  const { id, userName: username, email, firstName, lastName, phone, role } = user;
  return { id, username, email, firstName, lastName, phone, role };
}

/** By what people know a user. */
export const nameOf = (user: UserRow): string => user.userName || user.email;
/** A moment as calls and tokens tell it: in whole seconds since 1970, in UTC. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);
