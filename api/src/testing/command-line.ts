import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { TestApp } from './app.ts';

const CLI = fileURLToPath(new URL('../../../packages/cli/bin/apotheca.js', import.meta.url));

/** What the command line printed, and how it ended. */
interface End {
  code: number;
  out: string;
  errors: string;
}

interface RunOptions {
  /** What stdin has. */
  input?: string;
  env?: Record<string, string>;
}

/** The command line `apotheca`. */
export interface CommandLine {
  /** Where the server is. */
  url: string;
  /** Where it runs, and keeps its session. */
  folder: string;
  sessionFile: string;
  /** Runs it to its end. */
  run(args: string[], options?: RunOptions): Promise<End>;
  /** Runs it, and gives its process. */
  start(args: string[], options?: RunOptions): { child: ChildProcess; end: Promise<End> };
  /**
   * Runs it to its end with its output in a pipe to another command.
   * @param withErrors whether stderr goes into the pipe too
   * @returns the exit code of the one that failed
   */
  inPipe(args: string[], reader: string, options?: Pick<RunOptions, 'env'> & { withErrors?: boolean }): Promise<End>;
  /** Runs it on a terminal of its own. */
  onTerminal(...args: string[]): Terminal;
}

/** A terminal on which the command line runs. */
interface Terminal {
  /** Resolves when a question stands there. */
  asked(question: string): Promise<void>;
  /** Types a line once a question stands there. */
  answer(question: string, line: string): Promise<void>;
  /** How it ended, with what stood on the terminal after the last answer. */
  end: Promise<End>;
}

/** Makes a folder for the command line. @param test the server, which is made to listen; absent: each run names one */
export function useCommandLine(test?: TestApp): CommandLine {
  const line = {
    run: (args, options) => line.start(args, options).end,
    start: (args, { input = '', env = {} } = {}) => {
      const child = spawn(process.execPath, [CLI, ...args], { cwd: line.folder, env: environmentOf(line, env) });
      child.stdin.end(input);
      return { child, end: endOf(child).end };
    },
    inPipe: (args, reader, { env = {}, withErrors = false } = {}) => {
      const command = `set -o pipefail; ${shellCommand(args)} ${withErrors ? '|&' : '|'} ${reader}`;
      return endOf(spawn('bash', ['--norc', '-c', command], { cwd: line.folder, env: environmentOf(line, env) })).end;
    },
    onTerminal: (...args) => {
      // util-linux's script runs a command on a terminal that its own stdin and stdout are.
      const child = spawn('script', ['-qec', shellCommand(args), '/dev/null'], {
        cwd: line.folder,
        env: environmentOf(line, {}),
      });
      const { said, end } = endOf(child);
      const asked = async (question: string) => {
        while (!said.out.includes(question)) await Promise.race([once(child.stdout, 'data'), refusalOf(end, question)]);
      };
      return {
        end,
        asked,
        async answer(question, text) {
          await asked(question);
          said.out = '';
          child.stdin.write(`${text}\n`);
        },
      };
    },
  } as CommandLine;
  beforeAll(async () => {
    line.url = test ? await test.app.listen({ port: 0 }) : '';
    line.folder = await mkdtemp(join(tmpdir(), 'apotheca-cli-'));
    line.sessionFile = join(line.folder, 'apotheca', 'session.json');
  });
  afterAll(() => rm(line.folder, { recursive: true, force: true }));
  return line;
}

const shellCommand = (args: string[]) => [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');

const environmentOf = ({ folder, url }: CommandLine, env: Record<string, string>) => ({
  PATH: process.env.PATH,
  XDG_CONFIG_HOME: folder,
  APOTHECA_URL: url,
  ...env,
});

function endOf(child: ChildProcessWithoutNullStreams): { said: Omit<End, 'code'>; end: Promise<End> } {
  const said = { out: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.errors += chunk;
  });
  return { said, end: once(child, 'close').then(([code]) => ({ code, ...said })) };
}

async function refusalOf(end: Promise<End>, question: string): Promise<never> {
  const { code, out } = await end;
  throw new Error(`It ended with ${code} before it asked '${question}': ${out}`);
}
