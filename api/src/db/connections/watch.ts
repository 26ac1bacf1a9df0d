import type pg from 'pg';
import { DatabaseTimeout } from '../errors/postgres-errors.ts';
import { prepared } from './prepared-statements.ts';
import { onBudget, TimeBudget } from './time-budget.ts';

/**
 * When PostgreSQL last sent data to this server process. By it a wait without an answer tells a PostgreSQL that is away from an
 * overloaded one.
 */
export class Pulse {
  /** Moment of `performance.now()`. */
  last = Number.NEGATIVE_INFINITY;
  readonly #silence: number;

  /** @param silence how long a request waits for a sign of life, in milliseconds; absent: as long as its budget lasts */
  constructor(silence = Number.POSITIVE_INFINITY) {
    this.#silence = silence;
  }

  /** Milliseconds that a request that has begun to wait at a moment may still wait for the next sign of life. */
  patience(began: number): number {
    return this.#silence - (performance.now() - Math.max(began, this.last));
  }

  beat(): void {
    this.last = performance.now();
  }

  /** @param moment of `performance.now()` */
  hasBeatSince(moment: number): boolean {
    return this.last >= moment;
  }
}

/**
 * What PostgreSQL does with the statement of a session: it works on it, it waits for a lock, or it has no such statement, so the
 * link to the session is lost.
 */
type Activity = 'working' | 'waiting' | 'none';

/** Asks PostgreSQL about a session over another connection: a silent link may be broken, or its statement may take minutes. */
export type Watch = (processId: number) => Promise<Activity>;

/** Longest wait for the answer to that question, in milliseconds. */
const ASK_LIMIT = 2_000;

/** @param pool the pool to ask by, best one that is for nothing else */
export function makeWatch(pool: pg.Pool): Watch {
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
    // PostgreSQL could not be asked, which says nothing about the session.
    return error instanceof DatabaseTimeout && error.isOverloaded ? 'waiting' : 'none';
  }
}

/** Process id of a session. PostgreSQL sends it at the start of a session (BackendKeyData); node-pg's types lack it. */
export const processIdOf = (client: pg.Client): number => (client as pg.Client & { processID: number }).processID;
