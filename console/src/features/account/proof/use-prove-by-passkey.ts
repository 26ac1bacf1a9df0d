import { startAuthentication } from '@simplewebauthn/browser';
import { useBeginPasskeyProofMutation, useProveByPasskeyMutation } from '../../../api/account.ts';
import { passkeyError } from '../../../transport/passkey-error.ts';

/**
 * Proves by a passkey: asks the server for a challenge, the person for a passkey, and the server to accept it.
 * @returns undefined where the person has given none
 */
export function useProveByPasskey() {
  const [begin] = useBeginPasskeyProofMutation();
  const [prove] = useProveByPasskeyMutation();
  return async (): Promise<{ error?: unknown } | undefined> => {
    const begun = await begin();
    if (!begun.data?.result) return { error: begun.error };
    const { token, options } = begun.data.result;
    const optionsJSON = options as Parameters<typeof startAuthentication>[0]['optionsJSON'];
    const signed = await startAuthentication({ optionsJSON }).catch((reason) => ({ error: passkeyError(reason) }));
    if ('error' in signed) return signed.error && signed;
    const { id, rawId, type, response } = signed;
    return prove({ token, credential: { id, rawId, type, response } });
  };
}
