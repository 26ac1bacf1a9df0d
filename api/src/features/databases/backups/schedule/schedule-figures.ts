import { Gauge, type Registry } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { countRuns, type ScheduleFigures } from './schedule-runs.repository.ts';

const GAUGES: Record<
  string,
  { help: string; labelNames: string[]; set(gauge: Gauge, figures: ScheduleFigures): void }
> = {
  backup_schedule_databases: {
    help: 'Databases with a backup schedule, by how their last scheduled backup ended',
    labelNames: ['last_result'],
    set: (gauge, { byLastResult }) => {
      for (const [result, count] of Object.entries(byLastResult)) gauge.set({ last_result: result }, count);
    },
  },
  backup_schedule_late_databases: {
    labelNames: [],
    help: 'Databases whose newest backup is older than their schedule allows',
    set: (gauge, { late }) => gauge.set(late),
  },
  backup_schedule_lateness_seconds: {
    labelNames: [],
    help: 'Seconds for which the backup that waits longest has been due',
    set: (gauge, { lateness }) => gauge.set(lateness),
  },
};

/** Adds how it stands with the schedules to the figures of a server. While PostgreSQL is away there are none. */
export function measureSchedules({ platform, now }: Pick<Context, 'platform' | 'now'>, registry: Registry): void {
  for (const [name, { help, labelNames, set }] of Object.entries(GAUGES)) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const figures = await countRuns(platform, now()).catch(() => undefined);
        this.reset();
        // A gauge without labels is 0 after a reset.
        if (labelNames.length === 0) this.remove();
        if (figures) set(this, figures);
      },
    });
  }
}
