import type { OperationKindName } from '@apotheca/contract/operations';
import pg from 'pg';
import { withClient } from './databases.ts';

/** The advisory lock on which operations stop where a test wants them to. */
const STOP = 4_711;

/** Makes operations of a kind wait at a point: when they begin, when they go on to a step, and before they commit their end. */
const INSTALL = `
  create table stops (kind text not null, point text not null);
  create function stop_operation() returns trigger language plpgsql as $$
  declare
    reached text := case
      when new.state <> old.state then new.state
      when new.step <> old.step then 'step ' || new.step
    end;
  begin
    if exists (select from stops where kind = new.kind and point = reached) then
      perform pg_advisory_xact_lock_shared(${STOP});
    end if;
    return new;
  end $$;
  create trigger stop_operation before update on operations for each row execute function stop_operation()`;

/** @param url connection string of the control database */
export async function installStops(url: string): Promise<void> {
  await withClient(url, (client) => client.query(INSTALL));
}

/** Lets operations go on everywhere. */
export async function removeStops(url: string): Promise<void> {
  await withClient(url, (client) => client.query('delete from stops'));
}

/**
 * Holds operations of a kind at a point ('running', 'step 1', …, 'succeeded') while `work` runs.
 * @param start starts the operation; its answer counts only where it comes before the operation has stopped
 * @param work runs when the operation has come there; it may kill PostgreSQL
 */
export async function holdAt<Answer extends { status: number }>(
  url: string,
  { kind, point }: { kind: OperationKindName; point: string },
  start: () => Promise<Answer>,
  work: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('insert into stops values ($1, $2)', [kind, point]);
    await client.query('select pg_advisory_lock($1)', [STOP]);
    // A kill cuts the call off.
    const answer = start().catch(() => undefined);
    await untilHeld(client, answer);
    await work();
    await answer;
  } finally {
    await client.end().catch(() => {});
  }
}

async function untilHeld(client: pg.Client, answer: Promise<{ status: number } | undefined>): Promise<void> {
  let early: { status: number } | undefined;
  void answer.then((value) => {
    early = value;
  });
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_locks
       where locktype = 'advisory' and not granted and objid = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [STOP],
    );
    if (rowCount) return;
    if (early && early.status !== 202) throw new Error(`It ended without stopping: ${JSON.stringify(early)}`);
  }
}
