import type { SessionResult } from '@apotheca/contract/auth';
import { secondStepRoutes } from '@apotheca/contract/second-factors';
import { startAuthentication } from '@simplewebauthn/browser';
import { callSignedOut, type SignInAnswer } from '../../../session/session.ts';
import type { SessionThunk } from '../../../session/session-slice.ts';
import { passkeyError } from '../../../transport/passkey-error.ts';

/**
 * Signs in with a passkey: asks the server for a challenge, the person for a passkey, and the server for a session.
 * @param token of the first step; undefined: the passkey is the only step
 * @returns undefined where the person has given none
 */
export const signInWithPasskey =
  (token: string | undefined): SessionThunk<Promise<SignInAnswer<SessionResult> | undefined>> =>
  async (dispatch) => {
    const asked = await dispatch(
      callSignedOut('passkeyOptions', secondStepRoutes.passkeyOptions, { token: token ?? null }),
    );
    if (!asked.result) return asked;
    const optionsJSON = asked.result.options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
    const signed = await startAuthentication({ optionsJSON }).catch((reason) => ({ error: passkeyError(reason) }));
    if ('error' in signed) return signed.error && { error: signed.error };
    const { id, rawId, type, response } = signed;
    const body = { token: asked.result.token, credential: { id, rawId, type, response } };
    return dispatch(callSignedOut('passkey', secondStepRoutes.passkey, body));
  };
