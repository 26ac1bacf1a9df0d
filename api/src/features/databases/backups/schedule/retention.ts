/** A backup that a schedule made. The periods are those of the moment at which it was due, in the tenant's time zone. */
export interface ScheduledBackup {
  id: string;
  hour: string;
  day: string;
  week: string;
  month: string;
  /** Whether its last proof was a success (decision 040). */
  isProved: boolean;
  /** Whether its last proof has failed: it cannot be restored. */
  isFailed: boolean;
  /** The stores in use that have a whole copy of it. */
  stores: readonly string[];
}

/** What a schedule keeps. */
export interface Retention {
  frequency: string;
  keepHourly: number;
  keepDaily: number;
  keepWeekly: number;
  keepMonthly: number;
}

type Period = 'hour' | 'day' | 'week' | 'month';

/** The periods that count, with how many of each are kept: none finer than the schedule. */
function periodsOf({ frequency, keepHourly, keepDaily, keepWeekly, keepMonthly }: Retention): [Period, number][] {
  const coarse: [Period, number][] = [
    ['week', keepWeekly],
    ['month', keepMonthly],
  ];
  if (frequency === 'weekly') return coarse;
  if (frequency === 'daily') return [['day', keepDaily], ...coarse];
  return [['hour', keepHourly], ['day', keepDaily], ...coarse];
}

/**
 * Plans what retention removes: of the last so many hours, days, weeks and months that have a backup, the newest of each is kept whose
 * proof has not failed, or the newest where all have. The newest of all and the newest that was proved are kept in any case, and of those of
 * which a store has a copy the newest such: what is newer may come there late, or never.
 * @param backups all that the schedule made of one database, newest first
 * @returns those to remove
 */
export function planRetention<Backup extends ScheduledBackup>(
  backups: readonly Backup[],
  retention: Retention,
): Backup[] {
  const proved = backups.filter(({ isProved }) => isProved);
  const kept = new Set([...backups.slice(0, 1), ...proved.slice(0, 1)]);
  for (const [period, wanted] of periodsOf(retention))
    for (const backup of bestOfEach(backups, (each) => [each[period]], wanted)) kept.add(backup);
  for (const backup of bestOfEach(backups, ({ stores }) => stores, Number.POSITIVE_INFINITY)) kept.add(backup);
  return backups.filter((backup) => !kept.has(backup));
}

/**
 * Of each group the newest backup whose proof has not failed, or the newest where all have.
 * @param backups newest first
 * @param groupsOf the groups to which one belongs
 * @param most how many groups count: those of the newest backups
 */
function bestOfEach<Backup extends ScheduledBackup>(
  backups: readonly Backup[],
  groupsOf: (backup: Backup) => readonly string[],
  most: number,
): Iterable<Backup> {
  const best = new Map<string, Backup>();
  for (const backup of backups) {
    for (const group of groupsOf(backup)) {
      const newer = best.get(group);
      if (!newer && best.size === most) return best.values();
      if (!newer || (newer.isFailed && !backup.isFailed)) best.set(group, backup);
    }
  }
  return best.values();
}

const PERIOD_WORDS: Record<Period, string> = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly' };

/** Why a backup is removed, for the audit trail. */
export function reasonOf(retention: Retention): string {
  const kept = periodsOf(retention).map(([period, wanted]) => `${wanted} ${PERIOD_WORDS[period]}`);
  return `The schedule keeps ${kept.join(', ')}.`;
}
