import type pg from 'pg';
import { DatabaseTimeout } from '../errors/postgres-errors.ts';
import { prepared } from './prepared-statements.ts';
import { onBudget, TimeBudget } from './time-budget.ts';

/** When PostgreSQL last sent this server process anything: who waits in vain then knows whether it is away or has too much to do. */
export class Pulse {
  /** Moment of `performance.now()`. */
  last = Number.NEGATIVE_INFINITY;

  beat(): void {
    this.last = performance.now();
  }

  /** @param moment of `performance.now()` */
  hasBeatSince(moment: number): boolean {
    return this.last >= moment;
  }
}

/**
 * What PostgreSQL does about the statement of a session: it works on it, waits, as for a lock, or knows nothing of it, so that the link
 * to the session is lost.
 */
type Activity = 'working' | 'waiting' | 'none';

/** Finds out by another connection, as a link that is silent for minutes may be broken, or its statement may take so long. */
export type Watch = (processId: number) => Promise<Activity>;

/** Longest wait for the answer to that question, in milliseconds. */
const ASK_LIMIT = 2_000;

/** @param pool by which to ask; best one that is for this only */
export function watchOver(pool: pg.Pool): Watch {
  return (processId) => onBudget(new TimeBudget(ASK_LIMIT), () => askFor(pool, processId));
}

async function askFor(pool: pg.Pool, processId: number): Promise<Activity> {
  try {
    const statement = `
      select case when state <> 'active' then 'none' when wait_event_type = 'Lock' then 'waiting' else 'working' end as activity
      from pg_stat_activity where pid = $1`;
    const { rows } = await pool.query<{ activity: Activity }>(prepared(statement, [processId]));
    return rows[0]?.activity ?? 'none';
  } catch (error) {
    // Nobody could be asked: that says nothing of the session.
    return error instanceof DatabaseTimeout && error.isOverloaded ? 'waiting' : 'none';
  }
}

/** Process id of a session. PostgreSQL tells it at the beginning (BackendKeyData); node-pg's types leave it out. */
export const processIdOf = (client: pg.Client): number => (client as pg.Client & { processID: number }).processID;
