import type { BodyInput } from '@apotheca/contract/route';
import type { ownFactorRoutes } from '@apotheca/contract/second-factors';
import { startRegistration } from '@simplewebauthn/browser';
import { useRef } from 'react';
import { useAddPasskeyMutation, useBeginPasskeyMutation } from '../../../api/factors.ts';
import { type ApiError, isApiError, isUnsure } from '../../../transport/api-error.ts';
import { passkeyError } from '../../../transport/passkey-error.ts';
import type { Named } from './factor-dialog.ts';

type MadePasskey = Omit<BodyInput<typeof ownFactorRoutes.addPasskey>, 'name'>;

/**
 * Adds a passkey: asks the server for a challenge, the person for a passkey, and the server to keep it. Where the server did not say
 * whether it keeps it, the next attempt sends the same passkey: the device has it already, and would make no other.
 */
export function useAddPasskey() {
  const make = useMakePasskey();
  const [add] = useAddPasskeyMutation();
  const unsure = useRef<MadePasskey>(undefined);
  return async (name: string): Promise<Named> => {
    const made = unsure.current ?? (await make());
    if ('error' in made) return made;
    const { data, error } = await add({ ...made, name });
    unsure.current = isApiError(error) && isUndecided(error) ? made : undefined;
    return data ? { message: data.message, codes: data.result?.recoveryCodes ?? null } : { error };
  };
}

function useMakePasskey() {
  const [begin] = useBeginPasskeyMutation();
  return async (): Promise<MadePasskey | { error: unknown }> => {
    const begun = await begin();
    if (!begun.data?.result) return { error: begun.error };
    const { token, options } = begun.data.result;
    const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON'];
    const made = await startRegistration({ optionsJSON }).catch((reason) => ({ error: passkeyError(reason) }));
    if ('error' in made) return made;
    const { id, rawId, type, response } = made;
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { token, credential: { id, rawId, type, response: { clientDataJSON, attestationObject, transports } } };
  };
}

const isUndecided = (error: ApiError): boolean => isUnsure(error) || Number(error.status) >= 500;
