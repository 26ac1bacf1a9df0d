import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Figures } from './server-watch.ts';
import { timedWithoutStalls } from './stalls.ts';

/** Pause between two requests, in milliseconds. */
const ASKED_EVERY = 20;
/** After how many milliseconds without an answer a server counts as hanging. */
const LONGEST = 60_000;
const WEIGHED_EVERY = 100;
/** How much processor time each measurement of the machine's load takes, in milliseconds. */
const EFFORT = 5;

const [, , url = '', pid = ''] = process.argv;
const run = promisify(execFile);
const NOTHING: Figures = { answers: 0, slowest: 0, slowdown: 1, memory: 0, failures: [] };
let seen = structuredClone(NOTHING);
/** How long all measurements took, and how long they would have taken on an idle machine, in milliseconds. */
let taken = 0;
let needed = 0;
let present = ask();
process.on('message', report);
process.on('disconnect', () => process.exit());
void goOnAsking();
void goOnWeighing();

async function goOnAsking(): Promise<never> {
  for (;;) {
    await present;
    await setTimeout(ASKED_EVERY);
    present = ask();
  }
}

async function ask(): Promise<void> {
  const { answer: failure, took } = await timedWithoutStalls(failureOf);
  seen.answers += 1;
  seen.slowest = Math.max(seen.slowest, took);
  if (failure) seen.failures.push(failure);
}

/** Sends a request on a new connection. @returns how it failed, if it did */
async function failureOf(): Promise<string | undefined> {
  try {
    const asked = get(url, { agent: false, signal: AbortSignal.timeout(LONGEST) });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    await once(answer, 'end');
    return answer.statusCode === 200 ? undefined : String(answer.statusCode);
  } catch (error) {
    return String(error);
  }
}

async function goOnWeighing(): Promise<never> {
  for (;;) {
    seen.memory = Math.max(seen.memory, await memory());
    makeEffort();
    await setTimeout(WEIGHED_EVERY);
  }
}

/** The most memory that the server has had, in bytes; on systems that do not report it, its present memory. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, most] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  return 1024 * Number(most ?? (await run('ps', ['-o', 'rss=', '-p', pid])).stdout);
}

function makeEffort(): void {
  const began = performance.now();
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < EFFORT);
  needed += used();
  taken += performance.now() - began;
}

/** Reports the figures, including the answer for which it is waiting. */
async function report(): Promise<void> {
  await present;
  process.send?.({ ...seen, slowdown: Math.max(1, taken / needed) });
  forget();
}

function forget(): void {
  seen = structuredClone(NOTHING);
  taken = 0;
  needed = 0;
}
