export interface Timezone {
  /** IANA name, 'America/Chicago'. */
  id: string;
  /** '(UTC-06:00) Central Time (Chicago)' */
  displayName: string;
  /** Minutes east of UTC outside daylight saving time. */
  offsetMinutes: number;
}

const JANUARY = new Date('2026-01-15T12:00:00Z');
const JULY = new Date('2026-07-15T12:00:00Z');

/** Every time zone of the runtime's IANA data, with UTC. */
export function listTimezones(): Timezone[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((id) => {
    // Daylight saving time moves clocks forward, so the smaller offset is standard time on both hemispheres.
    const offsetMinutes = Math.min(offsetAt(id, JANUARY), offsetAt(id, JULY));
    return { id, displayName: displayName(id, offsetMinutes), offsetMinutes };
  });
}

function displayName(id: string, offsetMinutes: number): string {
  const place = (id.split('/').at(-1) ?? id).replaceAll('_', ' ');
  const name = part(id, 'longGeneric', JANUARY);
  const label = id === 'UTC' || name.includes(place) || /^(GMT|UTC)/.test(name) ? place : `${name} (${place})`;
  return `(UTC${formatOffset(offsetMinutes)}) ${label}`;
}

/** Minutes east of UTC at a moment. Intl writes them as 'GMT', 'GMT-06:00' or 'GMT+05:45'. */
function offsetAt(id: string, at: Date): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(part(id, 'longOffset', at)) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function part(timeZone: string, timeZoneName: 'longGeneric' | 'longOffset', at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

function formatOffset(minutes: number): string {
  const absolute = Math.abs(minutes);
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(absolute / 60))}:${pad(absolute % 60)}`;
}
