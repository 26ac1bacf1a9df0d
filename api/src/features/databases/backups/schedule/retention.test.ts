import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRetention, type Retention, reasonOf, type ScheduledBackup } from './retention.ts';

const KEEP: Retention = { frequency: 'hourly', keepHourly: 3, keepDaily: 2, keepWeekly: 2, keepMonthly: 2 };
const PERIODS = { hour: 'keepHourly', day: 'keepDaily', week: 'keepWeekly', month: 'keepMonthly' } as const;
type Period = keyof typeof PERIODS;

const DAY = 86_400_000;

/** A backup that was due at an hour, in UTC. */
function backupAt(hours: number): ScheduledBackup {
  const at = new Date(hours * 3_600_000);
  const monday = new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY);
  const text = at.toISOString();
  return {
    id: String(hours),
    hour: text.slice(0, 13),
    day: text.slice(0, 10),
    week: monday.toISOString().slice(0, 10),
    month: text.slice(0, 7),
    isProved: false,
    isFailed: false,
    stores: [],
  };
}

/** Backups at some of the hours of a few months, newest first. */
const backups = fc
  .uniqueArray(fc.integer({ min: 490_000, max: 493_000 }), { maxLength: 60 })
  .map((hours) => hours.toSorted((a, b) => b - a).map(backupAt));
const retentions = fc.record({
  frequency: fc.constantFrom('hourly', 'daily', 'weekly'),
  keepHourly: fc.nat(9),
  keepDaily: fc.nat(9),
  keepWeekly: fc.nat(9),
  keepMonthly: fc.nat(9),
});

const kept = (all: readonly ScheduledBackup[], retention: Retention) => {
  const removed = planRetention(all, retention);
  return all.filter((backup) => !removed.includes(backup));
};
const countedBy = ({ frequency }: Retention): Period[] =>
  frequency === 'hourly'
    ? ['hour', 'day', 'week', 'month']
    : frequency === 'daily'
      ? ['day', 'week', 'month']
      : ['week', 'month'];
const isNewestOf = (period: Period, backup: ScheduledBackup, all: readonly ScheduledBackup[]) =>
  all.find((other) => other[period] === backup[period]) === backup;

describe('what retention removes', () => {
  it('is what no hour, day, week or month that counts keeps [DECISIONS §13]', () => {
    // Two a day for ten days, the newest on Sunday 2026-03-08 at 12:00.
    const all = Array.from({ length: 20 }, (_, index) => backupAt(492_492 - index * 12));
    expect(kept(all, KEEP).map(({ hour }) => hour)).toEqual([
      '2026-03-08T12',
      '2026-03-08T00',
      '2026-03-07T12',
      '2026-03-01T12',
      '2026-02-28T12',
    ]);
  });

  it('is never the newest, also where nothing is to be kept [DECISIONS §13]', () => {
    fc.assert(
      fc.property(backups, retentions, (all, retention) => {
        expect(kept(all, retention).slice(0, 1)).toEqual(all.slice(0, 1));
      }),
    );
  });

  it('leaves of each period as many as the schedule says, and nothing without a reason [DECISIONS §13]', () => {
    fc.assert(
      fc.property(backups, retentions, (all, retention) => {
        const left = kept(all, retention);
        for (const period of countedBy(retention)) {
          const newest = all.filter((backup) => isNewestOf(period, backup, all));
          expect(left).toEqual(expect.arrayContaining(newest.slice(0, retention[PERIODS[period]])));
        }
        for (const backup of left.slice(1)) {
          const reasons = countedBy(retention).filter(
            (period) =>
              isNewestOf(period, backup, all) &&
              new Set(all.slice(0, all.indexOf(backup) + 1).map((other) => other[period])).size <=
                retention[PERIODS[period]],
          );
          expect(reasons).not.toEqual([]);
        }
      }),
    );
  });

  it('is never the newest that was proved, whatever is newer [DECISIONS §13]', () => {
    const proved = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(backups, retentions, proved, (all, retention, isProved) => {
        const known = all.map((backup, index) => ({ ...backup, isProved: isProved[index] ?? false }));
        const newest = known.filter((backup) => backup.isProved).slice(0, 1);
        expect(kept(known, retention)).toEqual(expect.arrayContaining(newest));
        expect(kept(known, retention).length).toBeLessThanOrEqual(kept(all, retention).length + 1);
      }),
    );
  });

  it('is never the newest of which a store has a copy, whose proof has not failed where there is one [DECISIONS §13]', () => {
    const copied = fc.array(fc.subarray(['one', 'other']), { minLength: 60, maxLength: 60 });
    const failed = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(backups, retentions, copied, failed, (all, retention, stores, isFailed) => {
        const known = all.map((backup, index) => ({
          ...backup,
          stores: stores[index] ?? [],
          isFailed: isFailed[index] ?? false,
        }));
        const left = kept(known, retention);
        for (const store of ['one', 'other']) {
          const there = known.filter((backup) => backup.stores.includes(store));
          const best = there.find((backup) => !backup.isFailed) ?? there[0];
          if (best) expect(left).toContain(best);
        }
        const without = known.map((backup) => ({ ...backup, stores: [] }));
        expect(left.length).toBeLessThanOrEqual(kept(without, retention).length + 2);
      }),
    );
  });

  it('is the failed backup of a period and not an older one that may be whole [DECISIONS §13]', () => {
    // Two a day for three days; of the middle one the newer backup failed, of the oldest one both.
    const all = Array.from({ length: 6 }, (_, index) => ({
      ...backupAt(492_492 - index * 12),
      isFailed: [2, 4, 5].includes(index),
    }));
    const retention: Retention = { frequency: 'daily', keepHourly: 0, keepDaily: 3, keepWeekly: 0, keepMonthly: 0 };
    expect(kept(all, retention).map(({ hour }) => hour)).toEqual(['2026-03-08T12', '2026-03-07T00', '2026-03-06T12']);
  });

  it('leaves of each period that is kept one that has not failed, where there is one [DECISIONS §13]', () => {
    const failed = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(backups, retentions, failed, (all, retention, isFailed) => {
        const known = all.map((backup, index) => ({ ...backup, isFailed: isFailed[index] ?? false }));
        const left = kept(known, retention);
        for (const period of countedBy(retention)) {
          const periods = [...new Set(known.map((backup) => backup[period]))].slice(0, retention[PERIODS[period]]);
          for (const one of periods) {
            const isOfIt = (backup: ScheduledBackup) => backup[period] === one;
            const [best] = [...known.filter((backup) => isOfIt(backup) && !backup.isFailed), ...known.filter(isOfIt)];
            expect(left).toContain(best);
          }
        }
        expect(planRetention(left, retention)).toEqual([]);
      }),
    );
  });

  it('is nothing more when it is planned again [DECISIONS §13]', () => {
    fc.assert(
      fc.property(backups, retentions, (all, retention) => {
        expect(planRetention(kept(all, retention), retention)).toEqual([]);
      }),
    );
  });

  it('is explained by the periods that count [DECISIONS §13]', () => {
    expect(reasonOf(KEEP)).toBe('The schedule keeps 3 hourly, 2 daily, 2 weekly, 2 monthly.');
    expect(reasonOf({ ...KEEP, frequency: 'weekly' })).toBe('The schedule keeps 2 weekly, 2 monthly.');
  });
});
