import { onTestFinished, vi } from 'vitest';

/** Puts the browser where the calendar day is another one than in UTC, until the test ends. */
export function liveOnAnotherDay(): void {
  vi.stubEnv('TZ', new Date().getUTCHours() < 12 ? 'Etc/GMT+12' : 'Pacific/Kiritimati');
  onTestFinished(() => void vi.unstubAllEnvs());
}
