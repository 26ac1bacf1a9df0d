import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
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

/** The command line `apotheca` against a test's server. */
export interface CommandLine {
  /** Where the server is. */
  url: string;
  /** Where it runs, and keeps its session. */
  folder: string;
  sessionFile: string;
  /** Runs it to its end. */
  run(args: string[], options?: RunOptions): Promise<End>;
}

/** Has the server listen, and makes a folder for the command line. */
export function useCommandLine(test: TestApp): CommandLine {
  const line = {
    run: async (args, { input = '', env = {} } = {}) => {
      const child = spawn(process.execPath, [CLI, ...args], { cwd: line.folder, env: environmentOf(line, env) });
      child.stdin.end(input);
      return endOf(child);
    },
  } as CommandLine;
  beforeAll(async () => {
    line.url = await test.app.listen({ port: 0 });
    line.folder = await mkdtemp(join(tmpdir(), 'apotheca-cli-'));
    line.sessionFile = join(line.folder, 'apotheca', 'session.json');
  });
  afterAll(() => rm(line.folder, { recursive: true, force: true }));
  return line;
}

const environmentOf = ({ folder, url }: CommandLine, env: Record<string, string>) => ({
  PATH: process.env.PATH,
  XDG_CONFIG_HOME: folder,
  APOTHECA_URL: url,
  ...env,
});

async function endOf(child: ChildProcessWithoutNullStreams): Promise<End> {
  const said = { out: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.errors += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, ...said };
}
