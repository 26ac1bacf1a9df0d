import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const AUTOCANNON = fileURLToPath(new URL('../node_modules/autocannon/autocannon.js', import.meta.url));

export interface RunningProcess {
  url: string;
  /** Milliseconds from the command to the line that says where it listens. */
  readyAfter: number;
  /** Resident set, in MiB. */
  memory(): number;
  /** Largest resident set so far, in MiB. */
  peakMemory(): number;
  stop(): Promise<void>;
}

// As `npm start` sets it, for the floor too.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

/** Starts a command and waits for the http address that it prints. */
export async function startProcess(
  command: string,
  args: string[],
  environment: Record<string, string>,
): Promise<RunningProcess> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    env: { NODE_COMPILE_CACHE, ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await printedAddress(child);
  return {
    url,
    readyAfter: performance.now() - startedAt,
    memory: () => memoryOf(child, 'VmRSS'),
    peakMemory: () => memoryOf(child, 'VmHWM'),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A line of /proc/…/status, in MiB. */
function memoryOf({ pid }: ChildProcess, line: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${line}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function printedAddress(child: ChildProcess): Promise<string> {
  let output = '';
  return new Promise((fulfil, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk;
      const address = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
      if (address) fulfil(address);
    });
    child.once('exit', () => reject(new Error(`It ended before it listened: ${output}`)));
  });
}

const MAIN = fileURLToPath(new URL('../api/src/main.ts', import.meta.url));

/** Starts Apotheca's server with the flags that `npm start` gives it. */
export function startServer(environment: Record<string, string>): Promise<RunningProcess> {
  return startProcess(process.execPath, ['--max-semi-space-size=4', MAIN], environment);
}

export interface Load {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

/** GETs an address over some connections for some seconds, from a process of its own. @throws when an answer is no 2xx */
export async function load(url: string, token: string, connections: number, seconds: number): Promise<Load> {
  const args = [
    AUTOCANNON,
    '-j',
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-t',
    '30',
    '-H',
    `authorization=Bearer ${token}`,
    url,
  ];
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1e8 });
  const result = JSON.parse(stdout);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { requestsPerSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}
