import type pg from 'pg';
import { operationOf, withoutTenantNames, withoutValues } from '../../tracing/sql-text.ts';
import { tracedWithin } from '../../tracing/tracing.ts';
import { DatabaseTimeout, isConnectTimeout } from '../errors/postgres-errors.ts';
import { type Budget, currentBudget } from './time-budget.ts';
import { type Pulse, processIdOf, type Watch } from './watch.ts';

/**
 * Longest wait for a connection, in milliseconds. Shorter than pg-pool's own limit, whose error is the same for a full pool and a
 * silent server.
 */
const CONNECTION_WAIT = 9_000;
/** How long closing a connection may wait for the other end, in milliseconds. */
const CLOSE_WAIT = 1_000;
/** How often PostgreSQL is asked about a statement, in milliseconds: in a request, and in other work. */
const WATCH_INTERVAL = { request: 1_000, other: 10_000 };
/** After how many 'none' in a row a link counts as lost: the first may have crossed the statement's result. */
const MISSES = 2;

/** How long the statements of a connection may take. */
export interface StatementLimits {
  pulse: Pulse;
  /** Milliseconds; absent: as long as the watch sees that PostgreSQL works on them. */
  limit?: number;
  watch?: Watch;
}

interface Wait {
  pulse: Pulse;
  limit?: number | undefined;
  /** Others come first: only the time since PostgreSQL's last sign of life counts for the request. */
  isQueue?: boolean;
  /** When the queue last moved, as of `performance.now()`: the limit counts from then. */
  movedAt?(): number;
  /** Is called when the wait is given up. */
  onGivenUp(error: DatabaseTimeout): void;
}

/**
 * Waits for PostgreSQL, at most as long as the limit and the budget of the request allow.
 * @throws DatabaseTimeout
 */
export async function waitFor<T>(
  answer: Promise<T>,
  { pulse, limit = Number.POSITIVE_INFINITY, isQueue, movedAt, onGivenUp }: Wait,
): Promise<T> {
  const budget = currentBudget();
  const began = performance.now();
  const left = () => {
    const waited = performance.now() - Math.max(began, movedAt?.() ?? began);
    return budget ? Math.min(limit - waited, budget.left, pulse.patience(began)) : limit - waited;
  };
  let refundedTo = began;
  const refund = () => {
    if (!isQueue || pulse.last <= refundedTo) return;
    budget?.refund(pulse.last - refundedTo);
    refundedTo = pulse.last;
  };
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  budget?.begin();
  const timeUp = new Promise<never>((_, reject) => {
    const check = () => {
      refund();
      if (left() > 0) return arm();
      const error = new DatabaseTimeout(pulse.hasBeatSince(began));
      onGivenUp(error);
      reject(error);
    };
    const arm = () => {
      if (left() === Number.POSITIVE_INFINITY) return;
      // What arrived while this process was busy is read before the time is up.
      timer = setTimeout(() => {
        timer = setImmediate(check);
      }, left());
    };
    arm();
  });
  try {
    return await Promise.race([answer, timeUp]);
  } catch (error) {
    // If this process was busy for seconds, the timers of pg and pg-pool come first.
    throw isConnectTimeout(error) ? new DatabaseTimeout(pulse.hasBeatSince(began)) : error;
  } finally {
    clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
    refund();
    budget?.end();
  }
}

/** Makes a connection. @throws DatabaseTimeout; the error of PostgreSQL or the system */
export async function connectLimited(client: pg.Client, pulse: Pulse): Promise<void> {
  await waitFor(client.connect(), { pulse, limit: CONNECTION_WAIT, onGivenUp: () => discard(client) });
}

/** Closes a connection, even if the other end does not answer. */
export async function closeLimited(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => discard(client), CLOSE_WAIT);
  await client.end();
  clearTimeout(timer);
}

/** Limits the waits for a pool's connections and for their statements. */
export function limitPool(pool: pg.Pool, limits: StatementLimits): pg.Pool {
  const { pulse } = limits;
  const open = pool.connect.bind(pool);
  const connect = (): Promise<pg.PoolClient> => {
    const isQueue = pool.totalCount >= pool.options.max && pool.idleCount <= pool.waitingCount;
    const client = open();
    // A connection that comes too late goes to the next caller.
    const onGivenUp = () => {
      client.then(
        (late) => late.release(),
        () => {},
      );
    };
    return waitFor(client, { pulse, limit: CONNECTION_WAIT, isQueue, onGivenUp });
  };
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    // Its error may be explained (platform.ts).
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  };
  pool.on('connect', (client) => limitStatements(client, limits));
  return Object.assign(pool, { connect, query });
}

/**
 * Limits the statements of a connection. When one is given up, the connection is destroyed, as PostgreSQL may still work on it.
 * Later statements on it, such as a rollback, fail at once with the same error.
 */
export function limitStatements(client: pg.Client, { pulse, limit, watch }: StatementLimits): void {
  const ask = client.query.bind(client);
  /** With a callback: what belongs to a promise of pg's own stays, 1 to 2 kB for each statement, until V8 collects the old generation. */
  const send = (text: string | pg.QueryConfig, values?: unknown[]) =>
    new Promise<pg.QueryResult>((fulfil, reject) => {
      const config = typeof text === 'string' ? { text, values } : text;
      ask(config, (error, result) => (error ? reject(error) : fulfil(result)));
    });
  let givenUp: DatabaseTimeout | undefined;
  const onGivenUp = (error: DatabaseTimeout) => {
    givenUp = error;
    discard(client);
  };
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    if (givenUp) throw givenUp;
    return tracedStatement(client, text, () => {
      const answer = send(text, values);
      const watched = watch ? watching(client, watch, answer) : answer;
      return waitFor(watched, { pulse, limit, onGivenUp }).catch((error: unknown) => {
        if (error instanceof DatabaseTimeout && !givenUp) onGivenUp(error);
        // It leads to who asked, in place of where the answer was read.
        if (error instanceof Error) Error.captureStackTrace(error);
        throw error;
      });
    });
  };
  // All data is a sign of life, even a part of a long answer.
  client.connection.stream.on('data', () => pulse.beat());
  // The other signatures, for callbacks and cursors, are not used here.
  client.query = query as typeof client.query;
}

/** A statement as a part of the present span, with its text but without any value or name of a tenant. */
function tracedStatement<T>(client: pg.Client, query: string | pg.QueryConfig, send: () => Promise<T>): Promise<T> {
  const text = typeof query === 'string' ? query : query.text;
  return tracedWithin(
    () => operationOf(text),
    () => ({
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.namespace': withoutTenantNames(client.database ?? ''),
        'db.operation.name': operationOf(text),
        'db.query.text': withoutValues(text),
      },
    }),
    send,
  );
}

/**
 * Follows a statement. Time in which PostgreSQL works on it does not count for the request's budget.
 * @throws DatabaseTimeout if the link is lost
 */
async function watching<T>(client: pg.Client, watch: Watch, answer: Promise<T>): Promise<T> {
  const budget = currentBudget();
  let timer: NodeJS.Timeout | undefined;
  let misses = 0;
  const lost = new Promise<never>((_, reject) => {
    const look = async () => {
      const asked = performance.now();
      const activity = await watch(processIdOf(client));
      if (activity === 'working') budget?.refund(performance.now() - asked + interval);
      misses = activity === 'none' ? misses + 1 : 0;
      if (misses === MISSES) reject(new DatabaseTimeout(false));
      else if (timer) timer = setTimeout(look, interval);
    };
    const interval = intervalFor(budget);
    timer = setTimeout(look, interval);
  });
  try {
    return await Promise.race([answer, lost]);
  } finally {
    clearTimeout(timer);
    timer = undefined;
  }
}

const intervalFor = (budget: Budget | undefined): number => WATCH_INTERVAL[budget ? 'request' : 'other'];

/** Destroys a connection. The pool does not take it back. */
function discard(client: pg.Client): void {
  void client.end();
  client.connection.stream.destroy();
}
