import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TEST_SECRET, type TestApp } from './app.ts';
import { NODE_COMPILE_CACHE, withDataDir } from './server-process.ts';

/** What a command of the terminal printed, and how it ended. */
export interface CommandEnd {
  code: number;
  output: string;
  errors: string;
}

interface CommandOptions {
  args?: readonly string[];
  /** In place of those of the test's installation. */
  settings?: Record<string, string>;
  input?: string;
}

/** Runs a command of api/src to its end, on the installation of a test. @param file such as verify-audit.ts */
export function runCommand(
  test: Pick<TestApp, 'databaseUrl'>,
  file: string,
  { args = [], settings = {}, input = '' }: CommandOptions = {},
): Promise<CommandEnd> {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  return withDataDir(async (dataDir) => {
    const environment = { DATABASE_URL: test.databaseUrl, APOTHECA_SECRET: TEST_SECRET, APOTHECA_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [path, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE, ...environment, ...settings },
    });
    const said = { output: '', errors: '' };
    child.stdout.on('data', (chunk) => {
      said.output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.errors += chunk;
    });
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    return { code, ...said };
  });
}
