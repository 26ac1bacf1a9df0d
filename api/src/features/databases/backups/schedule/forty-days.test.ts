import { expect, it } from 'vitest';
import {
  type SimulatedSchedule,
  type SimulatedTenant,
  useSimulatedInstallation,
} from '../../../../testing/simulated-backups.ts';
import { mondayOf, wallClock } from '../../../../testing/wall-clock.ts';
import { runSchedules, SCHEDULED_AT_ONCE } from './scheduled-backups.ts';

const test = useSimulatedInstallation();

/** In these days the clocks are put forward in New York and Berlin, and back in Sydney, Santiago and on Lord Howe. */
const START = Date.parse('2026-03-01T00:00:00Z');
const DAYS = 40;
const END = START + DAYS * 86_400_000;
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Sydney',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Australia/Darwin',
];
const KEEP: [number, number, number, number] = [24, 7, 4, 2];
/** In 1,000 backups. None fails twice in a row: after four failures its next moment would have come, and stand for this one too. */
const FAILURES = 20;

interface Planned extends SimulatedTenant {
  frequency: SimulatedSchedule['frequency'];
  minute: number;
}

const random = makeRandom(20_260_301);

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** All moments at which a tenant's backup is due, found on the wall clock: minute by minute of its minute of the hour. */
function dueMoments({ frequency, minute, timeZone }: Planned): string[] {
  const moments: number[] = [];
  const ofDay = new Map<string, number>();
  // Zones are at most 45 minutes off the hour, by quarters of an hour.
  for (let at = START - 86_400_000; at < END + 86_400_000; at += 900_000) {
    const moment = at + (minute % 15) * 60_000;
    const clock = wallClock(new Date(moment), timeZone);
    if (frequency === 'hourly') {
      if (new Date(moment).getUTCMinutes() === minute) moments.push(moment);
    } else if (clock.minute === minute && clock.hour >= 2 && (frequency === 'daily' || clock.weekday === 7)) {
      // Hour 2 comes twice where clocks go back: the second one counts. Where it is skipped the next hour does.
      if (clock.hour === 2 || !ofDay.has(clock.day)) ofDay.set(clock.day, moment);
    }
  }
  if (frequency !== 'hourly') moments.push(...ofDay.values());
  return moments.filter((moment) => moment > START && moment <= END).map((moment) => new Date(moment).toISOString());
}

/** What is left when a backup has been made, by the wall clock. @param kept newest first, with the new one */
function retain({ frequency, timeZone }: Planned, kept: readonly string[]): string[] {
  const [hourly, daily, weekly, monthly] = KEEP;
  const labels: [number, (moment: string) => string][] = [
    [frequency === 'hourly' ? hourly : 0, (moment) => moment.slice(0, 13)],
    [frequency === 'weekly' ? 0 : daily, (moment) => wallClock(new Date(moment), timeZone).day],
    [weekly, (moment) => mondayOf(wallClock(new Date(moment), timeZone))],
    [monthly, (moment) => wallClock(new Date(moment), timeZone).day.slice(0, 7)],
  ];
  const staying = new Set(kept.slice(0, 1));
  for (const [wanted, labelOf] of labels) {
    const newest = new Map<string, string>();
    for (const moment of kept) if (!newest.has(labelOf(moment))) newest.set(labelOf(moment), moment);
    for (const moment of [...newest.values()].slice(0, wanted)) staying.add(moment);
  }
  return kept.filter((moment) => staying.has(moment));
}

/** Tenants with hourly schedules instead of a few of each kind: 300 take hours. */
const HOURLY = Number(process.env.APOTHECA_HOURLY_TENANTS ?? 0);

/** Zones and frequencies. */
const PLANS: [string, Planned['frequency']][] =
  HOURLY > 0
    ? Array.from({ length: HOURLY }, (_, index) => [ZONES[index % ZONES.length] ?? 'UTC', 'hourly'])
    : [
        // Its clocks change by half an hour. An hourly one makes 960 backups, more than all others together.
        ['Australia/Lord_Howe', 'hourly'],
        ...ZONES.map((zone): [string, 'daily'] => [zone, 'daily']),
        ...['Europe/Berlin', 'Australia/Sydney'].map((zone): [string, 'weekly'] => [zone, 'weekly']),
      ];

async function makePlanned(): Promise<Planned[]> {
  const tenants = await test.addTenants(PLANS.map(([zone]) => zone));
  const planned: Planned[] = [];
  for (const [index, tenant] of tenants.entries()) {
    const frequency = PLANS[index]?.[1] ?? 'daily';
    await test.setSchedule(tenant, { frequency, keep: KEEP });
    const { rows } = await test.pool.query<{ minute: number }>(
      'select minute from effective_backup_schedules where database_id = $1',
      [tenant.databaseId],
    );
    planned.push({ ...tenant, frequency, minute: rows[0]?.minute ?? 0 });
  }
  return planned;
}

/** The next moment at which there is something to do. */
async function nextMoment(): Promise<number> {
  const { rows } = await test.pool.query<{ next: Date }>(
    'select min(greatest(due_at, retry_at)) as next from backup_schedule_runs where operation_id is null',
  );
  return Math.max(test.clock.now.getTime() + 2_000, Math.ceil(Number(rows[0]?.next ?? END + 1) / 60_000) * 60_000);
}

it(`${DAYS} days of ${PLANS.length} tenants over the changes of the clocks: each due backup once, retention as planned, never more than the limit at once [DECISIONS §13]`, async () => {
  const tenants = await makePlanned();
  const byId = new Map(
    tenants.map((tenant) => [tenant.databaseId, { tenant, made: [] as string[], kept: [] as string[] }]),
  );
  test.clock.now = new Date(START);
  let removed = 0;
  let failures = 0;
  let most = 0;
  /** The databases whose last backup failed. */
  const failed = new Set<string>();
  /** The ends of the backups that run. */
  const ends = new Map<string, number>();
  for (;;) {
    const isBusy = await runSchedules(test.context);
    const running = await test.queued();
    most = Math.max(most, running.length);
    expect(new Set(running.map(({ databaseId }) => databaseId)).size).toBe(running.length);
    if (running.length === 0 && !isBusy) {
      const next = await nextMoment();
      if (next > END + 600_000) break;
      test.clock.now = new Date(next);
      continue;
    }
    for (const { operationId } of running) {
      if (!ends.has(operationId)) ends.set(operationId, test.clock.now.getTime() + 1_000 + random() * 3_000);
    }
    test.clock.now = new Date(Math.max(test.clock.now.getTime() + 2_000, Math.min(...ends.values())));
    for (const backup of running) {
      if ((ends.get(backup.operationId) ?? 0) > test.clock.now.getTime()) continue;
      ends.delete(backup.operationId);
      const isSecond = failed.delete(backup.databaseId);
      const hasFailed = random() * 1_000 < FAILURES && !isSecond;
      if (hasFailed) failed.add(backup.databaseId);
      await test.end(backup, hasFailed ? 'failed' : 'succeeded');
      const known = byId.get(backup.databaseId);
      if (hasFailed || !known) {
        failures += 1;
        continue;
      }
      const moment = backup.dueAt.toISOString();
      known.made.push(moment);
      const kept = retain(known.tenant, [moment, ...known.kept]);
      removed += known.kept.length + 1 - kept.length;
      known.kept = kept;
    }
  }
  for (const { tenant, made, kept } of byId.values()) {
    const due = dueMoments(tenant).filter((moment) => moment <= test.clock.now.toISOString());
    expect(
      made.filter((moment) => moment <= (due.at(-1) ?? '')),
      tenant.timeZone,
    ).toEqual(due);
    expect(await test.backupsOf(tenant.databaseId)).toEqual(kept);
  }
  // Whether it is reached depends on the minutes, which come from random ids.
  expect(most).toBeLessThanOrEqual(SCHEDULED_AT_ONCE);
  expect(failures).toBeGreaterThan(0);
  const { rows } = await test.pool.query(
    "select count(*)::int as n, count(changes ->> 'reason')::int as explained from audit_entries where action = 'databases.backup-delete' and actor_name = 'server'",
  );
  expect(rows).toEqual([{ n: removed, explained: removed }]);
}, 14_400_000);
