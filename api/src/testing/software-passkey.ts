import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@apotheca/contract/second-factors';

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** How an answer differs from what a browser and its authenticator would give. */
interface Differences {
  origin?: string;
  rpId?: string;
  challenge?: string;
  flags?: number;
  counter?: number;
  type?: string;
}

/** A passkey of the algorithm ES256, as an authenticator of WebAuthn makes and uses it. */
export class SoftwarePasskey {
  readonly id = randomBytes(16).toString('base64url');
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle = '';
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create({ challenge, rp, user }: PasskeyCreation, differences: Differences = {}): PasskeyAttestation {
    this.#userHandle = user.id;
    const { flags = USER_PRESENT | USER_VERIFIED, rpId = rp.id } = differences;
    const rawId = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(rawId.length);
    const authData = Buffer.concat([
      this.#head(rpId, flags | HAS_CREDENTIAL, 0),
      Buffer.alloc(16),
      length,
      rawId,
      this.#publicKey(),
    ]);
    // CBOR: { fmt: 'none', attStmt: {}, authData }
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge, differences).toString('base64url');
    const response = { clientDataJSON, attestationObject: attestationObject.toString('base64url') };
    return { id: this.id, rawId: this.id, type: 'public-key', response };
  }

  sign({ challenge, rpId }: PasskeyRequest, differences: Differences = {}): PasskeyAssertion {
    this.#counter = differences.counter ?? this.#counter + 1;
    const flags = differences.flags ?? USER_PRESENT | USER_VERIFIED;
    const authenticatorData = this.#head(differences.rpId ?? rpId, flags, this.#counter);
    const clientData = this.#clientData('webauthn.get', challenge, differences);
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: this.#userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, differences: Differences): Buffer {
    const data = { type, challenge, origin: this.#origin, crossOrigin: false };
    return Buffer.from(JSON.stringify({ ...data, ...definedOf(differences, ['type', 'challenge', 'origin']) }));
  }

  #head(rpId: string, flags: number, counter: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }

  /** As a COSE key: { 1: EC2, 3: ES256, -1: P-256, -2: x, -3: y } */
  #publicKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 32]),
      Buffer.from(y, 'base64url'),
    ]);
  }
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();

const definedOf = (differences: Differences, keys: readonly (keyof Differences)[]) =>
  Object.fromEntries(keys.flatMap((key) => (differences[key] === undefined ? [] : [[key, differences[key]]])));
