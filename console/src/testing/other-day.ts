import { onTestFinished, vi } from 'vitest';

/** When the next day begins in Kiritimati (UTC+14), as an hour of UTC. At UTC-12 it is the day before until noon, so what begins earlier has time to end. */
const NEXT_DAY_FROM = 10;

/** Puts the browser where the calendar day is another one than in UTC, until the test ends. */
export function liveOnAnotherDay(): void {
  vi.stubEnv('TZ', new Date().getUTCHours() < NEXT_DAY_FROM ? 'Etc/GMT+12' : 'Pacific/Kiritimati');
  onTestFinished(() => void vi.unstubAllEnvs());
}
