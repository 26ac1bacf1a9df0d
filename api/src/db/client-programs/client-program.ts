import { spawn } from 'node:child_process';
import { KEEP_ALIVE_IDLE } from '../connections/session-settings.ts';
import { childEnvironment, confined } from './confinement.ts';
import { LONGEST_MESSAGE, lineCutter } from './program-output.ts';

/**
 * What pg_dump and pg_restore say when PostgreSQL went away under them or has no connection left. Where it answers FATAL to a
 * connection for another reason, such as a wrong password, it is there, and will say the same again.
 */
const AWAY =
  /server closed the connection|terminating connection|the database system is|too many (?:clients|connections)|remaining connection slots/;
const CONNECTION_FAILURE = '08006';
/** Lines that a failure is told with, each cut to its share of a message. */
const COMPLAINTS = 3;
const SHARE = Math.floor(LONGEST_MESSAGE / COMPLAINTS);
/** Bytes of a program's error output after which it is ended: --verbose says a line or two for each entry of an archive. */
const MOST_SAID = 4 * 1024 * 1024;
/** Path of a program's third open file. */
export const THIRD_FILE = '/dev/fd/3';
/** How long a program may take to end when it is told to, in milliseconds. */
const GRACE = 5_000;

/** What strerror(3) says of a full disk; behind 'ERROR: ' it is PostgreSQL that says it. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

export interface ProgramOptions {
  /** Variables besides those that every program is given. */
  environment?: Record<string, string>;
  /** Ends the program. */
  signal?: AbortSignal;
  /** How long it may take, in milliseconds. Absent: as long as it needs. */
  deadline?: number;
  /** Is told each line of the error output, where --verbose tells the progress. */
  onLine?(line: string): void;
  /** Takes the output; without it there is none. */
  onOutput?(chunk: Buffer): void;
  /** Open files that the program goes on with, as it has no right to any folder. */
  files?: {
    input?: number;
    output?: number;
    /** Which it may open anew as {@link THIRD_FILE}; everybody may read it. */
    third?: number;
  };
}

/**
 * A client program ended with a failure; the message is what it said of it, without values of rows, cut to 2 KB. Where that is that
 * PostgreSQL went away, the code is one of class 08.
 */
export class ProgramError extends Error {}

/**
 * Runs a client program of PostgreSQL to its end, without rights where the server is root. What it says may be an archive's making, so no line and no message is held whole.
 * @throws ProgramError; the signal's reason
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<void> {
  const { environment, onLine, onOutput, files = {} } = options;
  const tooMuch = new AbortController();
  const { signal, release } = stopSignal(options, tooMuch.signal);
  signal.throwIfAborted();
  const { command, args: allArgs, options: account } = await confined(program, args);
  const third = files.third === undefined ? [] : [files.third];
  const child = spawn(command, allArgs, {
    ...account,
    stdio: [files.input ?? 'ignore', onOutput ? 'pipe' : (files.output ?? 'ignore'), 'pipe', ...third],
    env: childEnvironment(environment),
  });
  let force: NodeJS.Timeout | undefined;
  const kill = () => {
    child.kill();
    force = setTimeout(() => child.kill('SIGKILL'), GRACE);
  };
  signal.addEventListener('abort', kill);
  const complaints: string[] = [];
  const take = lineCutter((line) => {
    onLine?.(line);
    // Lines of context may hold values of rows.
    if (/(error|ERROR|FATAL): /.test(line) && complaints.push(line.slice(0, SHARE)) > COMPLAINTS) complaints.shift();
  });
  let said = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.length;
    if (said <= MOST_SAID) take(chunk);
    else tooMuch.abort(new ProgramError('It was ended because it said more than 4 MiB of errors and warnings.'));
  });
  if (onOutput) child.stdout?.on('data', onOutput);
  try {
    const code = await new Promise<number | null>((fulfil, reject) => {
      child.once('error', reject);
      child.once('close', fulfil);
    });
    signal.throwIfAborted();
    if (code !== 0) throw failure(complaints.join(' ') || `${program} ended with code ${code}.`);
  } finally {
    signal.removeEventListener('abort', kill);
    clearTimeout(force);
    release();
  }
}

/** Aborted by whatever ends a program before its own end. */
function stopSignal({ signal, deadline }: ProgramOptions, tooMuch: AbortSignal) {
  const late = new AbortController();
  const minutes = Math.ceil((deadline ?? 0) / 60_000);
  const end = () =>
    late.abort(
      new ProgramError(`It was ended because it took longer than ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`),
    );
  const timer = deadline === undefined ? undefined : setTimeout(end, deadline);
  return {
    signal: AbortSignal.any([late.signal, tooMuch, ...(signal ? [signal] : [])]),
    release: () => clearTimeout(timer),
  };
}

function failure(message: string): Error {
  const error = new ProgramError(message);
  if (AWAY.test(message) || isUnreachable(message)) return Object.assign(error, { code: CONNECTION_FAILURE });
  if (!DISK_FULL.test(message)) return error;
  return Object.assign(error, { code: /ERROR: .*(No space left|Disk quota)/.test(message) ? '53100' : 'ENOSPC' });
}

/** Whether libpq says that it could not connect, for another reason than PostgreSQL's refusal. */
function isUnreachable(message: string): boolean {
  const [, ...reasons] = message.split(' failed: ');
  return message.includes('connection to server ') && reasons.some((reason) => !reason.startsWith('FATAL'));
}

/**
 * How a client program reaches a database: the password goes through the environment, because everybody on the machine may read
 * command lines.
 * @param url connection string
 */
export function addressOf(url: string): { address: string; environment: Record<string, string> } {
  const target = new URL(url);
  // As node-pg does.
  const password = decodeURIComponent(target.password) || (process.env.PGPASSWORD ?? '');
  target.password = '';
  // As node-pg asks for signs of life (session-settings.ts); libpq would after two hours.
  target.searchParams.set('keepalives_idle', String(KEEP_ALIVE_IDLE));
  target.searchParams.set('connect_timeout', '10');
  return {
    address: target.href,
    environment: { PGAPPNAME: 'apotheca', ...(password !== '' && { PGPASSWORD: password }) },
  };
}
