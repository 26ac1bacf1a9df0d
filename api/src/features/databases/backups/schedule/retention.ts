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
 * proof has not failed, or the newest where all have. The newest of all and the newest that was proved are kept in any case.
 * @param backups all that the schedule made of one database, newest first
 * @returns those to remove
 */
export function planRetention<Backup extends ScheduledBackup>(
  backups: readonly Backup[],
  retention: Retention,
): Backup[] {
  const proved = backups.filter(({ isProved }) => isProved);
  const kept = new Set([...backups.slice(0, 1), ...proved.slice(0, 1)]);
  for (const [period, wanted] of periodsOf(retention)) {
    const best = new Map<string, Backup>();
    for (const backup of backups) {
      const newer = best.get(backup[period]);
      if (!newer && best.size === wanted) break;
      if (!newer || (newer.isFailed && !backup.isFailed)) best.set(backup[period], backup);
    }
    for (const backup of best.values()) kept.add(backup);
  }
  return backups.filter((backup) => !kept.has(backup));
}

const PERIOD_WORDS: Record<Period, string> = { hour: 'hourly', day: 'daily', week: 'weekly', month: 'monthly' };

/** Why a backup is removed, for the audit trail. */
export function reasonOf(retention: Retention): string {
  const kept = periodsOf(retention).map(([period, wanted]) => `${wanted} ${PERIOD_WORDS[period]}`);
  return `The schedule keeps ${kept.join(', ')}.`;
}
