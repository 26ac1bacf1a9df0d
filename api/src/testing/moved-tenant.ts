import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

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
 * @param perSecond at most so many rows a second; absent: as many as can be
 */
export function startWriter(resolve: () => Promise<string>, perSecond = Number.POSITIVE_INFINITY): Writer {
  const acknowledged: string[] = [];
  let isStopped = false;
  let last = performance.now();
  let pause = 0;
  const write = async () => {
    for (let row = 0; !isStopped; ) {
      const client = await connect(resolve);
      try {
        while (client && !isStopped) {
          const code = `W${row}`;
          row += 1;
          await client.query('insert into locations (code, name, kind) values ($1, $1, $2)', [code, 'clinic']);
          acknowledged.push(code);
          const now = performance.now();
          pause = Math.max(pause, now - last);
          last = now;
          if (perSecond < Number.POSITIVE_INFINITY) await setTimeout(1000 / perSecond);
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
