import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { StartError } from './config.ts';
import { flushToDisk } from './flush-to-disk.ts';

export const storedSecrets = z.object({ secret: z.string(), adminPassword: z.string(), postgresPassword: z.string() });
export type StoredSecrets = z.infer<typeof storedSecrets>;

/**
 * The generated secrets, for where no setting gives them. They are kept in the data folder with mode 0600.
 * @throws StartError when the file cannot be read or written, or is damaged
 */
export async function loadStoredSecrets(dataDir: string): Promise<StoredSecrets> {
  const file = join(dataDir, 'secrets.json');
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new StartError(`Cannot read ${file}: ${error.message}`);
  });
  if (known !== undefined) {
    await removeDrafts(file);
    return parseSecrets(file, known);
  }
  const made: StoredSecrets = {
    secret: randomBytes(32).toString('base64url'),
    adminPassword: randomBytes(9).toString('base64url'),
    postgresPassword: randomBytes(24).toString('base64url'),
  };
  const kept = await writeOnce(file, textOf(made)).catch((error: Error) => {
    throw new StartError(`Cannot write ${file}: ${error.message}`);
  });
  return parseSecrets(file, kept);
}

/** The generated secrets of an installation that there is. @throws StartError where there is none, or the file is damaged */
export async function readStoredSecrets(dataDir: string): Promise<StoredSecrets> {
  const file = join(dataDir, 'secrets.json');
  const known = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`Set APOTHECA_SECRET, or APOTHECA_DATA_DIR to a folder with secrets.json: ${error.message}`);
  });
  return parseSecrets(file, known);
}

/**
 * Keeps the secrets of an installation that is recovered.
 * @throws StartError when the data folder has others
 */
export async function keepSecrets(dataDir: string, secrets: StoredSecrets): Promise<void> {
  const file = join(dataDir, 'secrets.json');
  const kept = parseSecrets(file, await writeOnce(file, textOf(secrets)));
  if (kept.secret !== secrets.secret) throw new StartError(`${file} has the secret of another installation`);
}

const textOf = (secrets: StoredSecrets): string => `${JSON.stringify(secrets, null, 2)}\n`;

/**
 * Writes a file completely, unless it exists already: of several server processes that start at once, one wins. It outlives a failure of
 * power before anything depends on it, such as the password of PostgreSQL's superuser.
 * @returns the file's text
 */
async function writeOnce(file: string, text: string): Promise<string> {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await link(draft, file);
  } catch (error) {
    // ENOENT: the process that won has removed this draft.
    if (!['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await removeDrafts(file);
  }
  await flushToDisk(dirname(file));
  return readFile(file, 'utf8');
}

/** Removes what a process left that was killed while it wrote the file; nothing while there is no such file. */
async function removeDrafts(file: string): Promise<void> {
  const entries = await readdir(dirname(file)).catch((): string[] => []);
  if (!entries.includes(basename(file))) return;
  const drafts = entries.filter((name) => name.startsWith(`${basename(file)}.`) && /\.[0-9a-f]{16}$/.test(name));
  await Promise.all(drafts.map((name) => rm(join(dirname(file), name), { force: true })));
}

function parseSecrets(file: string, text: string): StoredSecrets {
  try {
    return storedSecrets.parse(JSON.parse(text));
  } catch {
    throw new StartError(`${file} is damaged: put its backup back, or remove it together with the whole data folder`);
  }
}

/** The keys that are derived from APOTHECA_SECRET, one for each purpose (RFC 5869). */
export interface Keys {
  /** Signs access tokens. */
  token: Uint8Array;
  /** Chains audit entries. */
  audit: Uint8Array;
  /** Encrypts the passwords of tenants' database roles. */
  databases: Uint8Array;
  /** Signs archives of tenants' databases. */
  archives: Uint8Array;
  /** Encrypts the archive of WAL. */
  walArchive: Uint8Array;
  /** Encrypts mails that wait to be sent. */
  mails: Uint8Array;
  /** Encrypts the addresses and secrets of webhooks. */
  webhooks: Uint8Array;
  /** Encrypts the secrets of authenticator apps. */
  factors: Uint8Array;
  /** Of the HMAC of recovery codes. */
  recoveryCodes: Uint8Array;
  /** Encrypts what a sign-in or a change of factors carries from one call to the next. */
  steps: Uint8Array;
  /** Encrypts what a sign-in by a provider carries through the browser. */
  providerStates: Uint8Array;
  /** Encrypts the tokens of providers. */
  providerTokens: Uint8Array;
  /** Of the HMAC of who said whether an answer was helpful. */
  voters: Uint8Array;
  /** Of the hashes that stand for names typed at a sign-in that nobody has. */
  typedNames: Uint8Array;
  /** Encrypts the way to servers whose databases are to be adopted. */
  adoptions: Uint8Array;
  /** Encrypts the passwords of database servers, and names the administrator's own database there. */
  databaseServers: Uint8Array;
  /** Encrypts the answers that are kept for who sends a call again. */
  answers: Uint8Array;
  /** Of the HMAC by which a call that is sent again is known. */
  keyedCalls: Uint8Array;
  /** Of the keys that browsers encrypt with what is typed and not saved. */
  drafts: Uint8Array;
}

/** Derives a key for each purpose, so that none tells anything of another one or of the secret (HKDF, RFC 5869). @param secret APOTHECA_SECRET */
export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', secret, '', `apotheca ${purpose}`, 32));
  return {
    token: derive('token'),
    audit: derive('audit'),
    databases: derive('databases'),
    archives: derive('archives'),
    walArchive: derive('wal archive'),
    mails: derive('mails'),
    webhooks: derive('webhooks'),
    factors: derive('second factors'),
    recoveryCodes: derive('recovery codes'),
    steps: derive('sign-in steps'),
    providerStates: derive('provider states'),
    providerTokens: derive('provider tokens'),
    voters: derive('voters'),
    typedNames: derive('typed names'),
    adoptions: derive('adoptions'),
    databaseServers: derive('database servers'),
    answers: derive('answers'),
    keyedCalls: derive('keyed calls'),
    drafts: derive('drafts'),
  };
}

/** Encrypts a text with AES-256-GCM. The result is 12 bytes of nonce, 16 bytes of tag, then the cipher text. */
export function encrypt(key: Uint8Array, text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts what {@link encrypt} gave. @throws if the key is another one or the bytes were changed */
export function decrypt(key: Uint8Array, sealed: Buffer): string {
  // Without authTagLength a shorter tag would be accepted, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
}
