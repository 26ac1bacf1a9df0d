import { describe, expect, it } from 'vitest';
import { listTimezones } from '../../../../db/timezones.ts';
import { useSimulatedInstallation } from '../../../../testing/simulated-backups.ts';
import { wallClock } from '../../../../testing/wall-clock.ts';

const test = useSimulatedInstallation();

/** Summer time at other dates, at midnight, by half an hour, backwards (Dublin), by two hours (Troll). */
const ZONES = [
  'UTC',
  'America/New_York',
  'America/Santiago',
  'Europe/Berlin',
  'Europe/Dublin',
  'Africa/Cairo',
  'Antarctica/Troll',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Pacific/Chatham',
];
const START = new Date('2026-01-01T00:00:00Z');
const DAYS = 366;

/** Every moment of a year at which a schedule is due, each found from the one before. */
async function walk(frequency: string, hour: number, weekday: number, zone: string): Promise<Date[]> {
  const { rows } = await test.pool.query<{ next: Date }>(
    `with recursive walk (next) as (
       select next from backup_due($1, $2, $3, 17, $4, $5)
       union all
       select (backup_due($1, $2, $3, 17, $4, walk.next)).next from walk where walk.next < $5::timestamptz + $6 * interval '1 day'
     ) select next from walk`,
    [frequency, hour, weekday, zone, START, DAYS],
  );
  return rows.map(({ next }) => next);
}

const daysOf = (moments: readonly Date[], zone: string) => moments.map((moment) => wallClock(moment, zone).day);
const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

describe.each(ZONES)('in %s a schedule is due', (zone) => {
  it.each([0, 1, 2, 3, 13, 23])(
    'once on each day at hour %i, an hour later where it is skipped [DECISIONS §13]',
    async (hour) => {
      const moments = await walk('daily', hour, 1, zone);
      const days = daysOf(moments, zone);
      expect(days).toEqual(days.map((_, index) => dayAfter(days[0] ?? '', index)));
      const off = moments.filter((moment) => {
        const clock = wallClock(moment, zone);
        return clock.hour !== hour || clock.minute !== 17;
      });
      // The clock is put forward once a year.
      expect(off.length).toBeLessThanOrEqual(1);
      for (const moment of off) {
        const { hour: later, minute } = wallClock(moment, zone);
        const minutes = (later - hour) * 60 + minute - 17;
        expect(minutes).toBeGreaterThanOrEqual(30);
        expect(minutes).toBeLessThanOrEqual(120);
      }
    },
  );

  it('once in each week, on its day [DECISIONS §13]', async () => {
    const moments = await walk('weekly', 2, 7, zone);
    const days = daysOf(moments, zone);
    expect(days).toEqual(days.map((_, index) => dayAfter(days[0] ?? '', 7 * index)));
    expect(new Set(moments.map((moment) => wallClock(moment, zone).weekday))).toEqual(new Set([7]));
  });

  it('every sixty minutes, whatever the clock on the wall does [DECISIONS §13]', async () => {
    const moments = await walk('hourly', 0, 1, zone);
    expect(moments).toHaveLength(DAYS * 24 + 1);
    expect(moments).toEqual(moments.map((_, index) => new Date(START.getTime() + index * 3_600_000 + 17 * 60_000)));
  });
});

it('the last moment at which a schedule was due is the one before the next [DECISIONS §13]', async () => {
  const moments = await walk('daily', 2, 1, 'America/New_York');
  const { rows } = await test.pool.query<{ last: Date }>(
    `select (backup_due('daily', 2, 1, 17, 'America/New_York', moment)).last from unnest($1::timestamptz[]) as moment`,
    [moments],
  );
  expect(rows.map(({ last }) => last)).toEqual(moments);
});

it('a time zone that PostgreSQL does not know counts as UTC [DECISIONS §13]', async () => {
  const { rows } = await test.pool.query(
    `select known_time_zone('Mars/Olympus_Mons') as unknown, known_time_zone('Asia/Kolkata') as known`,
  );
  expect(rows).toEqual([{ unknown: 'UTC', known: 'Asia/Kolkata' }]);
});

describe('time zones under their older names, as browsers have them', () => {
  it('are known to PostgreSQL under the newer ones too, with the same clocks [DECISIONS §13]', async () => {
    const { rows } = await test.pool.query<{ zone: string; other: string }>(
      `
      select zone, renamed_time_zone(zone) as other from unnest($1::text[]) as zone
      cross join unnest(array['2026-01-15Z', '2026-07-15Z']::timestamptz[]) as moment
      where renamed_time_zone(zone) is not null and moment at time zone zone = moment at time zone renamed_time_zone(zone)`,
      [listTimezones().map(({ id }) => id)],
    );
    expect(rows).toHaveLength(2 * 19);
  });

  it('count where PostgreSQL knows only the newer ones [DECISIONS §13]', async () => {
    // As a PostgreSQL without tzdata-legacy has it: the first name is unknown.
    const client = await test.pool.connect();
    try {
      await client.query(`begin;
        create or replace function renamed_time_zone(zone text) returns text language sql immutable
          as $$ select 'Asia/Kolkata' where zone = 'Mars/Olympus_Mons' $$`);
      const { rows } = await client.query("select known_time_zone('Mars/Olympus_Mons') as zone");
      expect(rows).toEqual([{ zone: 'Asia/Kolkata' }]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
