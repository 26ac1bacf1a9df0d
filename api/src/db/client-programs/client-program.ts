import { spawn } from 'node:child_process';
import type { FileHandle } from 'node:fs/promises';
import { inSpan } from '../../tracing/tracing.ts';
import { KEEP_ALIVE_ASKING, KEEP_ALIVE_IDLE } from '../connections/session-settings.ts';
import { verifyAsNodeDoes } from '../connections/tls.ts';
import { isDatabaseAway, isOverloaded, isReported } from '../errors/postgres-errors.ts';
import { withoutValues } from '../errors/quoted-values.ts';
import { childEnvironment, confined } from './confinement.ts';
import { LONGEST_MESSAGE, lineCutter } from './program-output.ts';

/**
 * What pg_dump and pg_restore print when PostgreSQL went away, has no connection left or takes no writes. Other FATAL answers, as to a wrong
 * password, come from a PostgreSQL that is there and would answer the same again.
 */
const AWAY =
  /server closed the connection|SSL connection has been closed|SSL SYSCALL error|unexpected eof while reading|could not (?:receive data from|send data to) server|terminating connection|the database system is|too many (?:clients|connections)|remaining connection slots|in a read-only transaction/;
const CONNECTION_FAILURE = '08006';
/** How many lines of errors a failure's message holds, each cut to its share. */
const MOST_ERRORS = 3;
const SHARE = Math.floor(LONGEST_MESSAGE / MOST_ERRORS);
/** A program with more bytes of error output is ended. With --verbose it prints a line or two for each entry of an archive. */
const MOST_OUTPUT = 4 * 1024 * 1024;
/** Path under which a program can open its third file. */
export const THIRD_FILE = '/dev/fd/3';
/** Path under which a program can open the file of its output. */
const OUTPUT_FILE = '/dev/stdout';
/** How long a program may take to end after SIGTERM, in milliseconds. */
const GRACE = 5_000;
/** How often the server of a program is asked for a sign of life, in milliseconds. */
const ASK_INTERVAL = 10_000;
/** After how many questions without an answer in a row it counts as silent: one may be lost on a busy machine. */
const MISSES = 2;

/** What strerror(3) says about a full disk; after 'ERROR: ' it is PostgreSQL's disk. */
const DISK_FULL = /No space left on device|Disk quota exceeded/;

/** What is said of an error: also what pg_dump says of a connection that is lost while it reads rows, where its error only names the table. */
const ERROR = /(error|ERROR|FATAL): |^pg_dump: detail: Error message from server: /;

/** Lines about the row or the statement that an error comes from. */
const OF_ROWS = /^(CONTEXT|DETAIL|HINT|STATEMENT|QUERY|Command was):/;

export interface ProgramOptions {
  /** Variables in addition to those that every program gets. */
  environment?: Record<string, string>;
  /** Ends the program. */
  signal?: AbortSignal;
  /**
   * Asks its server for a sign of life: of one that falls silent libpq finds out after many minutes, or never where a proxy keeps the link open.
   * Absent: something else watches that server.
   */
  ask?: (() => Promise<unknown>) | undefined;
  /** How long it may take, in milliseconds. Absent: as long as it needs. */
  deadline?: number;
  /** Is called with each line of the error output, which with --verbose shows the progress. */
  onLine?(line: string): void;
  /** An error that is none, the first time. The program has to go on after errors for that; any other one ends it. */
  harmless?: RegExp | undefined;
  /** Is called with the output; absent: the output goes to a file, or nowhere. */
  onOutput?(chunk: Buffer): void;
  /** Descriptors of open files that the program inherits, as it has no right to any folder. */
  files?: {
    input?: number;
    output?: number;
    /** The program may open it again as {@link THIRD_FILE}; everybody may read it. */
    third?: number;
  };
}

/**
 * A client program failed. The message is what it printed, without values of rows, cut to 2 KB. If PostgreSQL went away, `code` is
 * an SQLSTATE of class 08.
 */
export class ProgramError extends Error {}

/**
 * Runs a client program of PostgreSQL to its end, without rights where the server is root. A hostile archive may decide what it
 * prints, so long lines and messages are cut.
 * @throws ProgramError; the signal's reason; why its server has given no sign of life
 */
export async function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<void> {
  const { environment, onLine, onOutput, harmless, files = {} } = options;
  const { command, args: allArgs, options: account } = await confined(program, args);
  // Nothing is awaited between this check and the listener, so no cancellation is missed.
  options.signal?.throwIfAborted();
  const third = files.third === undefined ? [] : [files.third];
  const child = spawn(command, allArgs, {
    ...account,
    stdio: [files.input ?? 'ignore', onOutput ? 'pipe' : (files.output ?? 'ignore'), 'pipe', ...third],
    env: childEnvironment(environment),
  });
  const tooMuch = new AbortController();
  const { signal, release } = stopSignal(options, tooMuch.signal);
  let force: NodeJS.Timeout | undefined;
  const kill = () => {
    child.kill();
    force = setTimeout(() => child.kill('SIGKILL'), GRACE);
  };
  signal.addEventListener('abort', kill);
  const errors: string[] = [];
  let isForgiven = false;
  const take = lineCutter((line) => {
    onLine?.(line);
    // Other lines may hold values of rows, which may look like an error themselves.
    if (!ERROR.test(line) || OF_ROWS.test(line)) return;
    if (!isForgiven && harmless?.test(line)) {
      isForgiven = true;
      return;
    }
    if (errors.push(withoutValues(line).slice(0, SHARE)) > MOST_ERRORS) errors.shift();
    if (harmless) tooMuch.abort(failure(errors.join(' ')));
  });
  let outputSize = 0;
  child.stderr?.on('data', (chunk: Buffer) => {
    outputSize += chunk.length;
    if (outputSize <= MOST_OUTPUT) take(chunk);
    else tooMuch.abort(new ProgramError('It was ended because it said more than 4 MiB of errors and warnings.'));
  });
  if (onOutput) child.stdout?.on('data', onOutput);
  try {
    const { code, endedBy } = await new Promise<{ code: number | null; endedBy: NodeJS.Signals | null }>(
      (fulfil, reject) => {
        child.once('error', reject);
        child.once('close', (code, endedBy) => fulfil({ code, endedBy }));
      },
    );
    signal.throwIfAborted();
    if (endedBy !== null) throw failure([...errors, `It was ended by ${endedBy}.`].join(' '));
    // It counts what was forgiven as a failure.
    if (code !== 0 && !(isForgiven && code === 1))
      throw failure(errors.join(' ') || `${program} ended with code ${code}.`);
  } finally {
    signal.removeEventListener('abort', kill);
    clearTimeout(force);
    release();
  }
}

/** A signal that is aborted by anything that ends a program early: its caller, its deadline, its output, the silence of its server. */
function stopSignal({ signal, ask, deadline }: ProgramOptions, tooMuch: AbortSignal) {
  const late = new AbortController();
  const silent = new AbortController();
  const stopAsking = ask && askUntilSilent(ask, (error) => silent.abort(error));
  const minutes = Math.ceil((deadline ?? 0) / 60_000);
  const end = () =>
    late.abort(
      new ProgramError(`It was ended because it took longer than ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`),
    );
  const timer = deadline === undefined ? undefined : setTimeout(end, deadline);
  return {
    signal: AbortSignal.any([late.signal, silent.signal, tooMuch, ...(signal ? [signal] : [])]),
    release() {
      clearTimeout(timer);
      stopAsking?.();
    },
  };
}

/** Asks a server for a sign of life, again and again. @param onSilent is called with why it has given none @returns ends it */
function askUntilSilent(ask: () => Promise<unknown>, onSilent: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let misses = 0;
  const look = async () => {
    const error = await ask().then(
      () => undefined,
      (error: unknown) => error,
    );
    // One that lets nobody in any more has answered, and may still be at work for the program.
    const isAnswer = isReported(error) || (error instanceof Error && isReported(error.cause));
    misses = isDatabaseAway(error) && !isOverloaded(error) && !isAnswer ? misses + 1 : 0;
    if (misses === MISSES) onSilent(error);
    else if (timer) timer = setTimeout(look, ASK_INTERVAL);
  };
  // What it asks is no part of the trace of the work.
  timer = inSpan(undefined, () => setTimeout(look, ASK_INTERVAL));
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

function failure(message: string): Error {
  const error = new ProgramError(message);
  if (AWAY.test(message) || isUnreachable(message)) return Object.assign(error, { code: CONNECTION_FAILURE });
  if (!DISK_FULL.test(message)) return error;
  return Object.assign(error, { code: /ERROR: .*(No space left|Disk quota)/.test(message) ? '53100' : 'ENOSPC' });
}

/** What libpq says of certificates, keys and a server without TLS, which would be the same at the next attempt. */
const NO_TLS = /certificate|private key|server does not support SSL/;

/** Whether libpq says that it could not connect, and not because PostgreSQL refused or its TLS is not as it should be. */
function isUnreachable(message: string): boolean {
  const [, ...reasons] = message.split(' failed: ');
  const isLost = (reason: string) => !reason.startsWith('FATAL') && !NO_TLS.test(reason);
  return message.includes('connection to server ') && reasons.some(isLost);
}

/**
 * Has pg_dump write an archive into an open file, whose content is replaced. pg_dump 18 only appends to its output, and so puts a second
 * table of contents behind the rows, where none looks for it: it opens the file itself instead. Its account needs a right for that, which
 * helps nobody else as long as the file has no name, or lies in a closed folder.
 * @throws as {@link runProgram}
 */
export async function writeArchive(
  pgDump: string,
  args: readonly string[],
  file: FileHandle,
  options: Omit<ProgramOptions, 'files' | 'onOutput'>,
): Promise<void> {
  await file.chmod(0o666);
  try {
    const files = { output: file.fd };
    await runProgram(pgDump, ['--format=custom', `--file=${OUTPUT_FILE}`, ...args], { ...options, files });
  } finally {
    await file.chmod(0o600);
  }
}

/**
 * The address of a database for a client program. The password is passed in the environment, because everybody on the machine can
 * read command lines.
 * @param url connection string
 */
export function addressOf(url: string): { address: string; environment: Record<string, string> } {
  const target = new URL(url);
  // As node-pg does.
  const password = decodeURIComponent(target.password) || (process.env.PGPASSWORD ?? '');
  target.password = '';
  verifyAsNodeDoes(target);
  // A role of a tenant may have made its own sessions read-only: that does not make the server a standby.
  if (target.searchParams.has('target_session_attrs')) target.searchParams.set('target_session_attrs', 'primary');
  // The same keep-alive as node-pg's (session-settings.ts); libpq's default is two hours, and eleven minutes for the asking. No tcp_user_timeout: Linux
  // counts for it that a busy PostgreSQL takes no data.
  target.searchParams.set('keepalives_idle', String(KEEP_ALIVE_IDLE));
  target.searchParams.set('keepalives_interval', String(KEEP_ALIVE_ASKING.interval));
  target.searchParams.set('keepalives_count', String(KEEP_ALIVE_ASKING.count));
  target.searchParams.set('connect_timeout', '10');
  // libpq takes a blank as %20 only.
  target.search = target.search.replaceAll('+', '%20');
  return {
    address: target.href,
    environment: { PGAPPNAME: 'apotheca', ...(password !== '' && { PGPASSWORD: password }) },
  };
}
