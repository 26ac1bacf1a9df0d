import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@apotheca/contract/second-factors';
import type { RelyingParty } from './relying-party.ts';

/** What verifying a signature needs to know of a passkey. */
export interface KnownPasskey {
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
}

/** A passkey belongs to the product under this name. */
const NAME = 'Apotheca';

/** How long the browser waits for the person, in milliseconds. */
const TIMEOUT = 120_000;

/** Of signatures, most wanted first (RFC 9053): EdDSA, ES256, RS256. What Node only has as an experiment is not among them. */
const ALGORITHMS = [-8, -7, -257];

/** What a browser needs to make a passkey: one that can be found without a name, and asks who is there. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  user: { id: string; name: string; displayName: string },
  existing: readonly Pick<KnownPasskey, 'credentialId' | 'transports'>[],
): Promise<PasskeyCreation> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.name,
    userDisplayName: user.displayName,
    timeout: TIMEOUT,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: existing.map(asDescriptor),
  });
  return options as PasskeyCreation;
}

/** What a browser needs to ask for a passkey. @param allowed absent: any of this console */
export async function requestOptions(
  { id: rpID }: RelyingParty,
  allowed: readonly Pick<KnownPasskey, 'credentialId' | 'transports'>[] | undefined,
): Promise<PasskeyRequest> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    timeout: TIMEOUT,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(asDescriptor) }),
  });
  return options as PasskeyRequest;
}

/** The passkey that a browser has made; undefined if it did not answer this challenge here. */
export async function verifyCreation(
  { id, origin }: RelyingParty,
  challenge: string,
  made: PasskeyAttestation,
): Promise<KnownPasskey | undefined> {
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...made, response: { ...made.response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refused);
  if (!verified || !registrationInfo) return undefined;
  const { credential } = registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: made.response.transports ?? [],
  };
}

/** The new counter of a passkey that has signed this challenge here; undefined if it has not, or if its counter went back. */
export async function verifyAssertion(
  { id, origin }: RelyingParty,
  challenge: string,
  passkey: KnownPasskey,
  { response: { userHandle, ...signed }, ...assertion }: PasskeyAssertion,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await webauthn();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      ...assertion,
      response: { ...signed, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(refused);
  return verified ? authenticationInfo?.newCounter : undefined;
}

/** The library throws on whatever is wrong with an answer. It asks nobody, so there is no other reason. */
const refused = () => ({ verified: false as const, registrationInfo: undefined, authenticationInfo: undefined });

const asDescriptor = ({ credentialId: id, transports }: Pick<KnownPasskey, 'credentialId' | 'transports'>) => ({
  id,
  transports,
});

/** Loaded when it is needed: it knows every format of certificates. */
const webauthn = () => import('@simplewebauthn/server');
