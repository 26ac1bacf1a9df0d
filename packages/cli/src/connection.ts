import { Apotheca, ApothecaError, type CallOptions, type Session } from '@apotheca/client';
import type { Command } from 'commander';
import { NotSignedInError } from './not-signed-in-error.ts';
import type { Output } from './output.ts';
import { progressOf } from './progress.ts';
import { ask, askSecret, isInteractive } from './prompts.ts';
import { forgetSession, keepSession, readSession, refreshAlone, replaceSession } from './session-file.ts';
import { UsageError } from './usage-error.ts';
import { WaitError } from './wait-error.ts';

const LOCAL = 'http://127.0.0.1:3000';

/** The options of every command. */
interface GlobalOptions {
  url?: string;
  json?: true;
  progress?: boolean;
}

/** What a command works with. */
export interface Connection {
  apotheca: Apotheca;
  output: Output;
  /**
   * Makes a call, also one that takes long, of which progress is told. Where it wants a fresh proof of who calls, that is asked for on the
   * terminal, and the call is made again.
   * @throws WaitError where what it has started goes on
   */
  run<T>(call: (options: CallOptions) => Promise<T>): Promise<T>;
}

/**
 * The client of a command: with the API key of the environment, or with the kept session. A key goes where the command is told, else to this
 * machine: it is a program's, to which it does not matter where somebody has signed in.
 * @throws NotSignedInError without both
 * @throws UsageError where the kept session is one of another server
 */
export async function connect(command: Command): Promise<Connection> {
  const options = optionsOf(command);
  const key = process.env.APOTHECA_API_KEY;
  const apotheca = key ? new Apotheca({ url: options.url ?? LOCAL, key }) : await signedIn(options.url);
  if (!apotheca) throw new NotSignedInError('Sign in first: apotheca sign-in, or set APOTHECA_API_KEY.');
  return { apotheca, output: outputOf(command), run: (call) => runCall(apotheca, call, options.progress) };
}

/** How a command prints. */
export const outputOf = (command: Command): Output => ({
  isJson: command.optsWithGlobals<GlobalOptions>().json === true,
});

/** Signs in and keeps the session. */
export async function signIn(
  command: Command,
  username: string | undefined,
): Promise<{ url: string; username: string }> {
  const url = optionsOf(command).url ?? (await readSession())?.url ?? LOCAL;
  const apotheca = new Apotheca({ url, onSession: (session) => session && keepSession({ url, session }) });
  if (username === undefined && !isInteractive()) throw new UsageError('Name the user with --username.');
  // Before the password is typed.
  if (isInteractive()) process.stderr.write(`Signing in to ${url}.\n`);
  const name = username ?? (await ask('User name: '));
  const person = await apotheca.signIn(name, await askSecret('Password: '), async () => askForCode());
  return { url, username: person.username };
}

/**
 * Ends the kept session and forgets it and its server, even if an API key is set: that is no sign-in.
 * @throws NotSignedInError where none is kept, but for the server of one that has ended, which is forgotten too
 * @throws UsageError where it is one of another server
 */
export async function signOut(command: Command): Promise<void> {
  const kept = await keptSession(optionsOf(command).url);
  if (!kept) {
    await forgetSession();
    throw new NotSignedInError('Nobody is signed in.');
  }
  await new Apotheca(kept).signOut();
  await forgetSession(kept.session);
}

/** The options of a command, with the address as it is kept: without a slash at its end. @throws UsageError where it is none of a server */
function optionsOf(command: Command): GlobalOptions {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { url } = options;
  if (url === undefined) return options;
  if (/^https?:/.test(url) && URL.canParse(url)) return { ...options, url: url.replace(/\/$/, '') };
  throw new UsageError(`'${url}' is no address such as https://console.example.com: mend --url or APOTHECA_URL.`);
}

/** The kept session; undefined: there is none. @param wanted where the server is; absent: where the session is of */
async function keptSession(wanted: string | undefined): Promise<{ url: string; session: Session } | undefined> {
  const kept = await readSession();
  if (!kept?.session) return undefined;
  const { url, session } = kept;
  if (wanted !== undefined && wanted !== url) throw new UsageError(`You are signed in to ${url}, not to ${wanted}.`);
  return { url, session };
}

/** A client with the kept session; undefined: there is none. */
async function signedIn(wanted: string | undefined): Promise<Apotheca | undefined> {
  const kept = await keptSession(wanted);
  if (!kept) return undefined;
  const { url, session } = kept;
  return new Apotheca({
    url,
    session,
    onSession: (next, before) => replaceSession(url, before ?? session, next),
    refreshAlone: (refresh) => refreshAlone(url, refresh),
  });
}

async function askForCode(): Promise<{ method: 'totp' | 'recovery'; code: string }> {
  if (!isInteractive()) throw new UsageError('A second factor is needed: sign in on a terminal, or use an API key.');
  const code = (await ask('Code of the authenticator app, or a recovery code: ')).trim();
  // Apps show it in two halves.
  const digits = code.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? { method: 'totp', code: digits } : { method: 'recovery', code };
}

async function runCall<T>(
  apotheca: Apotheca,
  call: (options: CallOptions) => Promise<T>,
  isProgressWanted: boolean | undefined,
): Promise<T> {
  const progress = progressOf(isProgressWanted);
  let running: string | undefined;
  const options: CallOptions = {
    onStart: (operationId) => {
      running = operationId;
    },
    onProgress: (operation) => {
      running = operation.state === 'queued' || operation.state === 'running' ? operation.id : undefined;
      progress.onProgress?.(operation);
    },
  };
  try {
    return await call(options).catch(async (error: unknown) => {
      const isProofNeeded = error instanceof ApothecaError && error.title === 'Proof needed';
      if (!isProofNeeded || !isInteractive()) throw error;
      await prove(apotheca);
      return call(options);
    });
  } catch (error) {
    throw running ? new WaitError(running, error) : error;
  } finally {
    progress.end();
  }
}

async function prove(apotheca: Apotheca): Promise<void> {
  const { result: ways } = await apotheca.call('account.proofWays');
  if (!ways.password) throw new UsageError('Please sign in again: this needs a fresh proof of who you are.');
  const password = await askSecret('Your password, as this destroys data or gives rights: ');
  const code = ways.code ? (await askForCode()).code : undefined;
  await apotheca.call('account.prove', { body: { password, ...(code !== undefined && { code }) } });
}
