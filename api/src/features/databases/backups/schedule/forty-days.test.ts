import { expect, it } from 'vitest';
import { IS_LONG_RUN } from '../../../../testing/long-run.ts';
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
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = START + DAYS * DAY;
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Sydney',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Australia/Darwin',
];
const KEEP: [number, number, number, number] = [24, 7, 4, 2];
/** How many tenants a long run has, each with an hourly schedule. */
const HOURLY = 300;
/** How long after a stop backups may still stand for moments that it has missed. */
const CATCHING_UP = HOUR / 4;
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

/** The periods of a moment on the wall clock. Each is asked for in many retentions. */
function periodsOf(moment: string, timeZone: string): { day: string; week: string; month: string } {
  const key = `${timeZone} ${moment}`;
  const known = periods.get(key);
  if (known) return known;
  const clock = wallClock(new Date(moment), timeZone);
  const found = { day: clock.day, week: mondayOf(clock), month: clock.day.slice(0, 7) };
  periods.set(key, found);
  return found;
}
const periods = new Map<string, ReturnType<typeof periodsOf>>();

/** What is left when a backup has been made, by the wall clock. @param kept newest first, with the new one */
function retain({ frequency, timeZone }: Planned, kept: readonly string[]): string[] {
  const [hourly, daily, weekly, monthly] = KEEP;
  const labels: [number, (moment: string) => string][] = [
    [frequency === 'hourly' ? hourly : 0, (moment) => moment.slice(0, 13)],
    [frequency === 'weekly' ? 0 : daily, (moment) => periodsOf(moment, timeZone).day],
    [weekly, (moment) => periodsOf(moment, timeZone).week],
    [monthly, (moment) => periodsOf(moment, timeZone).month],
  ];
  const staying = new Set(kept.slice(0, 1));
  for (const [wanted, labelOf] of labels) {
    const newest = new Map<string, string>();
    for (const moment of kept) if (!newest.has(labelOf(moment))) newest.set(labelOf(moment), moment);
    for (const moment of [...newest.values()].slice(0, wanted)) staying.add(moment);
  }
  return kept.filter((moment) => staying.has(moment));
}

/** Zones and frequencies. */
const PLANS: [string, Planned['frequency']][] = IS_LONG_RUN
  ? Array.from({ length: HOURLY }, (_, index) => [ZONES[index % ZONES.length] ?? 'UTC', 'hourly'])
  : [
      // Its clocks change by half an hour. An hourly one makes 960 backups, more than all others together.
      ['Australia/Lord_Howe', 'hourly'],
      ...ZONES.map((zone): [string, 'daily'] => [zone, 'daily']),
      ...['Europe/Berlin', 'Australia/Sydney'].map((zone): [string, 'weekly'] => [zone, 'weekly']),
    ];

type Span = readonly [from: number, to: number];
const at = (moment: string) => Date.parse(`2026-${moment}:00Z`);

/**
 * When servers run. In a long run for some hours where clocks change, in which 300 tenants make 300 backups an hour, and on each fourth day
 * for twelve minutes, as 288,000 backups take too long. APOTHECA_EVERY_HOUR=on leaves no stop. Other runs have one stop, of 30 hours.
 */
function spansOfRunning(): Span[] {
  if (process.env.APOTHECA_EVERY_HOUR === 'on') return [[START, END]];
  if (!IS_LONG_RUN)
    return [
      [START, at('03-10T03:30')],
      [at('03-11T09:30'), END],
    ];
  const changes: Span[] = [
    // New York; Berlin; Sydney and Lord Howe; Santiago.
    [at('03-08T06:15'), at('03-08T08:15')],
    [at('03-29T00:15'), at('03-29T02:15')],
    [at('04-04T14:45'), at('04-04T16:45')],
    [at('04-05T02:15'), at('04-05T04:15')],
  ];
  const noons = Array.from({ length: DAYS / 4 }, (_, quarter): Span => {
    const noon = START + quarter * 4 * DAY + DAY / 2;
    return [noon, noon + HOUR / 5];
  });
  return [...changes, ...noons].toSorted(([one], [other]) => one - other);
}
const SPANS = spansOfRunning();

/** Whether a moment may have been missed: it lies in a stop, or was waiting when one began. */
const mayBeMissed = (moment: number) =>
  SPANS.some(([, to], index) => {
    const [back = END] = SPANS[index + 1] ?? [];
    return index < SPANS.length - 1 && moment > to - CATCHING_UP && moment <= back + CATCHING_UP;
  }) || moment <= (SPANS[0]?.[0] ?? START) + CATCHING_UP;

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

/** When a failed backup is tried again, on the clock of the test. It waits by PostgreSQL's, which no test sets: {@link waitForRetries}. */
const RETRY = "case when retry_at is not null then last_ended_at + interval '5 minutes' end";

/** Lets failed backups wait by PostgreSQL's clock for as long as they would wait by the test's. */
async function waitForRetries(): Promise<void> {
  await test.pool.query(
    `update backup_schedule_runs set retry_at = now() + (${RETRY} - $1) where retry_at is not null`,
    [test.clock.now],
  );
}

/** The next moment at which there is something to do. */
async function nextMoment(): Promise<number> {
  const { rows } = await test.pool.query<{ next: Date }>(
    `select min(greatest(due_at, ${RETRY})) as next from backup_schedule_runs where operation_id is null`,
  );
  return Math.max(test.clock.now.getTime() + 2_000, Math.ceil(Number(rows[0]?.next ?? END + 1) / 60_000) * 60_000);
}

/** A tenant with what was due, in order, what was made of it, and what retention has to have left, newest first. */
interface Watched {
  tenant: Planned;
  due: string[];
  /** How many of `due` have come. */
  come: number;
  made: string[];
  kept: string[];
}

/** The newest moment that has come. */
function newestDue(watched: Watched): string | undefined {
  const now = test.clock.now.toISOString();
  while ((watched.due[watched.come] ?? '~') <= now) watched.come += 1;
  return watched.due[watched.come - 1];
}

/** What happens while servers run, and is compared as it happens. */
function watch(tenants: readonly Planned[]) {
  const byId = new Map(
    tenants.map((tenant): [string, Watched] => [
      tenant.databaseId,
      { tenant, due: dueMoments(tenant).toSorted(), come: 0, made: [], kept: [] },
    ]),
  );
  const seen = { removed: 0, failures: 0, most: 0 };
  /** The databases whose last backup failed. */
  const failed = new Set<string>();
  /** The ends of the backups that run. */
  const ends = new Map<string, number>();
  type Running = Awaited<ReturnType<typeof test.queued>>[number];
  const begin = ({ operationId, databaseId, dueAt }: Running) => {
    ends.set(operationId, test.clock.now.getTime() + 1_000 + random() * 3_000);
    const watched = byId.get(databaseId);
    // One backup stands for all that were missed, and counts for the newest of their moments.
    if (!watched || dueAt.toISOString() !== newestDue(watched)) throw new Error(`Made for ${dueAt.toISOString()}`);
  };
  const end = async (backup: Running) => {
    ends.delete(backup.operationId);
    const isSecond = failed.delete(backup.databaseId);
    const hasFailed = random() * 1_000 < FAILURES && !isSecond;
    if (hasFailed) failed.add(backup.databaseId);
    await test.end(backup, hasFailed ? 'failed' : 'succeeded');
    const watched = byId.get(backup.databaseId);
    if (hasFailed || !watched) {
      seen.failures += 1;
      return;
    }
    const moment = backup.dueAt.toISOString();
    watched.made.push(moment);
    const kept = retain(watched.tenant, [moment, ...watched.kept]);
    seen.removed += watched.kept.length + 1 - kept.length;
    watched.kept = kept;
  };
  return {
    byId,
    seen,
    /** Sees the backups that run now. */
    see(running: readonly Running[]) {
      seen.most = Math.max(seen.most, running.length);
      if (new Set(running.map(({ databaseId }) => databaseId)).size < running.length)
        throw new Error('Two of one database');
      for (const backup of running) if (!ends.has(backup.operationId)) begin(backup);
    },
    /** Goes on to the next end of a backup, and ends what has come to its end. */
    async endNext(running: readonly Running[]) {
      test.clock.now = new Date(Math.max(test.clock.now.getTime() + 2_000, Math.min(...ends.values())));
      for (const backup of running) {
        if ((ends.get(backup.operationId) ?? 0) <= test.clock.now.getTime()) await end(backup);
      }
    },
  };
}

/** Lets servers run for a span of time. What runs at its end comes to its own end, and nobody deals with that before the next span. */
async function runServers([from, to]: Span, { see, endNext }: ReturnType<typeof watch>): Promise<void> {
  test.clock.now = new Date(Math.max(test.clock.now.getTime(), from));
  let lastWhole = 0;
  while (test.clock.now.getTime() < to) {
    // As the clock of the schedules does.
    const isFollowUp = test.clock.now.getTime() - lastWhole < 60_000;
    if (!isFollowUp) {
      lastWhole = test.clock.now.getTime();
      await test.mergeChanges();
    }
    await waitForRetries();
    await runSchedules(test.context, { isFollowUp });
    const running = await test.queued();
    see(running);
    if (running.length > 0) await endNext(running);
    else test.clock.now = new Date(Math.min(to, await nextMoment()));
  }
  for (let running = await test.queued(); running.length > 0; running = await test.queued()) await endNext(running);
}

it(`${DAYS} days of ${PLANS.length} tenants over the changes of the clocks: each due backup once, what a stop missed caught up once, retention as planned, never more than the limit at once [DECISIONS §13]`, async () => {
  const tenants = await makePlanned();
  const minutes = Map.groupBy(tenants, ({ minute }) => minute);
  const watching = watch(tenants);
  const { byId, seen } = watching;
  test.clock.now = new Date(START);
  for (const span of SPANS) {
    await runServers(span, watching);
    // One that has just failed is tried again after some minutes.
    const late = await test.pool.query(
      'select from backup_schedule_runs where is_late and operation_id is null and failures = 0',
    );
    expect(late.rowCount, new Date(span[1]).toISOString()).toBe(0);
  }
  // Deals with the last ends.
  await runSchedules(test.context);
  // What comes just before the end may still wait.
  const last = new Date((SPANS.at(-1)?.[1] ?? END) - CATCHING_UP).toISOString();
  for (const { tenant, due, made, kept } of byId.values()) {
    const known = new Set(made);
    expect(known.size, tenant.timeZone).toBe(made.length);
    const missing = due.filter((moment) => moment < last && !known.has(moment));
    expect(
      missing.filter((moment) => !mayBeMissed(Date.parse(moment))),
      tenant.timeZone,
    ).toEqual([]);
    expect(await test.backupsOf(tenant.databaseId)).toEqual(kept);
  }
  expect(seen.most).toBe(SCHEDULED_AT_ONCE);
  expect(seen.failures).toBeGreaterThan(0);
  // Random ids spread tenants over the hour: five in a minute, of 300.
  if (IS_LONG_RUN) expect(Math.max(...[...minutes.values()].map(({ length }) => length))).toBeLessThan(20);
  const { rows } = await test.pool.query(
    "select count(*)::int as n, count(changes ->> 'reason')::int as explained from audit_entries where action = 'databases.backup-delete' and actor_name = 'server'",
  );
  expect(rows).toEqual([{ n: seen.removed, explained: seen.removed }]);
}, 14_400_000);
