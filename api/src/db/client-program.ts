import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * What pg_dump and pg_restore say when PostgreSQL went away under them, has no connection left, or cannot be reached. Where it answers
 * FATAL to a connection for another reason, such as a wrong password, it is there, and will say the same again.
 */
const AWAY = new RegExp(
  [
    'server closed the connection|terminating connection|the database system is',
    'too many (clients|connections)|remaining connection slots',
    'connection to server .* failed: (?!FATAL)',
  ].join('|'),
);
const CONNECTION_FAILURE = '08006';

export interface ProgramOptions {
  /** Variables besides those of this process. */
  environment?: Record<string, string>;
  /** Ends the program. */
  signal?: AbortSignal;
  /** Is told each line of the error output, where --verbose tells the progress. */
  onLine?(line: string): void;
  /** Takes the output; without it there is none. */
  onOutput?(chunk: Buffer): void;
}

/** A client program ended with a failure; the message is what it said of it, without values of rows. */
export class ProgramError extends Error {}

/**
 * Runs a client program of PostgreSQL to its end.
 * @throws ProgramError; the signal's reason; an error of class 08 when PostgreSQL went away, so that operations are begun anew
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<void> {
  const { environment, signal, onLine, onOutput } = options;
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    stdio: ['ignore', onOutput ? 'pipe' : 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...environment },
  });
  const kill = () => child.kill();
  signal?.addEventListener('abort', kill);
  const complaints: string[] = [];
  const onError = (line: string) => {
    onLine?.(line);
    // Lines of context may hold values of rows.
    if (/(error|ERROR|FATAL): /.test(line)) complaints.push(line);
  };
  if (child.stderr) createInterface({ input: child.stderr }).on('line', onError);
  if (onOutput) child.stdout?.on('data', onOutput);
  try {
    const code = await new Promise<number | null>((fulfil, reject) => {
      child.once('error', reject);
      child.once('close', fulfil);
    });
    signal?.throwIfAborted();
    if (code !== 0) throw failure(complaints.slice(-3).join(' ') || `${program} ended with code ${code}.`);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function failure(message: string): Error {
  return AWAY.test(message)
    ? Object.assign(new Error(message), { code: CONNECTION_FAILURE })
    : new ProgramError(message);
}

/**
 * How a client program reaches a database: the password goes through the environment, because everybody on the machine may read
 * command lines.
 * @param url connection string
 */
export function addressOf(url: string): { address: string; environment: Record<string, string> } {
  const target = new URL(url);
  const password = decodeURIComponent(target.password);
  target.password = '';
  return {
    address: target.href,
    environment: { PGAPPNAME: 'apotheca', ...(password !== '' && { PGPASSWORD: password }) },
  };
}
