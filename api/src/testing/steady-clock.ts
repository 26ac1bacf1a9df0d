import { onTestFinished, vi } from 'vitest';

/** Stops the clock that nobody sets, for the rest of a test. @returns lets milliseconds pass on it */
export function stopSteadyClock(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.advanceTimersByTime(milliseconds);
}
