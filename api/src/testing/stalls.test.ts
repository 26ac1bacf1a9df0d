import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { timedWithoutStalls } from './stalls.ts';

/** In milliseconds. */
const LONG = 1000;

/** Computes for a time of this thread's own, whatever others take of the processors. */
function compute(milliseconds: number): void {
  const before = process.threadCpuUsage();
  const used = () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  while (used() < milliseconds);
}

describe('the time of work without the stalls of its process', () => {
  it('has what the process itself computed, although its timers wait for that [DECISIONS §2]', async () => {
    const { took } = await timedWithoutStalls(async () => compute(LONG));
    expect(took).toBeGreaterThan(0.9 * LONG);
  });

  it('does not have what the process was stopped for [DECISIONS §2]', async () => {
    const began = performance.now();
    const { took } = await timedWithoutStalls(async () => {
      const stops = `kill -STOP ${process.pid}; sleep ${LONG / 1000}; kill -CONT ${process.pid}`;
      await once(spawn('sh', ['-c', stops]), 'exit');
    });
    expect(performance.now() - began - took).toBeGreaterThan(0.9 * LONG);
  });
});
