import { openIdConnectRoutes } from '@apotheca/contract/openid-connect';
import { newBrowserSecret } from '../../../lib/browser-secret.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { leaveFor } from '../../../lib/leave-for.ts';
import { callContext } from '../../../session/call-context.ts';
import { beginSession } from '../../../session/session.ts';
import type { SessionThunk } from '../../../session/session-slice.ts';
import { type ApiError, clientError } from '../../../transport/api-error.ts';
import { send } from '../../../transport/transport.ts';

/** What this tab keeps while its user is at a provider. */
interface KeptSignIn {
  provider: string;
  /** The secret that binds the sign-in to this tab: the server knows its hash. */
  verifier: string;
  /** The one of the provider's page, by which its answer is known again. Absent from what an older console has kept. */
  state: string | undefined;
  /** Where the guards lead after the sign-in: the state of the sign-in page. */
  left: unknown;
}

const KEY = 'apotheca-provider-sign-in';

/** Begins a sign-in, and leaves for the provider's page. @returns why that failed */
export const beginAtProvider =
  (provider: string, left: unknown): SessionThunk<Promise<ApiError | undefined>> =>
  async (dispatch, getState) => {
    const { verifier, challenge } = await newBrowserSecret();
    const call = { route: openIdConnectRoutes.beginSignIn, body: { provider, challenge } };
    const { data, error } = await send(call, '', callContext('beginSignIn', dispatch, getState));
    if (error) return error;
    const answer = openIdConnectRoutes.beginSignIn.result.safeParse(data.result);
    if (!answer.success) return clientError('PARSING_ERROR');
    const { url } = answer.data;
    keep({ provider, verifier, state: new URL(url).searchParams.get('state') ?? '', left });
    leaveFor(url);
    return undefined;
  };

function keep(signIn: KeptSignIn): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(signIn));
  } catch {
    // Where storage is forbidden, the way back says that the sign-in is lost.
  }
}

/** Takes what this tab has kept: it counts once. */
export function takeKeptSignIn(): KeptSignIn | undefined {
  const read = takeItem();
  if (!isRecord(read)) return undefined;
  const { provider, verifier, state, left } = read;
  if (typeof provider !== 'string' || typeof verifier !== 'string') return undefined;
  return { provider, verifier, state: typeof state === 'string' ? state : undefined, left };
}

function takeItem(): unknown {
  try {
    const kept = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return JSON.parse(kept ?? 'null');
  } catch {
    return undefined;
  }
}

/** Hands a provider's answer over, and starts the session. @returns why that failed */
export const finishAtProvider =
  (
    { provider, verifier }: KeptSignIn,
    { code, state, iss }: { code: string; state: string; iss: string | null },
  ): SessionThunk<Promise<ApiError | undefined>> =>
  async (dispatch, getState) => {
    const call = { route: openIdConnectRoutes.finishSignIn, body: { provider, verifier, code, state, iss } };
    const { data, error } = await send(call, '', callContext('finishSignIn', dispatch, getState));
    if (error) return error;
    const answer = openIdConnectRoutes.finishSignIn.result.safeParse(data.result);
    const hasBegun = answer.success && dispatch(beginSession(answer.data));
    return hasBegun ? undefined : clientError('PARSING_ERROR');
  };
