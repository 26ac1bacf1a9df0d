import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authRoutes } from '@apotheca/contract/auth';
import { operationRoutes } from '@apotheca/contract/operations';
import { BASE_PATHS, type ContractRoute } from '@apotheca/contract/route';
import { root, SERVER, SERVER_FLAGS } from '../../../scripts/setup.mjs';
import { ADMINISTRATOR } from './administrator.ts';
import type { Answer } from './app.ts';
import { payloadOf, typeOf } from './call-body.ts';
import { finishedAnswer } from './finished-answer.ts';

/** What `npm start` runs; the global set-up builds it. */
export const MAIN = join(root, SERVER);
/** Where Node keeps what it has compiled: each process starts in half the time. */
export const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node');

/** The real server in a process of its own, for tests that start, stop and kill it. */
export interface ServerProcess {
  url: string;
  pid: number;
  output(): string;
  /** SIGKILL: nothing is cleaned up. */
  kill(): Promise<void>;
  /** SIGINT, as Ctrl-C sends it. @returns the exit code */
  interrupt(): Promise<number | null>;
  /** SIGTERM, as a supervisor sends it. @returns the exit code */
  terminate(): Promise<number | null>;
}

export interface FinishedProcess {
  code: number | null;
  output: string;
}

/**
 * Runs a server that ends itself, as with a wrong setting, or that is stopped before it is ready.
 * @param begun resolves when it is to be stopped
 * @param command program and arguments; absent: the server of these sources
 * @throws Error why it never began
 */
export async function runServer(
  environment: Record<string, string>,
  begun?: Promise<void>,
  command?: [string, ...string[]],
): Promise<FinishedProcess> {
  const { child, output } = launch(environment, command);
  let failure: Error | undefined;
  void begun
    ?.catch((error: Error) => {
      failure = error;
    })
    .then(() => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  if (failure) throw new Error(output(), { cause: failure });
  return { code, output: output() };
}

/**
 * Starts the server on a free port and waits until it says that it is ready.
 * @param command program and arguments; absent: the server of these sources
 */
export async function startServer(
  environment: Record<string, string>,
  command?: [string, ...string[]],
): Promise<ServerProcess> {
  const { child, output } = launch({ PORT: '0', ...environment }, command);
  const exited = once(child, 'exit');
  const url = await new Promise<string>((fulfil, reject) => {
    child.stdout?.on('data', () => {
      const ready = /ready on (http\S+)/.exec(output());
      if (ready?.[1]) fulfil(ready[1]);
    });
    void exited.then(([code, signal]) =>
      reject(new Error(`The server ended before it was ready (${signal ?? code}): ${output()}`)),
    );
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await exited;
    return code as number | null;
  };
  return {
    url,
    pid: child.pid ?? 0,
    output,
    kill: async () => {
      await end('SIGKILL');
    },
    interrupt: () => end('SIGINT'),
    terminate: () => end('SIGTERM'),
  };
}

function launch(
  environment: Record<string, string>,
  [program, ...args]: [string, ...string[]] = [process.execPath, ...SERVER_FLAGS, MAIN],
): { child: ChildProcess; output(): string } {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

/** Runs `work` with a data folder for a server, and deletes it afterwards. */
export async function withDataDir<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'apotheca-data-'));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface CallOptions {
  token?: string;
  query?: Record<string, string>;
  body?: unknown;
  respondAsync?: boolean;
  /** Sent as `Idempotency-Key`. */
  key?: string;
  /** Gives the call up. */
  signal?: AbortSignal;
}

/** Calls a real server over HTTP. An operation is waited for, unless the answer that it has begun is asked for (RFC 7240). */
export async function callServer(url: string, route: ContractRoute, options: CallOptions = {}): Promise<Answer> {
  const query = options.query ? `?${new URLSearchParams(options.query)}` : '';
  const response = await fetch(url + BASE_PATHS[route.base] + route.path + query, {
    method: route.method,
    headers: {
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...(options.respondAsync && { prefer: 'respond-async' }),
      ...(options.key && { 'idempotency-key': options.key }),
      ...(options.body !== undefined && { 'content-type': typeOf(options.body) }),
    },
    ...(options.body !== undefined && { body: payloadOf(options.body) }),
    ...(options.signal && { signal: options.signal }),
  });
  const answer = (await response.json()) as Answer;
  const { token } = options;
  if (options.respondAsync) return answer;
  return finishedAnswer(answer, (id) =>
    callServer(url, operationRoutes.get, { query: { id }, ...(token && { token }) }),
  );
}

/** Signs in to a real server as the administrator. @returns the access token */
export async function signInToServer(url: string, password = ADMINISTRATOR.password): Promise<string> {
  const body = { username: ADMINISTRATOR.userName, password };
  return (await callServer(url, authRoutes.authenticate, { body })).result.accessToken;
}
