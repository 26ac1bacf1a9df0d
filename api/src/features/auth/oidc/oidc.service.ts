import type { SessionResult } from '@apotheca/contract/auth';
import type { Actor } from '../../../actor.ts';
import { type AuditEvent, appendAudits } from '../../../audit/audit.service.ts';
import type { Context } from '../../../context.ts';
import type { Platform, Trx } from '../../../db/platform.ts';
import { AppError } from '../../../errors.ts';
import { encrypt } from '../../../secrets.ts';
import { auditRepeated } from '../noted-refusals.ts';
import { inSeconds } from '../session-times.ts';
import { addressSubject, countStepAttempt, type StepAttempt, settleAttempts } from '../sign-in-attempts.repository.ts';
import { refuseBlocked, SIGN_IN_LIMITS } from '../sign-in-limits.ts';
import { insertSession } from '../sign-in-session.repository.ts';
import { nameOf, newSignInSession, type SignInPlace } from '../sign-in-session.ts';
import { findUserById } from '../sign-in-users.repository.ts';
import { ACCESS_TOKEN_SECONDS } from '../tokens.ts';
import { insertProviderSession } from './oidc.repository.ts';
import {
  authorizationUrl,
  isFirstUse,
  type ProviderAnswer,
  redeemCode,
  refusalOf,
  USED_BEFORE,
} from './provider-authorization.ts';
import { getProvider } from './provider-client.ts';
import { type ProviderPerson, readPerson } from './provider-person.ts';
import { openState, sealState, signInState } from './sign-in-state.ts';

/**
 * Finds or makes the user of a person, and gives them their role. The feature users implements it, and the app passes it in, as
 * users stand above the sign-in.
 * @returns the user, and what is to be noted of it in the audit trail once all else of the sign-in is written
 * @throws AppError sign-in-refused, with the reason for the audit trail as its cause
 */
export type Admit = (context: Context, trx: Trx, actor: Actor, person: ProviderPerson) => Promise<Admitted>;

/** The user of a person who may sign in, and what has changed of them. */
export interface Admitted {
  userId: string;
  events: AuditEvent[];
}

/** Answers count apart from passwords: whoever is let in by a provider makes no room for guesses. */
const ANSWER = 'provider-answer' as const;

/** The refusals of {@link Admit}. */
const NOT_ADMITTED = ['sign-in-refused', 'protected', 'already-exists'];

/** What a person reads who may not sign in, whatever the reason. */
const NOT_ALLOWED = 'Your account may not use this console. Please ask an administrator.';

/**
 * Begins a sign-in at a provider (authorization code flow with PKCE).
 * @param challenge SHA-256 of what the browser keeps until it comes back
 * @returns the provider's page
 * @throws AppError not-found, provider-away
 */
export async function beginSignIn(
  context: Context,
  { provider: id, challenge }: { provider: string; challenge: string },
): Promise<{ url: string }> {
  const provider = getProvider(context, id);
  const url = await authorizationUrl(
    context,
    provider,
    (state) => sealState(context, 'sign-in', { ...state, challenge }),
    (connection) => {
      const { scopes_supported: offered = [] } = connection.serverMetadata();
      const isOffered = offered.includes('offline_access') && !provider.scopes.split(' ').includes('offline_access');
      // Gives a refresh token, by which the provider can be asked again.
      return { scope: isOffered ? `${provider.scopes} offline_access` : provider.scopes };
    },
  );
  return { url };
}

/**
 * Signs in with what a provider has answered.
 * @throws AppError sign-in-refused and too-many, which are audited; not-found, provider-away
 */
export async function finishSignIn(
  context: Context,
  admit: Admit,
  answer: ProviderAnswer,
  place: SignInPlace,
): Promise<SessionResult> {
  const provider = getProvider(context, answer.provider);
  const actor: Actor = { id: null, name: provider.name, address: place.address };
  const refuse = (reason: string, message?: string, subject?: string) =>
    refuseSignIn(context, actor, { provider: provider.name, reason, ...(subject && { subject }) }, message);
  const state = await openState(context, 'sign-in', signInState, answer.state);
  const refusal = refusalOf(provider, answer, state);
  if (!state || refusal) return refuse(refusal ?? '');
  // Anybody can begin a sign-in. Each answer leaves a row, and asks the provider, which has limits of its own for all who sign in by it.
  const attempt = { what: ANSWER, subject: null, address: place.address, now: context.now(), limits: SIGN_IN_LIMITS };
  const taken = await takeAnswer(context.platform, answer, attempt);
  if (taken === 'blocked') return refuseBlocked(context, actor, attempt);
  if (taken === 'used') return refuse(USED_BEFORE);
  const signedIn = await redeemCode(context, provider, answer, state, async (claims, tokens, client, connection) => {
    if (!tokens.id_token) return undefined;
    const userInfo = connection.serverMetadata().userinfo_endpoint
      ? await client.fetchUserInfo(connection, tokens.access_token, claims.sub)
      : {};
    return {
      person: readPerson(provider, claims.sub, { idToken: claims, userInfo }),
      sid: typeof claims.sid === 'string' ? claims.sid : undefined,
      idToken: tokens.id_token,
      refreshToken: tokens.refresh_token,
    };
  });
  if (!signedIn) return refuse('code or token not valid');
  try {
    return await openProviderSession(context, admit, signedIn, place);
  } catch (error) {
    if (!(error instanceof AppError && NOT_ADMITTED.includes(error.code))) throw error;
    const reason = typeof error.cause === 'string' ? error.cause : error.message;
    return refuse(reason, NOT_ALLOWED, signedIn.person.subject);
  }
}

/** Ends a transaction without a trace. */
class Undone extends Error {}

/** Counts an answer and uses it up: a blocked one leaves no row, and one that was used before is not counted. */
async function takeAnswer(
  platform: Platform,
  answer: ProviderAnswer,
  attempt: StepAttempt,
): Promise<'first' | 'used' | 'blocked'> {
  const take = async (trx: Trx) => {
    if (!(await countStepAttempt(trx, attempt))) return 'blocked';
    if (!(await isFirstUse(trx, attempt.now, answer))) throw new Undone();
    return 'first';
  };
  try {
    return await platform.transaction().execute(take);
  } catch (error) {
    if (error instanceof Undone) return 'used';
    throw error;
  }
}

async function refuseSignIn(
  context: Context,
  actor: Actor,
  changes: { provider: string; reason: string; subject?: string },
  message: string | undefined,
): Promise<never> {
  const kind = `${changes.provider}: ${changes.reason} ${addressSubject(actor.address)}`;
  await auditRepeated(context, kind, actor, 'auth.sign-in-failed', changes);
  throw new AppError('sign-in-refused', message === undefined ? {} : { message });
}

/** What a provider has said at a sign-in. */
interface ProviderSignIn {
  person: ProviderPerson;
  sid: string | undefined;
  idToken: string;
  refreshToken: string | undefined;
}

/** Opens the session with its audit entry, if the person may sign in: all of it in one transaction, or nothing. */
async function openProviderSession(
  context: Context,
  admit: Admit,
  { person, sid, idToken, refreshToken }: ProviderSignIn,
  place: SignInPlace,
): Promise<SessionResult> {
  const { provider, subject } = person;
  const now = context.now();
  const key = context.keys.providerTokens;
  return context.platform.transaction().execute(async (trx) => {
    const byProvider: Actor = { id: null, name: provider.name, address: place.address };
    const { userId, events } = await admit(context, trx, byProvider, person);
    const user = await findUserById(trx, userId);
    if (!user?.isActive) throw new AppError('sign-in-refused', {}, { cause: 'inactive user' });
    const session = newSignInSession(context, user, place);
    // Without a refresh token the provider cannot be asked again.
    const short = refreshToken === undefined && { expiresAt: inSeconds(now, ACCESS_TOKEN_SECONDS) };
    await insertSession(trx, { ...session.row, ...short });
    await insertProviderSession(trx, {
      sessionId: session.row.id,
      issuer: provider.issuer,
      subject,
      sid: sid ?? null,
      refreshToken: refreshToken === undefined ? null : encrypt(key, refreshToken),
      idToken: encrypt(key, idToken),
      checkedAt: now,
      askingSince: null,
    });
    const actor = { id: user.id, name: nameOf(user), address: place.address };
    const changes = { provider: provider.name };
    const opened = { actor, action: 'auth.sign-in', entity: 'users', entityId: user.id, changes };
    await appendAudits(context, trx, [...events, opened]);
    await settleAttempts(trx, place.address, null, ANSWER);
    return session.answer();
  });
}
