import { setTimeout } from 'node:timers/promises';
import type { OperationKindName } from '@apotheca/contract/operations';
import pg from 'pg';
import { withClient } from './databases.ts';

/** Key of the advisory lock for which operations wait at the points that a test chooses. */
const STOP = 4_711;
const POLL = 10;

/**
 * Makes operations of a kind wait at a point: when they begin, at a further step, before they commit their end, or when a dropped
 * database leaves the registry ('dropped').
 */
const INSTALL = `
  create table stops (kind text not null, point text not null);
  create function wait_at_stop() returns void language plpgsql as $$
  begin
    -- A test may hold it for longer than a lock is waited for, or a statement may take. The latter limit comes once for a statement.
    perform set_config('lock_timeout', '0', true);
    begin
      perform pg_advisory_xact_lock_shared(${STOP});
    exception when query_canceled then
      if sqlerrm !~ 'statement timeout' then
        raise;
      end if;
      perform pg_advisory_xact_lock_shared(${STOP});
    end;
  end $$;
  create function stop_operation() returns trigger language plpgsql as $$
  declare
    reached text := case
      when new.state <> old.state then new.state
      when new.step <> old.step then 'step ' || new.step
    end;
  begin
    if exists (select from stops where kind = new.kind and point = reached) then
      perform wait_at_stop();
    end if;
    return new;
  end $$;
  create trigger stop_operation before update on operations for each row execute function stop_operation();
  create function stop_deletion() returns trigger language plpgsql as $$
  begin
    if exists (select from stops where point = 'dropped') then
      perform wait_at_stop();
    end if;
    return old;
  end $$;
  create trigger stop_deletion before delete on databases for each row execute function stop_deletion()`;

/** The operations that wait at a point. */
export interface Held {
  /** Ends the sessions that wait there. Those of a killed server would wait as long as the point is held. */
  endSessions(): Promise<void>;
  /** Waits until an operation waits there again. */
  untilHeld(): Promise<void>;
}

/** @param url connection string of the control database */
export async function installStops(url: string): Promise<void> {
  await withClient(url, (client) => client.query(INSTALL));
}

/** Removes all points, so that operations go on. */
export async function removeStops(url: string): Promise<void> {
  await withClient(url, (client) => client.query('delete from stops'));
}

/**
 * Holds operations of a kind at a point ('running', 'step 1', …, 'succeeded', 'dropped') while `work` runs.
 * @param start starts the operation; its answer matters only if it comes before the operation waits
 * @param work runs when the operation waits there; it may kill PostgreSQL
 */
export async function holdAt<Answer extends { status: number }>(
  url: string,
  { kind, point }: { kind: OperationKindName; point: string },
  start: () => Promise<Answer>,
  work: (held: Held) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  let answer: Promise<Answer | undefined> | undefined;
  try {
    await client.query('insert into stops values ($1, $2)', [kind, point]);
    await client.query('select pg_advisory_lock($1)', [STOP]);
    const started = start();
    // A kill interrupts the call.
    answer = started.catch(() => undefined);
    // The operation succeeds before the replaced database is dropped.
    await untilHeld(client, point === 'dropped' ? undefined : started);
    await work({
      untilHeld: () => untilHeld(client),
      endSessions: async () => {
        await client.query(`select pg_terminate_backend(pid, 5000) from (${WAITING}) as waiting`, [STOP]);
      },
    });
  } finally {
    await client.end().catch(() => {});
  }
  // The call may wait for the operation's end, which comes only now.
  await answer;
}

/** Sessions that wait at the point. */
const WAITING = `
  select pid from pg_locks
  where locktype = 'advisory' and not granted and objid = $1
    and database = (select oid from pg_database where datname = current_database())`;

async function untilHeld(client: pg.Client, answer?: Promise<{ status: number }>): Promise<void> {
  let early: { status: number } | undefined;
  let failure: unknown;
  answer?.then(
    (value) => {
      early = value;
    },
    (error: unknown) => {
      failure = error;
    },
  );
  for (;;) {
    const { rowCount } = await client.query(WAITING, [STOP]);
    if (rowCount) return;
    if (failure) throw failure;
    if (early && early.status !== 202) throw new Error(`It ended without stopping: ${JSON.stringify(early)}`);
    await setTimeout(POLL);
  }
}
