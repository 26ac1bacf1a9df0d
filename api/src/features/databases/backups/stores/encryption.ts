import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** The library is loaded when it is first needed: most servers encrypt nothing. */
const library = () => import('age-encryption');

/** The first of several texts that is no recipient of age, counted from 1; undefined: all are. */
export async function findWrongRecipient(recipients: readonly string[]): Promise<number | undefined> {
  if (recipients.length === 0) return undefined;
  const { Encrypter } = await library();
  const wrong = recipients.findIndex((recipient) => {
    try {
      new Encrypter().addRecipient(recipient);
      return false;
    } catch {
      return true;
    }
  });
  return wrong === -1 ? undefined : wrong + 1;
}

/**
 * Encrypts a file in age's format (https://age-encryption.org/v1), for several recipients at once.
 * @param content is opened once the encrypted bytes are asked for, so a store that fails before that leaves nothing open
 * @returns the encrypted bytes, and how many they will be
 */
export async function encryptFor(
  recipients: readonly string[],
  content: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<{ content: AsyncIterable<Uint8Array>; sizeBytes: number }> {
  const { Encrypter } = await library();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const asked = Promise.withResolvers<void>();
  // The encrypter reads ahead as soon as it has a stream.
  const onceAsked = async function* () {
    await asked.promise;
    yield* content;
  };
  const plain = Readable.toWeb(Readable.from(onceAsked())) as globalThis.ReadableStream<Uint8Array>;
  const encrypted = await encrypter.encrypt(plain);
  const ask = async function* () {
    asked.resolve();
    yield* encrypted as ReadableStream<Uint8Array>;
  };
  return { content: ask(), sizeBytes: encrypted.size(sizeBytes) };
}

/** The operator's keys: what opens files that were encrypted for their public halves. */
export interface Identities {
  /** The public halves. */
  recipients: readonly string[];
  /** @throws Error when none of the keys opens it, or, in mid-stream, when it was changed or cut */
  decrypt(content: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>>;
}

/**
 * Reads a file of keys as age-keygen writes it.
 * @throws Error whose message repeats nothing of the file
 */
export async function readIdentities(text: string): Promise<Identities> {
  const { Decrypter, identityToRecipient } = await library();
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new Error('it has no key');
  const decrypter = new Decrypter();
  try {
    for (const key of keys) decrypter.addIdentity(key);
    const recipients = await Promise.all(keys.map((key) => identityToRecipient(key)));
    return {
      recipients,
      async decrypt(content) {
        const encrypted = Readable.toWeb(Readable.from(content)) as globalThis.ReadableStream<Uint8Array>;
        return (await decrypter.decrypt(encrypted)) as ReadableStream<Uint8Array>;
      },
    };
  } catch {
    throw new Error('it is no key of age (AGE-SECRET-KEY-1…)');
  }
}
