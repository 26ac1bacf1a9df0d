import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { onBudget, TimeBudget } from '../db/connections/time-budget.ts';
import { isDiskFull } from '../db/embedded/disk-room.ts';
import { DatabaseTimeout } from '../db/errors/postgres-errors.ts';
import { addFigures } from '../figures.ts';

/** How a part stands. Busy: PostgreSQL answers others, but not this in time. Full: a disk has no room left. */
type PartState = 'up' | 'busy' | 'full' | 'down';

/** How the parts stand that a server process needs, by name; those that it does not have are left out. */
type Parts = Record<string, PartState>;

interface PartsSeen {
  parts: Parts;
  /** Why the control database cannot be asked. */
  failure?: Error;
}

/** Looks at each part of a server process, within the time that the caller has. Never fails. */
export type LookAtParts = () => Promise<PartsSeen>;

/** How long the figures wait for the control database, in milliseconds. */
const PATIENCE = 2_000;

/** @param isWorking whether the process takes operations now; absent: it is to take none */
export function partsOf(
  { platform, clusterDir, backupDir }: Pick<Context, 'platform' | 'clusterDir' | 'backupDir'>,
  isWorking: (() => boolean) | undefined,
): LookAtParts {
  return async () => {
    const [failure, embedded, isFull] = await Promise.all([
      sql`select 1`.execute(platform).then(
        () => undefined,
        (error: Error) => error,
      ),
      clusterDir && isPostgresRunning(clusterDir),
      Promise.all([backupDir, ...(clusterDir ? [clusterDir] : [])].map(isDiskFull)),
    ]);
    return {
      parts: {
        controlDatabase: databaseState(failure),
        ...(embedded !== undefined && { embeddedPostgres: embedded ? 'up' : 'down' }),
        ...(isWorking && { operations: isWorking() ? 'up' : 'down' }),
        disk: isFull.includes(true) ? 'full' : 'up',
      },
      ...(failure && { failure }),
    };
  };
}

function databaseState(failure: Error | undefined): PartState {
  if (!failure) return 'up';
  return failure instanceof DatabaseTimeout && failure.isOverloaded ? 'busy' : 'down';
}

/** Whether the process runs that the cluster's lock file names. */
async function isPostgresRunning(clusterDir: string): Promise<boolean> {
  const [line] = (await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
  try {
    return Number(line) > 0 && process.kill(Number(line), 0);
  } catch (error) {
    // Another account's process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Adds whether each part is up to the figures. */
export function measureParts(look: LookAtParts, registry: Registry): void {
  addFigures(registry, () => onBudget(new TimeBudget(PATIENCE), look), {
    part_up: {
      help: '1 where a part of this process is up, or busy, 0 where it is down or full, as in /readyz',
      labels: ['part'],
      samplesOf: ({ parts }) =>
        Object.entries(parts).map(([part, state]) => ({
          labels: { part },
          value: state === 'up' || state === 'busy' ? 1 : 0,
        })),
    },
  });
}
