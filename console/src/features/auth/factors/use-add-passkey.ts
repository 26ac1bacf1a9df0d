import { startRegistration } from '@simplewebauthn/browser';
import { useAddPasskeyMutation, useBeginPasskeyMutation } from '../../../api/factors.ts';
import { passkeyError } from '../../../transport/passkey-error.ts';
import type { Named } from './factor-dialog.ts';

/** Adds a passkey: asks the server for a challenge, the person for a passkey, and the server to keep it. */
export function useAddPasskey() {
  const [begin] = useBeginPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  return async (name: string): Promise<Named> => {
    const begun = await begin();
    if (!begun.data?.result) return { error: begun.error };
    const { token, options } = begun.data.result;
    const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
    const made = await startRegistration({ optionsJSON }).catch((reason) => ({ error: passkeyError(reason) }));
    if ('error' in made) return made;
    const { id, rawId, type, response } = made;
    const { clientDataJSON, attestationObject, transports = [] } = response;
    const credential = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
    const { data, error } = await add({ token, name, credential });
    return data ? { message: data.message, codes: data.result?.recoveryCodes ?? null } : { error };
  };
}
