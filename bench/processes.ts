import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutInstallation } from '../api/src/settings.ts';
import { SERVER, SERVER_FLAGS } from '../scripts/setup.mjs';

/** The repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface RunningProcess {
  url: string;
  /** Milliseconds from the command to the line that says where it listens. */
  readyAfter: number;
  /** Milliseconds of processor time so far. */
  cpu(): number;
  /** Resident set, in MiB. */
  memory(): number;
  threads(): number;
  /** Largest resident set since the start or the last {@link RunningProcess.forgetPeak}, in MiB. */
  peakMemory(): number;
  forgetPeak(): void;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

// As `npm start` sets them, for the floors too.
const FROM_START = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'), MALLOC_ARENA_MAX: '1' };

/** Starts a command and waits for the http address that it prints. */
export async function startProcess(
  command: string,
  args: string[],
  environment: Record<string, string>,
): Promise<RunningProcess> {
  const startedAt = performance.now();
  const child = spawn(command, args, {
    env: { ...FROM_START, ...withoutInstallation(process.env), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await printedAddress(child);
  const pid = child.pid ?? 0;
  return {
    url,
    readyAfter: performance.now() - startedAt,
    cpu: () => statOf(pid).own,
    memory: () => statusOf(pid, 'VmRSS') / 1024,
    threads: () => statusOf(pid, 'Threads'),
    peakMemory: () => statusOf(pid, 'VmHWM') / 1024,
    // proc(5): 5 resets the peak.
    forgetPeak: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
    signal: (signal) => child.kill(signal),
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Milliseconds of processor time that a process, the processes that it started, and those of both that ended have used so far. */
export function cpuOfFamily(pid: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const children = pids.map((each) => statOf(Number(each))).filter(({ parent }) => parent === pid);
  const { own, ended } = statOf(pid);
  return own + ended + children.reduce((sum, child) => sum + child.own + child.ended, 0);
}

/** Milliseconds of processor time that all processes of the machine have used so far, and what its host has taken from it. */
export function cpuOfMachine(): number {
  const [all = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, stolen = 0] = all
    .split(/ +/)
    .slice(1)
    .map(Number);
  return (user + nice + system + interrupts + softInterrupts + stolen) * TICK;
}

/** A clock tick of /proc, in milliseconds: USER_HZ is 100 on every Linux that Node runs on. */
const TICK = 10;

interface ProcessStat {
  parent: number;
  /** Processor time in milliseconds. */
  own: number;
  /** That of children that ended. */
  ended: number;
}

/** /proc/…/stat (proc(5)); of a process that ended meanwhile, nothing. */
function statOf(pid: number): ProcessStat {
  try {
    // The second field is the name in parentheses, which may have spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, own: (user + system) * TICK, ended: (endedUser + endedSystem) * TICK };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}

/** A line of /proc/…/status (proc(5)); memory is in KiB. */
function statusOf(pid: number, line: 'VmRSS' | 'VmHWM' | 'Threads'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]);
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

/**
 * Starts Apotheca's server with the flags that `npm start` gives it.
 * @param root the repository, or that of earlier code, which runs from its sources
 * @param flags more of them
 */
export function startServer(
  environment: Record<string, string>,
  root = ROOT,
  flags: string[] = [],
): Promise<RunningProcess> {
  const file = join(root, root === ROOT ? SERVER : 'api/src/main.ts');
  const args = [...SERVER_FLAGS, ...flags, file];
  return startProcess(process.execPath, args, environment);
}

/** Starts a bare server of this folder. */
export function startFloor(file: string, environment: Record<string, string>): Promise<RunningProcess> {
  return startProcess(process.execPath, [join(ROOT, 'bench/floors', file)], environment);
}
