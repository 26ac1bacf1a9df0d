import type { Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { addFigures } from '../../../../figures.ts';
import { countRuns } from './schedule-runs.repository.ts';

/** Adds how it stands with the schedules to the figures of a server. */
export function measureSchedules({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  addFigures(registry, () => countRuns(platform, now()), {
    backup_schedule_databases: {
      help: 'Databases with a backup schedule, by how their last scheduled backup ended',
      labels: ['last_result'],
      samplesOf: ({ byLastResult }) =>
        Object.entries(byLastResult).map(([result, value]) => ({ labels: { last_result: result }, value })),
    },
    backup_schedule_late_databases: {
      help: 'Databases whose newest backup is older than their schedule allows',
      samplesOf: ({ late }) => [{ value: late }],
    },
    backup_schedule_lateness_seconds: {
      help: 'Seconds for which the backup that waits longest has been due',
      samplesOf: ({ lateness }) => [{ value: lateness }],
    },
  });
}
