import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { localDay, localField, localMinute, offsetOf, timeIn, utcDay, zonedMinute } from './moment.ts';

const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.*', '!../testing/**', '!./moment.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** What writes a moment or a day in a way of its own. */
const OWN_WAY =
  /toLocale(Date|Time)?String\(|Intl\.DateTimeFormat|toISOString\(\)\.(slice|split|sub)|\.get(Hours|Date|Month)\(|toDateString/;

const LATE = new Date('2026-03-04T23:05:09.700Z');

describe('a moment', () => {
  const zone = process.env.TZ;
  beforeEach(() => vi.stubEnv('TZ', 'America/St_Johns'));
  afterEach(() => {
    vi.unstubAllEnvs();
    expect(process.env.TZ).toBe(zone);
  });

  it('is written in one way, in the zone of the browser, which is named where it matters [§2.20]', () => {
    expect([
      localDay(LATE),
      localMinute(LATE),
      zonedMinute(LATE),
      localField(LATE),
      localField(LATE, 'second'),
    ]).toEqual([
      '2026-03-04',
      '2026-03-04 19:35',
      '2026-03-04 19:35 UTC-03:30',
      '2026-03-04T19:35',
      '2026-03-04T19:35:09',
    ]);
    expect(zonedMinute(new Date('2026-07-04T23:05:00Z'))).toBe('2026-07-04 20:35 UTC-02:30');
  });

  it('has its day in UTC where subscriptions end [§9]', () => {
    const early = new Date('2026-03-05T01:00:00Z');
    expect([localDay(early), utcDay(early)]).toEqual(['2026-03-04', '2026-03-05']);
  });

  it('names UTC without an offset, and east with a plus [§2.20]', () => {
    vi.stubEnv('TZ', 'UTC');
    expect(offsetOf(LATE)).toBe('UTC');
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(offsetOf(LATE)).toBe('UTC+05:30');
  });

  it('has no time in a zone that the browser does not know [§2.20]', () => {
    expect(timeIn('Europe/Madrid', LATE)).toBe('Thu 00:05');
    expect(timeIn('Moon/Tycho', LATE)).toBeUndefined();
  });
});

it('no other file of the console writes moments or days in a way of its own [§2.20]', () => {
  expect(Object.keys(SOURCES).length).toBeGreaterThan(400);
  const own = Object.entries(SOURCES).filter(([, source]) => OWN_WAY.test(source));
  expect(own.map(([file]) => file)).toEqual([]);
});
