import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { withClient } from './databases.ts';

const RETRY = 10;

/** A program that inserts a row after the other, and finds its database anew when it has lost it. */
export interface Writer {
  /** Waits until so many further rows are acknowledged. */
  until(rows: number): Promise<void>;
  /** The codes of all acknowledged rows. */
  stop(): Promise<string[]>;
  /** The longest time between two acknowledged rows, in milliseconds. */
  longestPause(): number;
}

/**
 * @param resolve how the database is reached now
 * @param perSecond about so many rows a second, as far as PostgreSQL keeps up
 * @param name the beginning of the codes
 */
export function startWriter(resolve: () => Promise<string>, perSecond: number, name = 'W'): Writer {
  const acknowledged: string[] = [];
  let isStopped = false;
  let last = performance.now();
  let pause = 0;
  const write = async () => {
    let due = performance.now();
    for (let row = 0; !isStopped; ) {
      const client = await connect(resolve);
      try {
        while (client && !isStopped) {
          const code = `${name}${row}`;
          row += 1;
          // The row before is changed with it.
          await client.query(
            `with changed as (update locations set name = 'changed' where code = $2)
             insert into locations (code, name, kind) values ($1, $1, 'clinic')`,
            [code, `${name}${row - 2}`],
          );
          acknowledged.push(code);
          const now = performance.now();
          pause = Math.max(pause, now - last);
          last = now;
          due = Math.max(due + 1_000 / perSecond, now - 1_000);
          if (due > now) await setTimeout(due - now);
        }
      } catch {
        // It was not acknowledged: nobody relies on it.
      }
      await client?.end().catch(() => {});
      if (!isStopped) await setTimeout(RETRY);
    }
  };
  const writing = write();
  return {
    async until(rows) {
      const wanted = acknowledged.length + rows;
      while (acknowledged.length < wanted) await setTimeout(RETRY);
    },
    async stop() {
      isStopped = true;
      await writing;
      return acknowledged;
    },
    longestPause: () => pause,
  };
}

async function connect(resolve: () => Promise<string>): Promise<pg.Client | undefined> {
  const client = new pg.Client(await resolve());
  client.on('error', () => {});
  return client.connect().then(
    () => client,
    () => undefined,
  );
}

/**
 * What the moves of an installation may have left of replication. Other tests move at the same time.
 * @param url of its control database @param others the administrators of its other servers
 */
export async function listMoveRemains(url: string, others: readonly string[]): Promise<unknown[]> {
  const { rows: moves } = await withClient(url, (client) =>
    client.query("select 'move_' || replace(id::text, '-', '') as name from operations where kind = 'move'"),
  );
  const left = await Promise.all(
    [url, ...others].map((server) =>
      withClient(server, async (client) => {
        const { rows } = await client.query(
          `select * from (
             select 'slot' as what, slot_name::text as name from pg_replication_slots
             union all select 'subscription', subname from pg_subscription
             union all select 'role', rolname from pg_roles
           ) as found where name = any($1)`,
          [moves.map(({ name }) => name)],
        );
        return rows;
      }),
    ),
  );
  return left.flat();
}
