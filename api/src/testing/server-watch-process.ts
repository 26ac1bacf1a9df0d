import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Figures } from './server-watch.ts';

/** Pause between two questions, in milliseconds. */
const ASKED_EVERY = 20;
/** A server that takes so long hangs, in milliseconds. */
const LONGEST = 60_000;
const WEIGHED_EVERY = 100;
/** So much of the processor is used to find out how busy the machine is, in milliseconds. */
const EFFORT = 5;

const [, , url = '', pid = ''] = process.argv;
const run = promisify(execFile);
const NOTHING: Figures = { answers: 0, slowest: 0, slowdown: 1, memory: 0, failures: [] };
let seen = structuredClone(NOTHING);
/** What the machine took for all efforts, and what it would have taken with nothing else to do, in milliseconds. */
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
  const began = performance.now();
  const failure = await failureOf();
  seen.answers += 1;
  seen.slowest = Math.max(seen.slowest, performance.now() - began);
  if (failure) seen.failures.push(failure);
}

/** Asks on a new connection, as a stranger would. @returns how that failed, if it did */
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

/** The most memory that the server has had, in bytes; where the system does not say that, what it has now. */
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

/** Tells what was seen, the answer that it is waiting for included. */
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
